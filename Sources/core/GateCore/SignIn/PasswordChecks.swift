import GateModel

/// Names one check of a password. The numbers count up from the start of the daemon.
public struct PasswordCheckID: Hashable, Sendable {
    public var number: UInt64

    public init(_ number: UInt64) {
        self.number = number
    }
}

public enum PasswordOutcome: Hashable, Sendable, CaseIterable {
    case right
    /// The password is wrong, or no person with this name has one.
    case wrong
    /// The check itself failed. The guess is not counted.
    case failed
}

/// The passwords that the daemon is checking (`Effect.checkPassword`). A check stays here until its outcome is known,
/// even if its caller has disconnected: a wrong guess counts all the same.
struct PasswordChecks: Hashable, Sendable {
    enum Purpose: Hashable, Sendable {
        case logIn
        case changePassword(newHash: String)
    }

    struct Check: Hashable, Sendable {
        let purpose: Purpose
        /// The person's name as typed.
        let name: String
        /// The hash that the password is compared with; `nil`: nobody has this name and a password. If the person's
        /// hash is another one at the end, the outcome counts as `failed`.
        let hash: String?
        let peer: Peer
        let key: Lockout.Key
        /// The waiting call; `nil`: the caller has disconnected, or the call was answered.
        fileprivate(set) var wait: WaitID?
    }

    private var open: [PasswordCheckID: Check] = [:]
    private var last: UInt64 = 0

    func refusal(for peer: Peer, countedAt key: Lockout.Key) -> GateError? {
        // Several guesses at the same time would cost only one wrong answer.
        guard !open.values.contains(where: { $0.key == key }) else { return .passwordInHand }
        let ofOwner = open.values.count { $0.peer.owner == peer.owner }
        let room = peer.isAdministrator ? Limits.passwordChecks : Limits.passwordChecks - Limits.passwordChecksOfUser
        guard open.count < room, peer.isAdministrator || ofOwner < Limits.passwordChecksOfUser else {
            return .tooManyPasswords
        }
        return nil
    }

    var connections: Set<UInt64> { Set(open.values.lazy.filter { $0.wait != nil }.map(\.peer.connection)) }

    var waits: Set<WaitID> { Set(open.values.compactMap(\.wait)) }

    var next: PasswordCheckID { PasswordCheckID(last + 1) }

    mutating func began(
        _ purpose: Purpose, name: String, hash: String?, by peer: Peer, countedAt key: Lockout.Key, wait: WaitID
    ) -> PasswordCheckID {
        last += 1
        let id = PasswordCheckID(last)
        open[id] = Check(purpose: purpose, name: name, hash: hash, peer: peer, key: key, wait: wait)
        return id
    }

    mutating func ended(_ id: PasswordCheckID) -> Check? {
        open.removeValue(forKey: id)
    }

    /// Returns the call if it was still waiting.
    mutating func callEnded(_ id: PasswordCheckID) -> WaitID? {
        defer { open[id]?.wait = nil }
        return open[id]?.wait
    }

    /// The checks of a peer in the order in which they began. With `wait` only the check of that call; `nil`: all.
    func ids(of peer: Peer, waiting wait: WaitID?) -> [PasswordCheckID] {
        open.filter { $0.value.peer.connection == peer.connection && (wait == nil || $0.value.wait == wait) }
            .map(\.key).sorted { $0.number < $1.number }
    }
}

extension GateState {
    /// Begins a check. A name that nobody has, or that has no password, gets a check like any other name, so that
    /// nothing reveals which names have passwords.
    mutating func beginCheck(
        _ purpose: PasswordChecks.Purpose, name: String, _ password: GateSecret, countedAt key: Lockout.Key,
        _ context: Context, _ draft: inout TransitionDraft
    ) -> Reply {
        let wait = requests.callWaits()
        let hash = personRecord(name)?.passwordHash
        let id = passwordChecks.began(
            purpose, name: name, hash: hash, by: context.peer, countedAt: key, wait: wait)
        draft.checkPassword(id, password, hash: hash)
        return .waiting(wait)
    }

    mutating func passwordChecked(
        _ id: PasswordCheckID, _ outcome: PasswordOutcome, _ context: Context, _ draft: inout TransitionDraft
    ) -> Reply {
        guard let check = passwordChecks.ended(id) else { return .done }
        draft.author = check.peer
        let reply: Reply
        switch judged(outcome, of: check) {
        case .right: reply = passwordWasRight(check, id, context, &draft)
        case .wrong: reply = passwordWasWrong(check, id, context, &draft)
        case .failed:
            if signInMachine.failed(id) { draft.becameVisible() }
            reply = .refused(.checkFailed)
        }
        draft.settle(check.wait, reply)
        return .done
    }

    /// The outcome is `failed` if the person got another password, came or went meanwhile.
    private func judged(_ outcome: PasswordOutcome, of check: PasswordChecks.Check) -> PasswordOutcome {
        personRecord(check.name)?.passwordHash == check.hash ? outcome : .failed
    }

    private mutating func passwordWasRight(
        _ check: PasswordChecks.Check, _ id: PasswordCheckID, _ context: Context, _ draft: inout TransitionDraft
    ) -> Reply {
        guard let person = personRecord(check.name)?.person else { return .refused(.checkFailed) }
        switch check.purpose {
        case .logIn:
            let takesCover = takesCover(person, signedInBy: check.peer)
            if takesCover,
                let refusal = signInRefusal(at: Lockout.Key(otherScreensOf: check.peer.owner), at: context.now)
            {
                if signInMachine.failed(id) { draft.becameVisible() }
                return .refused(refusal)
            }
            switch signInMachine.succeeded(
                id, person, of: users(ofSessionBy: check.peer), at: context.now, configuration.signIn)
            {
            case .signedIn(let child):
                if let child { draft.journal(.signedOut, by: check.peer, child.name) }
                isCoverPutAway = false
                for open in queue.open where open.step == .signIn { forgiveScreens(open, by: check.peer, &draft) }
                draft.journal(.signedIn, by: check.peer, person.name)
                if takesCover { coverTaken(by: check.peer, at: context.now, &draft) }
            case .isSignedIn(let name):
                draft.becameVisible()
                return .refused(.signedIn(name))
            case .late:
                return .refused(.checkFailed)
            }
        case .changePassword(let newHash):
            // A caller that has disconnected would not learn that the password is now the new one.
            guard check.wait != nil else { return .refused(.checkFailed) }
            record(.personSet(person, passwordHash: newHash), &draft)
            draft.journal(.passwordChanged, by: check.peer, person.name)
        }
        // Only this person's counter is reset: knowing one person's password must not allow more guesses at others.
        if records.lockouts[check.key] != nil, check.key.gate != SignInGate.rest {
            record(.lockoutRemoved(check.key), &draft)
        }
        return .done
    }

    private mutating func passwordWasWrong(
        _ check: PasswordChecks.Check, _ id: PasswordCheckID, _ context: Context, _ draft: inout TransitionDraft
    ) -> Reply {
        _ = signInMachine.failed(id)
        // Without the name: the person may have typed the password there.
        draft.journal(.signInFailed, by: check.peer)
        let lock = count(.wrongAnswer, against: check.peer, at: check.key, at: context.now, &draft)
        return .refused(.wrongPassword(lockedOutFor: lock))
    }
}
