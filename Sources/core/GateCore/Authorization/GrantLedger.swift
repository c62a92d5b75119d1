import GateModel

/// Single-use grants that are not used yet. Each is taken once, by the peer it is for, for exactly what was granted.
///
/// Grants are not stored: a grant ends with the requester's connection, at its deadline, or with the daemon. Kept
/// grants (`keep` in the policy) are in `DurableRecords.keptGrants`.
///
/// No event searches all grants. Ids and deadlines grow together, so the oldest grant is also the next to expire, and
/// the grants of each connection and owner are indexed.
struct GrantLedger: Hashable, Sendable {
    private struct Entry: Hashable, Sendable {
        let grant: Grant
        let requester: Peer
        /// The user that may take the grant; `nil`: only the requester, over the same connection.
        let redeemer: UInt32?
    }

    private var entries: [UInt64: Entry] = [:]
    private var idsByConnection: [UInt64: Set<UInt64>] = [:]
    private var idsByOwner: [Owner: Set<UInt64>] = [:]
    private var lastID: UInt64 = 0
    /// No grant with a smaller id is unused. If there are unused grants, this is the id of the first of them.
    private var firstID: UInt64 = 1
    /// The deadline of the newest grant, which may be used or expired by now.
    private var lastDeadline: BootTime?

    var nextDeadline: BootTime? { entries[firstID]?.grant.deadline }

    var connections: Set<UInt64> { Set(idsByConnection.keys) }

    /// How many unused grants this peer's owner has over this connection.
    func unusedCount(of peer: Peer) -> Int {
        ids(of: peer).count
    }

    func unusedCount(of owner: Owner) -> Int {
        idsByOwner[owner]?.count ?? 0
    }

    func firstDeadline(of peer: Peer) -> BootTime? {
        ids(of: peer).min().flatMap { entries[$0]?.grant.deadline }
    }

    /// Filters the owner's few grants, because a broker's connection carries the grants of many owners.
    private func ids(of peer: Peer) -> [UInt64] {
        idsByOwner[peer.owner, default: []].filter { entries[$0]?.requester.connection == peer.connection }
    }

    func firstDeadline(of owner: Owner) -> BootTime? {
        idsByOwner[owner]?.min().flatMap { entries[$0]?.grant.deadline }
    }

    mutating func granted(
        _ request: AuthorizationRequest, to requester: Peer, at now: BootTime,
        using random: inout some RandomNumberGenerator
    ) -> Grant {
        lastID += 1
        // Overdue events are settled as of their own moments, so `now` may be earlier than at the previous grant.
        let deadline = max(now.advanced(by: Limits.grantTime), lastDeadline ?? now)
        lastDeadline = deadline
        let grant = Grant(
            id: lastID, proof: Grant.Proof(grant: lastID, using: &random), gatedAction: request.gatedAction,
            details: request.details, deadline: deadline)
        entries[lastID] = Entry(grant: grant, requester: requester, redeemer: request.redeemer)
        idsByConnection[requester.connection, default: []].insert(lastID)
        idsByOwner[requester.owner, default: []].insert(lastID)
        skipUsed()
        return grant
    }

    /// The peer that this grant was given to; `nil` if the grant is used or has expired.
    func requester(of grant: Grant) -> Peer? { entries[grant.id]?.requester }

    /// A backup was restored: all grants are dropped.
    mutating func lostAll() {
        (entries, idsByConnection, idsByOwner) = ([:], [:], [:])
        firstID = lastID + 1
    }

    enum RedemptionResult: Hashable {
        case taken(Grant, requester: Peer)
        /// The proof is made up, used or expired, its requester is gone, or it is for another action or other details.
        case noGrant
        /// The grant exists, but another peer must take it. It stays.
        case notPermitted
    }

    mutating func redeemed(
        _ proof: Grant.Proof, gatedAction: String, details: String, by peer: Peer, at now: BootTime
    ) -> RedemptionResult {
        guard let id = proof.grantID, let entry = entries[id], entry.grant.proof.matches(proof),
            now < entry.grant.deadline
        else { return .noGrant }
        let isRedeemer = entry.redeemer.map { $0 == peer.uid } ?? (entry.requester.connection == peer.connection)
        guard isRedeemer else { return .notPermitted }
        guard entry.grant.gatedAction == gatedAction, entry.grant.details.hasBytes(of: details) else {
            return .noGrant
        }
        remove(id)
        return .taken(entry.grant, requester: entry.requester)
    }

    mutating func requesterLost(_ peer: Peer) {
        for id in idsByConnection[peer.connection] ?? [] {
            remove(id)
        }
    }

    mutating func deadlineReached(_ now: BootTime) {
        while let deadline = nextDeadline, deadline <= now {
            remove(firstID)
        }
    }

    private mutating func remove(_ id: UInt64) {
        guard let requester = entries.removeValue(forKey: id)?.requester else { return }
        idsByConnection[requester.connection]?.remove(id)
        if idsByConnection[requester.connection]?.isEmpty ?? false {
            idsByConnection[requester.connection] = nil
        }
        idsByOwner[requester.owner]?.remove(id)
        if idsByOwner[requester.owner]?.isEmpty ?? false {
            idsByOwner[requester.owner] = nil
        }
        skipUsed()
    }

    /// Moves `firstID` on. Each id is skipped once in the life of the ledger, so this is cheap on average.
    private mutating func skipUsed() {
        while firstID <= lastID, entries[firstID] == nil {
            firstID += 1
        }
    }
}
