import GateCore
package import GateModel
import GateProtocol
import Logging
import TTRPC
public import TTRPCTransport

/// The connected peers and their streams, with the counts of both for each owner. Confined to the event loop.
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
            case .use: publisher.uses.drained(key, state: pipeline.durable)
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

    func end(_ streamID: UInt32, of session: PeerSession, _ error: GateError) {
        forget(streamID, of: session)
        session.connection.fail(streamID, error.status)
    }

    func endStreams(_ error: GateError, where isConcerned: (PeerSession, PeerSession.Stream) -> Bool) {
        for session in sessions.values {
            for (stream, kind) in session.streams where isConcerned(session, kind) { end(stream, of: session, error) }
        }
    }

    func forget(_ streamID: UInt32, of session: PeerSession) {
        session.openCalls[streamID] = nil
        let key = StreamKey(connection: session.peer.connection, stream: streamID)
        let wait = pipeline.waitingCalls.callEnded(key)
        var (wasPresenter, endedUse): (Bool, UInt64?) = (false, nil)
        let stream = session.streams.removeValue(forKey: streamID)
        if stream != nil {
            let owner = session.peer.owner
            streamsOfOwner[owner] = streamsOfOwner[owner].flatMap { $0 > 1 ? $0 - 1 : nil }
        }
        switch stream {
        case .watch: publisher.watches.remove(streamID, of: session)
        case .audit: publisher.audits.remove(key)
        case .presenter: wasPresenter = publisher.presenters.remove(key)
        case .use: endedUse = publisher.uses.remove(key)
        case nil: break
        }
        // `peerDisconnected` tells the core all this when a connection closes. When the daemon stops, nothing has to.
        guard session.connection.closeReason == nil, !context.isStopping else { return }
        if let wait { pipeline.report(.daemon(.callEnded(wait)), as: session.peer) }
        if wasPresenter { pipeline.report(.presentations(.unregister), as: session.peer) }
        if let endedUse { pipeline.report(.usage(.end(endedUse)), as: session.peer) }
    }

    // MARK: Roles

    func adopt(_ rules: RoleRules) {
        roleRules = rules
        giveRoles()
    }

    /// Gives the roles again, because the list of people has changed, or which of its users are recognized.
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

/// Who the peer of a connection is, as the kernel reports it. In tests, the socket may say so instead.
public struct PeerIdentity: Hashable, Sendable {
    public var credentials: PeerCredentials
    /// The roles and the owner that a test's socket gives its peers, in place of those by the rules and by this
    /// device's users. Always `nil` in `gated`.
    package var givenRoles: Roles?
    package var givenOwner: Owner?

    package init(credentials: PeerCredentials, givenRoles: Roles? = nil, givenOwner: Owner? = nil) {
        self.credentials = credentials
        self.givenRoles = givenRoles
        self.givenOwner = givenOwner
    }

    func roles(by rules: RoleRules, _ people: GateState) -> Roles {
        givenRoles ?? rules.roles(of: credentials, people.kind(ofUser: credentials.uid))
    }
}

/// One connected peer, for as long as its connection lasts. Used only by the authority, on its event loop.
final class PeerSession {
    enum Stream {
        case watch
        case audit
        case presenter
        case use
    }

    let connection: TTRPCServerConnection
    let identity: PeerIdentity
    var peer: Peer
    var streams: [UInt32: Stream] = [:]
    /// `nil` if the connection watches nothing.
    var watches: ConnectionWatches?
    var documents = UploadedDocuments()
    /// The program's name as it was last received. Most calls repeat it.
    private var programAsSent: String?
    /// The open calls, by stream id, each with the number of its request. A peer may end a call and reuse its stream id
    /// while the answer is still on its way to the disk; the number is never reused.
    var openCalls = StreamTable<UInt64>()
    var unsettledCommands = 0

    init(connection: TTRPCServerConnection, identity: PeerIdentity, peer: Peer) {
        self.connection = connection
        self.identity = identity
        self.peer = peer
    }

    func programNamed(_ metadata: [Metadata], byteLimit: Int) {
        guard let name = metadata.first(where: { $0.key == ProgramName.metadataKey })?.value, name != programAsSent
        else { return }
        programAsSent = name
        peer.program = ProgramName.cleaned(name, byteLimit: byteLimit)
    }
}

/// One call of a peer that waits for its answer.
struct Caller {
    let session: PeerSession
    let stream: UInt32
    let number: UInt64

    var key: StreamKey { StreamKey(connection: session.peer.connection, stream: stream) }

    /// Whether the call can still be answered: false if it has ended. Its stream id may belong to another call by now.
    var isWaiting: Bool { session.openCalls[stream] == number }
}

struct StreamKey: Hashable {
    let connection: UInt64
    let stream: UInt32
}

extension GateError {
    static let stopping = GateError(
        .unavailable, .stopping, "gated is stopping. Try again when it is back.")

    static let tooManyWaitForDisk = GateError(
        .resourceExhausted, .limit, "Too many commands wait for the disk. Try again when it has answered.",
        parameters: ["what": "commands-waiting"])

    static let recordingHangs = GateError(
        .unavailable, .storeFailed,
        "gated can't record that a lease or a question has ended. Treat the mode as child, and look at gated's log.")

    static let noLongerAdministrator = GateError(
        .permissionDenied, .notPermitted, "This user is no longer an administrator.",
        parameters: ["what": "administrator"])

    static func storeFailed(_ error: any Error) -> GateError {
        GateError(
            .unavailable, .storeFailed,
            "The state can't be written: \(error).")
    }

    var status: Status {
        assert(
            parameters["what"].map(reason.subjects.contains) ?? true,
            "the parameter `what` of \(reason) is one of \(reason.subjects), and not that of: \(message)")
        assert(
            reason.parameterNames.allSatisfy { parameters[$0] != nil },
            "a refusal with the reason \(reason) names \(reason.parameterNames); this one does not: \(message)")
        return Status(
            StatusCode(rawValue: code.rawValue), message,
            details: [TypedValue(typeURL: Self.detailTypeURL, value: detailBytes)])
    }
}

extension Peer {
    /// The daemon itself, as the author of what follows from deadlines and from connections that end.
    static let daemon = Peer(connection: 0, uid: 0, pid: 0, roles: [.app, .administrator])
}
