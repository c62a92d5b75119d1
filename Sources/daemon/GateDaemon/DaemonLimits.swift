import GateModel
import GateProtocol
public import TTRPC

/// The limits of the daemon. A request that exceeds one is refused with `RESOURCE_EXHAUSTED`; other peers are not
/// affected. Use is billed to an owner, which follows from the uid that the kernel attests.
public struct DaemonLimits: Hashable, Sendable {
    /// The most connections of all peers together. Some are reserved, so that administrators can always connect.
    public var connections = 4096
    public var connectionsKeptForAdministrators = 64
    public var connectionsPerUser = 1024
    /// The most watch, audit and presenter streams of one connection.
    public var watchesPerConnection = 16
    /// The most streams of one owner who is not an administrator. Each change is sent to every stream.
    public var watchesPerUser = 1024
    /// The limits of one connection. The largest requests of ordinary apps are pieces of documents, and forms of their
    /// own. A sender can leave a frame half sent for as long as it likes; with 64 KiB, the 1,024 connections of a user
    /// hold at most 64 MiB.
    public var connection = ConnectionLimits(maximumRequestBytes: 64 << 10, maximumQueuedBytes: 8 << 20)
    /// The largest request of providers, in bytes: a customer info with its headers. Administrators may send the same.
    public var requestBytesOfProviders = (1 << 20) + (128 << 10)
    /// The largest request of the programs that carry the household's messages, and of administrators, in bytes: the
    /// list of 10,000 devices.
    public var requestBytesOfHousehold = (3 << 20) + (64 << 10)
    /// How long bytes may wait for a peer that does not read them, before its connection is closed.
    public var writeDeadline = Duration.seconds(30)
    /// How long a connection that is being closed waits for its peer to read the rest. It is short because an orderly
    /// stop must not hang on a peer that never reads.
    public var closingDeadline = Duration.seconds(2)
    /// The most bytes that `Control/Ping` returns.
    public var echoBytes = 1024
    /// How many journal entries are read from the store at a time, for one audit stream.
    public var auditPageEntries = 256
    /// How many journal entries the store keeps.
    public var journalEntries = 50_000
    public var pageSize = 500
    /// The most fields in one page whose elements have texts in several languages. A message may have 4,096 fields.
    public var pageFields = 3500
    /// How many passcodes and passwords are hashed at the same time, each on its own thread and with 16 MiB.
    public var passwordsAtOnce = 2
    /// How many passcodes and passwords may wait to be hashed. Beyond that the check fails; the question stays open.
    public var passwordsWaiting = 32
    /// How many passcodes and passwords of one user who is not an administrator may be hashed or wait.
    public var passwordsPerUser = 4
    /// How many receipts are verified at the same time; how many may wait, each as large as a request; and how many of
    /// one user who is not an administrator may be verified or wait.
    public var verificationsAtOnce = 2
    public var verificationsWaiting = 30
    public var verificationsPerUser = 8
    /// The largest signed data of StoreKit, and the largest body of RevenueCat's customer info.
    public var signedDataBytes = 256 << 10
    public var customerInfoBytes = 1 << 20
    /// How many commands may wait for the disk: in all; how many of those are reserved for administrators; and of one
    /// user who is not an administrator.
    public var commandsWaiting = 1024
    public var commandsKeptForAdministrators = 64
    public var commandsWaitingPerUser = 256
    /// How many rows the waiting commands may write: those of one user who is not an administrator, and all together.
    /// The command that crosses the limit is taken. Further ones are refused, unless they are an administrator's.
    public var rowsWaitingPerUser = 4096
    public var rowsWaiting = 32_768
    /// How many commands are published and answered, and how many connections are sent a change, before the event loop
    /// reads from its sockets again. Fewer connections get the change if a time slice is over (`WatchHub`).
    public var settledAtOnce = 64
    public var toldAtOnce = 512
    /// How many forms may wait to be read, checked or written: in all, and of one user.
    public var formsWaiting = 512
    public var formsWaitingPerUser = 64
    /// The most JSON that is read or written on the event loop, in bytes. More would take too long there.
    public var quickFormBytes = 4 << 10
    /// How many pieces of documents may wait to be read from the store: in all, and of one user.
    public var downloadsWaiting = 512
    public var downloadsWaitingPerUser = 64
    public var documentPieceBytes = UploadRequest.maximumPieceByteCount
    /// How many documents one connection may have uploaded that no answer names yet.
    public var documentsPerConnection = 16
    /// How many bytes the uploaded documents that no answer names yet may have: those of one user, and all together.
    public var documentBytesPerUser = 8 << 20
    public var documentBytes = 32 << 20
    public var backupPieceBytes = RestoreRequest.maximumPieceByteCount
    /// The largest backup that can be restored, in bytes: more than a full store has.
    public var backupBytes = 2 << 30
    /// How long a backup or a restore may be idle before another one may take its place.
    public var backupIdleTime = Duration.seconds(60)
    /// The longest name of a program, in bytes of UTF-8. The rest is cut off.
    public var programNameBytes = RequestWords.maximumProgramByteCount
    /// How long to wait after a failed commit before reporting again to the core which peers and calls have ended.
    public var reconcileInterval = Duration.seconds(1)

    public init() {}

    func requestBytes(of roles: Roles) -> Int {
        var bytes = connection.maximumRequestBytes
        if !roles.isDisjoint(with: [.provider, .administrator]) { bytes = max(bytes, requestBytesOfProviders) }
        if !roles.isDisjoint(with: [.household, .administrator]) { bytes = max(bytes, requestBytesOfHousehold) }
        return bytes
    }
}
