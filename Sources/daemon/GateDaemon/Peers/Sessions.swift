import GateCore
import GateModel
import Logging
import TTRPC
import TTRPCTransport

/// The connected peers and their streams, with the counts of both for each owner.
///
/// Confined to the event loop.
final class Sessions {
    private let context: LoopContext
    let pipeline: CommandPipeline
    private let publisher: Publisher
    /// Called with the number of each connection that is closed.
    var connectionClosed: [(UInt64) -> Void] = []

    var sessions: [ObjectIdentifier: PeerSession] = [:]
    private(set) var connectionsOfOwner: [Owner: Int] = [:]
    private var streamsOfOwner: [Owner: Int] = [:]
    private var lastConnection: UInt64 = 0
    private var roleRules: RoleRules

    init(_ pipeline: CommandPipeline, roleRules: RoleRules) {
        context = pipeline.context
        publisher = pipeline.publisher
        self.pipeline = pipeline
        self.roleRules = roleRules
    }

    // MARK: Connections

    /// Admits a peer; if it is refused, returns why.
    func opened(_ connection: TTRPCServerConnection, identity: PeerIdentity) -> Status? {
        let limits = context.limits
        let (uid, owner) = (identity.credentials.uid, Owner(stored: connection.account.number))
        let ofOwner = connectionsOfOwner[owner, default: 0]
        if context.isStopping { return GateError.stopping.status }
        let roles = identity.roles(by: roleRules, pipeline.durable)
        let kept = roles.contains(.administrator) ? 0 : limits.connectionsKeptForAdministrators
        if sessions.count >= limits.connections - kept {
            return refuse(
                uid, "connections-of-device", limit: limits.connections,
                "All \(limits.connections) connections of gated are in use. Try again later.")
        }
        if ofOwner >= limits.connectionsPerUser {
            return refuse(
                uid, "connections", limit: limits.connectionsPerUser,
                "All \(limits.connectionsPerUser) connections of \(owner.text) are in use. Close some.")
        }
        connection.maximumRequestBytes = limits.requestBytes(of: roles)
        lastConnection += 1
        connectionsOfOwner[owner] = ofOwner + 1
        let session = PeerSession(
            connection: connection, identity: identity,
            peer: Peer(
                connection: lastConnection, uid: uid, owner: owner, pid: identity.credentials.pid,
                roles: roles))
        sessions[ObjectIdentifier(connection)] = session
        connection.companion = session
        return nil
    }

    private func refuse(_ uid: UInt32, _ what: String, limit: Int, _ message: String) -> Status {
        let refusal = refusal(what, limit: limit, message)
        let count = context.statistics.refused
        if count.isPowerOfTwo {
            context.logger.warning("connection refused", metadata: ["uid": "\(uid)", "refused": "\(count)"])
        }
        return refusal.status
    }

    private func refusal(_ what: String, limit: Int, _ message: String) -> GateError {
        context.refused(
            GateError(.resourceExhausted, .limit, message, parameters: ["what": what, "maximum": "\(limit)"]))
    }

    /// - Returns: `nil` if the connection was refused.
    func session(of connection: TTRPCServerConnection) -> PeerSession? {
        // Only `opened` sets a connection's companion, and it is a `PeerSession`.
        connection.companion.map { unsafeDowncast($0, to: PeerSession.self) }
    }

    /// A peer that was too slow has read everything that was queued for it.
    func drained(_ connection: TTRPCServerConnection) {
        guard let session = session(of: connection) else { return }
        for (stream, kind) in session.streams {
            let key = StreamKey(connection: session.peer.connection, stream: stream)
            switch kind {
            case .watch: publisher.watches.drained(stream, of: session, state: pipeline.durable)
            case .audit: publisher.audits.drained(key, in: self)
            case .presenter: publisher.presenters.drained(key, state: pipeline.durable)
            }
        }
    }

    func closed(_ connection: TTRPCServerConnection) {
        guard let session = sessions.removeValue(forKey: ObjectIdentifier(connection)) else { return }
        connection.companion = nil
        for stream in Array(session.streams.keys) { forget(stream, of: session) }
        for tell in connectionClosed { tell(session.peer.connection) }
        if let reason = connection.closeReason, !context.isStopping {
            context.statistics.closes.closed(
                reason, of: session.peer, at: context.clock.bootTime(), context.logger)
        }
        let owner = session.peer.owner
        connectionsOfOwner[owner] = connectionsOfOwner[owner].flatMap { $0 > 1 ? $0 - 1 : nil }
        pipeline.reconciliation.peerDeparted(
            session.peer, hasUnsettledCommands: session.unsettledCommands > 0, by: pipeline)
    }

