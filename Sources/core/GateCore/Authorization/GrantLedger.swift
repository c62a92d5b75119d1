import GateModel

/// Single-use grants that are not used yet (F-18): each is taken once, by whom it is for, for exactly what was granted.
///
/// They are not stored: a grant dies with the requester's connection, at its deadline, or with the daemon. What a user
/// is not asked again for (`keep`) is in `DurableRecords.keptGrants`.
///
/// No event looks at grants that it is not about: ids and deadlines grow together, so the oldest grant is also the next
/// to run out, and what belongs to a connection or to an owner is known without counting.
struct GrantLedger: Hashable, Sendable {
    private struct Entry: Hashable, Sendable {
        let grant: Grant
        let requester: Peer
        /// The user that takes it; `nil`: the requester, over the same connection.
        let redeemer: UInt32?
    }

    /// The entries by id.
    private var entries: [UInt64: Entry] = [:]
    /// The ids of each connection that has any.
    private var idsByConnection: [UInt64: Set<UInt64>] = [:]
    /// The ids of each owner that has any.
    private var idsByOwner: [Owner: Set<UInt64>] = [:]
    private var lastID: UInt64 = 0
    /// No id below it is unused. Where anything is unused, this is.
    private var firstID: UInt64 = 1
    /// The deadline of the newest grant there ever was.
    private var lastDeadline: BootTime?

    var nextDeadline: BootTime? { entries[firstID]?.grant.deadline }

    var connections: Set<UInt64> { Set(idsByConnection.keys) }

    /// How many this peer's owner has not used yet, over this connection.
    func unusedCount(of peer: Peer) -> Int {
        ids(of: peer).count
    }

    /// How many this owner has not used yet, over all its connections.
    func unusedCount(of owner: Owner) -> Int {
        idsByOwner[owner]?.count ?? 0
    }

    /// When the first of those that this peer's owner has over this connection runs out; `nil`: it has none.
    func firstDeadline(of peer: Peer) -> BootTime? {
        ids(of: peer).min().flatMap { entries[$0]?.grant.deadline }
    }

    /// Over a broker's connection come those of many owners; each has few.
    private func ids(of peer: Peer) -> [UInt64] {
        idsByOwner[peer.owner, default: []].filter { entries[$0]?.requester.connection == peer.connection }
    }

    /// When the first of this owner's runs out; `nil`: it has none.
    func firstDeadline(of owner: Owner) -> BootTime? {
        idsByOwner[owner]?.min().flatMap { entries[$0]?.grant.deadline }
    }

    /// The request is granted. Draws the proof.
    mutating func granted(
        _ request: AuthorizationRequest, to requester: Peer, at now: BootTime,
        using random: inout some RandomNumberGenerator
    ) -> Grant {
        lastID += 1
        // What came due late is settled as of its own moment, which may lie before that of the grant before.
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

    /// The peer that this grant was given to; `nil`: it is used, or has run out.
    func requester(of grant: Grant) -> Peer? { entries[grant.id]?.requester }

    /// A backup was restored: none of them is good any more.
    mutating func lostAll() {
        (entries, idsByConnection, idsByOwner) = ([:], [:], [:])
        firstID = lastID + 1
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
        remove(id)
        return .taken(entry.grant, requester: entry.requester)
    }

    /// A connection has ended, and its grants with it.
    mutating func requesterLost(_ peer: Peer) {
        for id in idsByConnection[peer.connection] ?? [] {
            remove(id)
        }
    }

    /// Time has come to `now`.
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

    /// Each id is skipped once in the life of the ledger.
    private mutating func skipUsed() {
        while firstID <= lastID, entries[firstID] == nil {
            firstID += 1
        }
    }
}
