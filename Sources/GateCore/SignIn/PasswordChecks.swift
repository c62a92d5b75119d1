import GateModel

/// Passwords that are being checked by the surroundings. One whose caller has gone stays here until its outcome is known:
/// a guess counts even if nobody waits for what comes of it.
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
