import GateCore
package import GateModel
import GateProtocol
import TTRPC
public import TTRPCTransport

/// Who the peer of a connection is, as the kernel reports it. In tests, the socket may say so instead.
public struct PeerIdentity: Hashable, Sendable {
    public var credentials: PeerCredentials
    /// Roles that the socket gives instead of the rules. Always `nil` in `gated`.
    package var givenRoles: Roles?
    /// The owner that the socket gives instead of this device's users. Always `nil` in `gated`.
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
    }

    let connection: TTRPCServerConnection
    let identity: PeerIdentity
    var peer: Peer
    var streams: [UInt32: Stream] = [:]
    /// `nil` if the connection watches nothing.
    var watches: ConnectionWatches?
    /// The documents that it has uploaded for answers that are still to come.
    var documents = UploadedDocuments()
    /// The program's name as it was last received. Most calls repeat it.
    private var programAsSent: String?
    /// The open calls, by stream id, each with the number of its request. A peer may end a call and reuse its stream id
    /// while the answer is still on its way to the disk; the number is never reused.
    var openCalls = StreamTable<UInt64>()
    /// How many commands of its calls are applied and not yet settled.
    var unsettledCommands = 0

    init(connection: TTRPCServerConnection, identity: PeerIdentity, peer: Peer) {
        self.connection = connection
        self.identity = identity
        self.peer = peer
    }

    /// Takes the name that the program gives itself in the metadata of a call.
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
    /// The number of the request since the daemon started.
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

    /// The status that is sent to the peer.
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
