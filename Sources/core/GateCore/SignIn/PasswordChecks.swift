import GateModel

/// Names the check of a password. Counts up since the daemon started.
public struct PasswordCheckID: Hashable, Sendable {
    public var number: UInt64

    public init(_ number: UInt64) {
        self.number = number
    }
}

/// Whether what was typed is the password of the account.
public enum PasswordOutcome: Hashable, Sendable, CaseIterable {
    case right
    /// Or there is no such account.
    case wrong
    /// The check itself failed. That is nobody's fault, so nothing is counted.
    case failed
}

/// Passwords that the daemon is checking (`Effect.checkPassword`). A check stays here until its outcome is known, even if its caller has
/// gone: a guess counts although nobody waits for what comes of it.
struct PasswordChecks: Hashable, Sendable {
    enum Purpose: Hashable, Sendable {
        case logIn
        case changePassword(newHash: String)
    }

    struct Check: Hashable, Sendable {
        let purpose: Purpose
        /// As typed.
        let name: String
        /// The hash that it is compared with; `nil`: there is no such account. An outcome counts for nothing once that
        /// was replaced.
        let hash: String?
        /// The peer whose guess it is.
        let peer: Peer
        /// Where it counts if it is wrong.
        let key: Lockout.Key
        /// The call that waits; `nil`: it is gone, or has its answer.
        fileprivate(set) var wait: WaitID?
    }

    private var open: [PasswordCheckID: Check] = [:]
    private var last: UInt64 = 0

    /// `nil`: its outcome is known, or it was never begun.
    subscript(id: PasswordCheckID) -> Check? { open[id] }

    /// Why there is no room for one more of this peer's; `nil`: there is.
    func refusal(for peer: Peer, countedAt key: Lockout.Key) -> GateError? {
        // Or else several guesses would be made for the price of one.
        guard !open.values.contains(where: { $0.key == key }) else { return .passwordInHand }
        let ofOwner = open.values.count { $0.peer.owner == peer.owner }
        let room = peer.isAdministrator ? Limits.passwordChecks : Limits.passwordChecks - Limits.passwordChecksOfUser
        guard open.count < room, peer.isAdministrator || ofOwner < Limits.passwordChecksOfUser else {
            return .tooManyPasswords
        }
        return nil
    }

    var connections: Set<UInt64> { Set(open.values.lazy.filter { $0.wait != nil }.map(\.peer.connection)) }

    /// The calls that wait.
    var waits: Set<WaitID> { Set(open.values.compactMap(\.wait)) }

    /// The id that the next one gets.
    var next: PasswordCheckID { PasswordCheckID(last + 1) }

    mutating func began(
        _ purpose: Purpose, name: String, hash: String?, by peer: Peer, countedAt key: Lockout.Key, wait: WaitID
    ) -> PasswordCheckID {
        last += 1
        let id = PasswordCheckID(last)
        open[id] = Check(purpose: purpose, name: name, hash: hash, peer: peer, key: key, wait: wait)
        return id
    }

    /// Its outcome is known. Returns it; `nil`: there is none.
    mutating func ended(_ id: PasswordCheckID) -> Check? {
        open.removeValue(forKey: id)
    }

    /// Its call has its answer, or takes none any more. Returns that call.
    mutating func callEnded(_ id: PasswordCheckID) -> WaitID? {
        defer { open[id]?.wait = nil }
        return open[id]?.wait
    }

    /// The calls of a peer, in the order in which they began. `nil`: all of the peer's.
    func ids(of peer: Peer, waiting wait: WaitID?) -> [PasswordCheckID] {
        open.filter { $0.value.peer.connection == peer.connection && (wait == nil || $0.value.wait == wait) }
            .map(\.key).sorted { $0.number < $1.number }
    }
}

extension GateState {
    /// The same for an account that is there and one that is not: which of them it is must not be told by anything.
    mutating func beginCheck(
        _ purpose: PasswordChecks.Purpose, name: String, _ password: GateSecret, countedAt key: Lockout.Key,
        _ context: Context, _ draft: inout TransitionDraft
    ) -> Reply {
        let wait = requests.callWaits()
        let hash = accountRecord(name)?.passwordHash
        let id = passwordChecks.began(
            purpose, name: name, hash: hash, by: context.peer, countedAt: key, wait: wait)
        draft.checkPassword(id, password, hash: hash)
        return .waiting(wait)
    }

    /// The outcome of a password check.
    mutating func passwordChecked(
        _ id: PasswordCheckID, _ outcome: PasswordOutcome, _ context: Context, _ draft: inout TransitionDraft
    ) {
        guard let check = passwordChecks.ended(id) else { return }
        let reply: Reply
        switch judged(outcome, of: check) {
        case .right: reply = passwordWasRight(check, id, context, &draft)
        case .wrong: reply = passwordWasWrong(check, id, context, &draft)
        case .failed:
            if signInMachine.failed(id) { draft.becameVisible() }
            reply = .refused(.checkFailed)
        }
        draft.settle(check.wait, reply)
    }

    /// An outcome says nothing once the password was replaced, or the account made or removed.
    private func judged(_ outcome: PasswordOutcome, of check: PasswordChecks.Check) -> PasswordOutcome {
        accountRecord(check.name)?.passwordHash == check.hash ? outcome : .failed
    }

    private mutating func passwordWasRight(
        _ check: PasswordChecks.Check, _ id: PasswordCheckID, _ context: Context, _ draft: inout TransitionDraft
    ) -> Reply {
        guard let account = accountRecord(check.name)?.account else { return .refused(.checkFailed) }
        switch check.purpose {
        case .logIn:
            switch signInMachine.succeeded(
                id, account, of: users(ofSessionBy: check.peer), at: context.now, configuration.signIn)
            {
            case .signedIn(let child):
                if let child { draft.journal(.signedOut, by: check.peer, child.name) }
                isCoverPutAway = false
                for open in queue.open where open.step == .signIn { forgiveScreens(open, by: check.peer, &draft) }
                draft.journal(.signedIn, by: check.peer, account.name)
            case .isSignedIn(let name):
                draft.becameVisible()
                return .refused(.signedIn(name))
            case .late:
                return .refused(.checkFailed)
            }
        case .changePassword(let newHash):
            // Anyone who has gone has not seen it happen, and would not know which password is the right one.
            guard check.wait != nil else { return .refused(.checkFailed) }
            record(.accountSet(account, passwordHash: newHash), &draft)
            draft.journal(.passwordChanged, by: check.peer, account.name)
        }
        // Its own counter alone: one account's password must not pay for guesses at others.
        if records.lockouts[check.key] != nil, check.key.gate != SignInGate.rest {
            record(.lockoutRemoved(check.key), &draft)
        }
        return .done
    }

    private mutating func passwordWasWrong(
        _ check: PasswordChecks.Check, _ id: PasswordCheckID, _ context: Context, _ draft: inout TransitionDraft
    ) -> Reply {
        _ = signInMachine.failed(id)
        // Not the name: what was typed there may have been the password.
        draft.journal(.signInFailed, by: check.peer)
        let lock = count(.wrongAnswer, against: check.peer, at: check.key, at: context.now, &draft)
        return .refused(.wrongPassword(lockedOutFor: lock))
    }
}
