import GateCore
import GateModel
import GateProtocol
import Logging
import NIOCore
import TTRPC
import TTRPCTransport

/// One listening socket, as the transport sees it. Hands everything to the authority, on whose event loop it is called.
final class PeerService: TTRPCService {
    private let authority: Authority
    private let identify: @Sendable (PeerCredentials) -> PeerIdentity

    init(authority: Authority, identify: @escaping @Sendable (PeerCredentials) -> PeerIdentity) {
        self.authority = authority
        self.identify = identify
    }

    func methodKind(service: String, method: String) -> MethodKind? {
        ServiceCatalog.find(service: service, method: method).map { $0.isServerStream ? .serverStream : .unary }
    }

    func account(of credentials: PeerCredentials) -> EventLoopFuture<BillingAccount>? {
        let identity = identify(credentials)
        let uid = identity.credentials.uid
        let isLookedUp = identity.givenOwner == nil
        let owner = isLookedUp ? authority.assumeIsolated { $0.owners?.owner(of: uid) } : nil
        return owner?.map { BillingAccount(number: $0.number) }
            ?? authority.eventLoop.makeSucceededFuture(
                BillingAccount(number: (identity.givenOwner ?? .user(uid)).number))
    }

    func connectionOpened(_ connection: TTRPCServerConnection) -> Status? {
        authority.assumeIsolated { $0.connectionOpened(connection, identity: identify(connection.credentials)) }
    }

    func requestReceived(_ request: IncomingRequest, on connection: TTRPCServerConnection) {
        authority.assumeIsolated { $0.requestReceived(request, on: connection) }
    }

    func streamEnded(_ streamID: UInt32, on connection: TTRPCServerConnection) {
        authority.assumeIsolated { $0.streamEnded(streamID, on: connection) }
    }

    func connectionDrained(_ connection: TTRPCServerConnection) {
        authority.assumeIsolated { $0.connectionDrained(connection) }
    }

    func connectionClosed(_ connection: TTRPCServerConnection) {
        authority.assumeIsolated { $0.connectionClosed(connection) }
    }
}

extension Authority {
    /// Admits a peer, or says why not.
    func connectionOpened(_ connection: TTRPCServerConnection, identity: PeerIdentity) -> Status? {
        let (uid, owner) = (identity.credentials.uid, Owner(stored: connection.account.number))
        let ofOwner = connectionsOfOwner[owner, default: 0]
        if isStopping { return GateError.stopping.status }
        let roles = identity.roles(by: inForce.roles)
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
        sessions[ObjectIdentifier(connection)] = PeerSession(
            connection: connection, identity: identity,
            peer: Peer(
                connection: lastConnection, uid: uid, owner: owner, pid: identity.credentials.pid,
                roles: roles))
        return nil
    }

    private func refuse(_ uid: UInt32, _ what: String, limit: Int, _ message: String) -> Status {
        statistics.refused += 1
        if statistics.refused.isPowerOfTwo {
            logger.warning("connection refused", metadata: ["uid": "\(uid)", "refused": "\(statistics.refused)"])
        }
        return GateError(
            .resourceExhausted, .limit, message, parameters: ["what": what, "maximum": "\(limit)"]
        ).status
    }

    func requestReceived(_ request: IncomingRequest, on connection: TTRPCServerConnection) {
        guard let session = sessions[ObjectIdentifier(connection)] else { return }
        statistics.calls += 1
        session.programNamed(request.metadata, byteLimit: limits.programNameBytes)
        session.openCalls[request.streamID] = statistics.calls
        Router.shared.route(statistics.calls, request, of: session, to: self)
    }

    /// Late and harmless: a stream that has ended by itself meanwhile.
    func streamEnded(_ streamID: UInt32, on connection: TTRPCServerConnection) {
        guard let session = sessions[ObjectIdentifier(connection)] else { return }
        forget(streamID, of: session)
    }

    func connectionDrained(_ connection: TTRPCServerConnection) {
        guard let session = sessions[ObjectIdentifier(connection)] else { return }
        for (stream, kind) in session.streams {
            let key = StreamKey(connection: session.peer.connection, stream: stream)
            switch kind {
            case .watch: watches.drained(key, state: durable)
            case .audit: auditDrained(key)
            case .presenter: presenters.drained(key, state: durable)
            }
        }
    }

    func connectionClosed(_ connection: TTRPCServerConnection) {
        guard let session = sessions.removeValue(forKey: ObjectIdentifier(connection)) else { return }
        for stream in Array(session.streams.keys) { forget(stream, of: session) }
        forgetBackups(of: session.peer.connection)
        if let reason = connection.closeReason, !isStopping {
            statistics.closes.closed(reason, of: session.peer, at: clock.bootTime(), logger)
        }
        let owner = session.peer.owner
        connectionsOfOwner[owner] = connectionsOfOwner[owner].flatMap { $0 > 1 ? $0 - 1 : nil }
        reportDeparture(of: session.peer, hasUnsettledCommands: session.unsettledCommands > 0)
    }

    func forget(_ streamID: UInt32, of session: PeerSession) {
        session.openCalls[streamID] = nil
        let key = StreamKey(connection: session.peer.connection, stream: streamID)
        let wait = waitingCalls.callEnded(key)
        var wasPresenter = false
        let stream = session.streams.removeValue(forKey: streamID)
        if stream != nil {
            let owner = session.peer.owner
            streamsOfOwner[owner] = streamsOfOwner[owner].flatMap { $0 > 1 ? $0 - 1 : nil }
        }
        switch stream {
        case .watch: watches.remove(key)
        case .audit: audits.remove(key)
        case .presenter: wasPresenter = presenters.remove(key) != nil
        case nil: break
        }
        // What a connection takes with it goes with its departure, and all of it with the daemon.
        guard session.connection.closeReason == nil, !isStopping else { return }
        if let wait { report(.callEnded(wait), as: session.peer) }
        if wasPresenter { report(.unregister, as: session.peer) }
    }

    /// Ends a stream, or a call that waits for its answer, with an error.
    func end(_ streamID: UInt32, of session: PeerSession, _ error: GateError) {
        forget(streamID, of: session)
        session.connection.fail(streamID, error.status)
    }

    /// Ends streams of all peers.
    func endStreams(_ error: GateError, where isConcerned: (PeerSession, PeerSession.Stream) -> Bool) {
        for session in sessions.values {
            for (stream, kind) in session.streams where isConcerned(session, kind) { end(stream, of: session, error) }
        }
    }

    /// Makes room for one more stream of this peer, or says why there is none.
    func addStream(_ streamID: UInt32, _ kind: PeerSession.Stream, of session: PeerSession) -> GateError? {
        guard !isStopping else { return .stopping }
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

    private func refusal(_ what: String, limit: Int, _ message: String) -> GateError {
        statistics.refused += 1
        return GateError(
            .resourceExhausted, .limit, message, parameters: ["what": what, "maximum": "\(limit)"])
    }
}

extension UInt64 {
    /// For messages that would otherwise flood the log.
    var isPowerOfTwo: Bool { nonzeroBitCount == 1 }
}
