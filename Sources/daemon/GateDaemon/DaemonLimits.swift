import GateModel
import GateProtocol
public import TTRPC

/// Every limit of the daemon, in one place. Past one of them the peer that went past it hears `RESOURCE_EXHAUSTED`, and
/// nobody else notices. What is counted is billed to the uid that the kernel attests.
public struct DaemonLimits: Hashable, Sendable {
    /// Connections of all peers together.
    public var connections = 4096
    /// Connections that are kept for administrators, so that there is always a way in.
    public var connectionsKeptForAdministrators = 64
    /// Connections of one owner.
    public var connectionsPerUser = 1024
    /// Watch, audit and presenter streams of one connection.
    public var watchesPerConnection = 16
    /// The same of one owner that is no administrator's: a change is told to all of them before anybody is answered.
    public var watchesPerUser = 1024
    /// The limits of one connection: what it may have open, and how large its frames may be. The largest request of an
    /// app is a password; half a frame is kept for as long as its sender likes, so that a user's thousand connections
    /// may hold 64 MiB.
    public var connection = ConnectionLimits(maximumRequestBytes: 64 << 10, maximumQueuedBytes: 8 << 20)
    /// How large the requests of providers and administrators may be: customer info, with its headers.
    public var requestBytesOfProviders = (1 << 20) + (128 << 10)
    /// How large the requests of what carries the household's words may be: the list of 10,000 devices.
    public var requestBytesOfHousehold = (3 << 20) + (64 << 10)
    /// How long bytes may wait for a peer that does not read them, before its connection is closed.
    public var writeDeadline = Duration.seconds(30)
    /// The same at the end of a connection: an orderly stop must not hang on a peer that never reads.
    public var closingDeadline = Duration.seconds(2)
    /// The most that `Control/Ping` gives back.
    public var echoBytes = 1024
    /// Journal entries read from the store at a time, for one audit stream.
    public var auditPageEntries = 256
    /// Journal entries that the store keeps.
    public var journalEntries = 50_000
    /// Elements of one answer that is a list.
    public var pageSize = 500
    /// Fields of the elements of such an answer whose texts are in several languages: a message has at most 4,096.
    public var pageFields = 3500
    /// Passcodes and passwords that are hashed at the same time, each on a thread of its own, with 16 MiB.
    public var passwordsAtOnce = 2
    /// Passcodes and passwords that wait to be hashed. What is past that can't be checked; the question stays open for
    /// another try.
    public var passwordsWaiting = 32
    /// The share of one user who is no administrator.
    public var passwordsPerUser = 4
    /// Receipts that are verified at the same time.
    public var verificationsAtOnce = 2
    /// Receipts that wait to be verified; each may have as many bytes as a request.
    public var verificationsWaiting = 30
    /// The share of one user who is no administrator.
    public var verificationsPerUser = 8
    /// Data that StoreKit signed.
    public var signedDataBytes = 256 << 10
    /// The body of RevenueCat's customer info.
    public var customerInfoBytes = 1 << 20
    /// Commands that wait for the disk, of everybody; of those, the ones kept for administrators; those of one other user.
    public var commandsWaiting = 1024
    public var commandsKeptForAdministrators = 64
    public var commandsWaitingPerUser = 256
    /// Rows that commands which wait for the disk write: of one user, and of all. Anyone who is past it waits; a
    /// command may go past it.
    public var rowsWaitingPerUser = 4096
    public var rowsWaiting = 32_768
    /// Commands that are told and answered in one go; peers are read from before the next ones are.
    public var settledAtOnce = 64
    /// Connections whose watchers are told of a change in one go, if that takes no longer than a slice; others are served before the
    /// next ones are told.
    public var toldAtOnce = 512
    /// Forms that wait to be read, checked or written, of everybody, and of one user.
    public var formsWaiting = 512
    public var formsWaitingPerUser = 64
    /// Bytes of JSON that are read or written on the event loop: what is larger takes too long there.
    public var quickFormBytes = 4 << 10
    /// Pieces of documents that wait to be read from the store, for everybody, and for one user.
    public var downloadsWaiting = 512
    public var downloadsWaitingPerUser = 64
    /// A piece of a document, on its way in or out.
    public var documentPieceBytes = UploadRequest.maximumPieceByteCount
    /// Documents of one connection that no answer names yet.
    public var documentsPerConnection = 16
    /// Their bytes: of one user, and of all.
    public var documentBytesPerUser = 8 << 20
    public var documentBytes = 32 << 20
    /// A piece of a backup, on its way in or out.
    public var backupPieceBytes = RestoreRequest.maximumPieceByteCount
    /// A backup that is brought back: more than a full store has.
    public var backupBytes = 2 << 30
    /// How long a backup may lie unread, or half brought, before another one may take its place.
    public var backupIdleTime = Duration.seconds(60)
    /// How a program names itself, in bytes of UTF-8; the rest is cut off.
    public var programNameBytes = RequestWords.maximumProgramByteCount
    /// How long to wait after a commit has failed before the core is told again of who has gone meanwhile.
    public var reconcileInterval = Duration.seconds(1)

    public init() {}

    /// How large the requests of a peer may be, in bytes.
    func requestBytes(of roles: Roles) -> Int {
        var bytes = connection.maximumRequestBytes
        if !roles.isDisjoint(with: [.provider, .administrator]) { bytes = max(bytes, requestBytesOfProviders) }
        if !roles.isDisjoint(with: [.household, .administrator]) { bytes = max(bytes, requestBytesOfHousehold) }
        return bytes
    }
}