    // MARK: Streams and calls

    /// Counts one more stream of this peer; if there are too many, returns why it is refused.
    func addStream(_ streamID: UInt32, _ kind: PeerSession.Stream, of session: PeerSession) -> GateError? {
        let limits = context.limits
        guard !context.isStopping else { return .stopping }
        guard session.streams.count < limits.watchesPerConnection else {
            return refusal(
                "streams-of-connection", limit: limits.watchesPerConnection,
                "This connection has \(limits.watchesPerConnection) streams already. End one first.")
        }
        let owner = session.peer.owner
        let ofOwner = streamsOfOwner[owner, default: 0]
        guard session.peer.roles.contains(.administrator) || ofOwner < limits.watchesPerUser else {
            return refusal(
                "streams", limit: limits.watchesPerUser,
                "All \(limits.watchesPerUser) streams of \(owner.text) are in use. End one first.")
        }
        streamsOfOwner[owner] = ofOwner + 1
        session.streams[streamID] = kind
        return nil
    }

    /// The peer has ended a stream. Has no effect if the stream has already ended.
    func streamEnded(_ streamID: UInt32, on connection: TTRPCServerConnection) {
        guard let session = session(of: connection) else { return }
        forget(streamID, of: session)
    }

    /// Ends a stream, or a call that waits for its answer, with an error.
    func end(_ streamID: UInt32, of session: PeerSession, _ error: GateError) {
        forget(streamID, of: session)
        session.connection.fail(streamID, error.status)
    }

    /// Ends the streams of all peers for which `isConcerned` is true.
    func endStreams(_ error: GateError, where isConcerned: (PeerSession, PeerSession.Stream) -> Bool) {
        for session in sessions.values {
            for (stream, kind) in session.streams where isConcerned(session, kind) { end(stream, of: session, error) }
        }
    }

    /// Removes a stream or a call that has ended.
    func forget(_ streamID: UInt32, of session: PeerSession) {
        session.openCalls[streamID] = nil
        let key = StreamKey(connection: session.peer.connection, stream: streamID)
        let wait = pipeline.waitingCalls.callEnded(key)
        var wasPresenter = false
        let stream = session.streams.removeValue(forKey: streamID)
        if stream != nil {
            let owner = session.peer.owner
            streamsOfOwner[owner] = streamsOfOwner[owner].flatMap { $0 > 1 ? $0 - 1 : nil }
        }
        switch stream {
        case .watch: publisher.watches.remove(streamID, of: session)
        case .audit: publisher.audits.remove(key)
        case .presenter: wasPresenter = publisher.presenters.remove(key)
        case nil: break
        }
        // When a connection closes, `peerDisconnected` tells the core all of this. When the daemon stops, nothing has
        // to.
        guard session.connection.closeReason == nil, !context.isStopping else { return }
        if let wait { pipeline.report(.daemon(.callEnded(wait)), as: session.peer) }
        if wasPresenter { pipeline.report(.presentations(.unregister), as: session.peer) }
    }

    // MARK: Roles

    func adopt(_ rules: RoleRules) {
        roleRules = rules
        giveRoles()
    }

    /// Somebody became a grown-up, or a user became somebody's.
    func peopleChanged() { giveRoles() }

    /// Gives each peer the roles that it has now, and ends the streams that it may no longer have.
    private func giveRoles() {
        var changed: Set<UInt64> = []
        for session in sessions.values {
            let roles = session.identity.roles(by: roleRules, pipeline.durable)
            guard session.peer.roles != roles else { continue }
            session.peer.roles = roles
            session.connection.maximumRequestBytes = context.limits.requestBytes(of: roles)
            changed.insert(session.peer.connection)
        }
        // It is never set to false here: another reload may become durable together with this one.
        if !changed.isEmpty { publisher.watches.haveRolesChanged = true }
        endStreams(.noLongerAdministrator) { session, kind in
            kind == .audit && !session.peer.roles.contains(.administrator)
        }
        endStreams(.noLongerPresenter) { session, kind in
            kind == .presenter && session.peer.roles.isDisjoint(with: [.presenter, .ownPresenter])
        }
        publisher.presenters.registerAgain(changed, in: self)
    }
}

extension UInt64 {
    /// Whether to log the nth of many equal messages: 1, 2, 4, 8 …
    var isPowerOfTwo: Bool { nonzeroBitCount == 1 }
}
