import GateModel

/// Single-use grants that are not used yet (F-18): each is taken once, by whom it is for, for exactly what was granted.
///
/// They are not stored: a grant dies with the requester's connection, at its deadline, or with the daemon. What a user
/// is not asked again for (`keep`) is in `DurableRecords.keptGrants`.
struct GrantLedger: Hashable, Sendable {
    private struct Entry: Hashable, Sendable {
        let grant: Grant
        let requester: Peer
        /// The user that takes it; `nil`: the requester, over the same connection.
        let redeemer: UInt32?
    }

    /// By id.
    private var entries: [UInt64: Entry] = [:]
    private var lastID: UInt64 = 0

    var nextDeadline: BootTime? { entries.values.lazy.map(\.grant.deadline).min() }

    var connections: Set<UInt64> { Set(entries.values.map(\.requester.connection)) }

    /// How many this peer has not used yet.
    func unusedCount(of peer: Peer) -> Int {
        entries.values.count { $0.requester.connection == peer.connection }
    }

    /// What was asked for is granted. Draws the proof.
    mutating func granted(
        _ request: AuthorizationRequest, to requester: Peer, at now: BootTime,
        using random: inout some RandomNumberGenerator
    ) -> Grant {
        lastID += 1
        let grant = Grant(
            id: lastID, proof: Grant.Proof(grant: lastID, using: &random), gatedAction: request.gatedAction,
            details: request.details, deadline: now.advanced(by: Limits.grantTime))
        entries[lastID] = Entry(grant: grant, requester: requester, redeemer: request.redeemer)
        return grant
    }

    enum RedemptionResult: Hashable {
        /// It is used up.
        case taken(Grant, requester: Peer)
        /// Made up, used, run out, its requester gone, or for something else.
        case noGrant
        /// There is one, but for somebody else. It stays.
        case notPermitted
    }

    /// Somebody is about to do what was granted.
    mutating func redeemed(
        _ proof: Grant.Proof, gatedAction: String, details: String, by peer: Peer, at now: BootTime
    ) -> RedemptionResult {
        guard let id = proof.grantID, let entry = entries[id], entry.grant.proof.matches(proof),
            now < entry.grant.deadline
        else { return .noGrant }
        let isRedeemer = entry.redeemer.map { $0 == peer.uid } ?? (entry.requester.connection == peer.connection)
        guard isRedeemer else { return .notPermitted }
        guard entry.grant.gatedAction == gatedAction, entry.grant.details.utf8.elementsEqual(details.utf8) else {
            return .noGrant
        }
        entries[id] = nil
        return .taken(entry.grant, requester: entry.requester)
    }

    /// A connection has ended, and its grants with it.
    mutating func requesterLost(_ peer: Peer) {
        entries = entries.filter { $0.value.requester.connection != peer.connection }
    }

    /// Time has come to `now`.
    mutating func deadlineReached(_ now: BootTime) {
        entries = entries.filter { now < $0.value.grant.deadline }
    }
}
