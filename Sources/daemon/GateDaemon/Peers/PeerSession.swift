package import GateModel
import GateProtocol
import TTRPC
public import TTRPCTransport

/// The identity of a connection's peer: what the kernel says of it, or, in tests, what its socket stands for.
public struct PeerIdentity: Hashable, Sendable {
    public var credentials: PeerCredentials
    /// Roles given by the socket rather than by the rules. Never set in `gated`.
    package var givenRoles: Roles?
    /// The owner by the socket rather than by this device's users. Never set in `gated`.
    package var givenOwner: Owner?

    package init(credentials: PeerCredentials, givenRoles: Roles? = nil, givenOwner: Owner? = nil) {
        self.credentials = credentials
        self.givenRoles = givenRoles
        self.givenOwner = givenOwner
    }

    func roles(by rules: RoleRules) -> Roles {
        givenRoles ?? rules.roles(of: credentials)
    }
}

/// One connected peer, for as long as its connection lasts. Used on the event loop alone, by the authority.
final class PeerSession {
    /// The purpose of a stream.
    enum Stream {
        case watch
        case audit
        case presenter
    }

    let connection: TTRPCServerConnection
    let identity: PeerIdentity
    var peer: Peer
    var streams: [UInt32: Stream] = [:]
    /// `nil`: none of them is a watch.
    var watches: ConnectionWatches?
    /// The documents that it has brought for answers that are still to come.
    var documents = UploadedDocuments()
    /// The name that the program last gave itself; with most calls it says the same again.
    private var programAsSent: String?
    /// The calls that are open, by stream id, each with the number of its request. A peer may end a call and use its id
    /// again while the answer is still on its way to the disk: ids repeat, numbers don't.
    var openCalls = StreamTable<UInt64>()
    /// Commands of its calls that are applied and not yet settled.
    var unsettledCommands = 0

    init(connection: TTRPCServerConnection, identity: PeerIdentity, peer: Peer) {
        self.connection = connection
        self.identity = identity
        self.peer = peer
    }

    /// A program says of itself what it is called, with each call or with some.
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
    /// The number of the request.
    let number: UInt64

    var key: StreamKey { StreamKey(connection: session.peer.connection, stream: stream) }

    /// Late and harmless: false where the call has ended before its answer, and its id may be another call's by now.
    var isWaiting: Bool { session.openCalls[stream] == number }
}

/// Names one stream of one connection.
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
        .unavailable, .storeFailed, "The end of a lease or of a question can't be recorded. Take the mode to be child.")

    static let noLongerAdministrator = GateError(
        .permissionDenied, .notPermitted, "This user is no administrator any more.",
        parameters: ["what": "administrator"])

    static func storeFailed(_ error: any Error) -> GateError {
        GateError(
            .unavailable, .storeFailed,
            "The state can't be written: \(error).")
    }

    /// As it travels.
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
    /// The daemon itself: what comes due, and what happens to connections.
    static let daemon = Peer(connection: 0, uid: 0, pid: 0, roles: [.app, .administrator])
}
