import CGateProtocol
public import GateModel

// control.proto

public struct PingRequest: MappedMessage {
    /// At most 1,024 bytes; comes back unchanged.
    public var echo: [UInt8]

    public init(echo: [UInt8] = []) {
        self.echo = echo
    }

    static var initialise: Initialise<Gate__V1__PingRequest> { gate__v1__ping_request__init }

    init(reading message: Gate__V1__PingRequest) {
        self.init(echo: [UInt8](reading: message.echo))
    }

    func write(to message: inout Gate__V1__PingRequest, in arena: inout MessageArena) {
        message.echo = arena.bytes(echo)
    }
}

public struct PingResponse: MappedMessage {
    public var echo: [UInt8]
    /// The newest durable revision.
    public var revision: Revision

    public init(echo: [UInt8], revision: Revision) {
        self.echo = echo
        self.revision = revision
    }

    static var initialise: Initialise<Gate__V1__PingResponse> { gate__v1__ping_response__init }

    init(reading message: Gate__V1__PingResponse) {
        self.init(echo: [UInt8](reading: message.echo), revision: Revision(reading: message.revision))
    }

    func write(to message: inout Gate__V1__PingResponse, in arena: inout MessageArena) {
        message.echo = arena.bytes(echo)
        message.revision = arena.message(revision)
    }
}

public struct CancelRequest: MappedMessage {
    /// The stream to end.
    public var streamID: UInt32

    public init(streamID: UInt32) {
        self.streamID = streamID
    }

    static var initialise: Initialise<Gate__V1__CancelRequest> { gate__v1__cancel_request__init }

    init(reading message: Gate__V1__CancelRequest) {
        self.init(streamID: message.stream_id)
    }

    func write(to message: inout Gate__V1__CancelRequest, in arena: inout MessageArena) {
        message.stream_id = streamID
    }
}

public struct CancelResponse: MappedMessage {
    public init() {}

    static var initialise: Initialise<Gate__V1__CancelResponse> { gate__v1__cancel_response__init }
    init(reading message: Gate__V1__CancelResponse) {}
    func write(to message: inout Gate__V1__CancelResponse, in arena: inout MessageArena) {}
}

public struct VersionRequest: MappedMessage {
    public init() {}

    static var initialise: Initialise<Gate__V1__VersionRequest> { gate__v1__version_request__init }
    init(reading message: Gate__V1__VersionRequest) {}
    func write(to message: inout Gate__V1__VersionRequest, in arena: inout MessageArena) {}
}

public struct VersionResponse: MappedMessage {
    /// The version of gated, for example "0.1.0".
    public var version: String
    /// The wire protocol, "ttrpc 1.2".
    public var `protocol`: String
    /// The version of SQLite in use.
    public var sqlite: String
    /// What this gated does, by name: see `Capability`.
    public var capabilities: [String]

    public init(version: String, protocol: String, sqlite: String, capabilities: [String]) {
        self.version = version
        self.protocol = `protocol`
        self.sqlite = sqlite
        self.capabilities = capabilities
    }

    static var initialise: Initialise<Gate__V1__VersionResponse> { gate__v1__version_response__init }

    init(reading message: Gate__V1__VersionResponse) {
        self.init(
            version: String(reading: message.version), protocol: String(reading: message.wire_protocol),
            sqlite: String(reading: message.sqlite),
            capabilities: [String](reading: message.capabilities, count: message.n_capabilities))
    }

    func write(to message: inout Gate__V1__VersionResponse, in arena: inout MessageArena) {
        message.version = arena.string(version)
        message.wire_protocol = arena.string(`protocol`)
        message.sqlite = arena.string(sqlite)
        message.n_capabilities = capabilities.count
        message.capabilities = arena.strings(capabilities)
    }
}

public struct StatisticsRequest: MappedMessage {
    public init() {}

    static var initialise: Initialise<Gate__V1__StatisticsRequest> { gate__v1__statistics_request__init }
    init(reading message: Gate__V1__StatisticsRequest) {}
    func write(to message: inout Gate__V1__StatisticsRequest, in arena: inout MessageArena) {}
}

public struct StatisticsResponse: MappedMessage {
    /// Since the daemon was ready, in whole milliseconds.
    public var uptime: Duration
    public var connections: Int
    public var watchers: Int
    /// Unary calls and streams opened since the start.
    public var calls: UInt64
    /// Durable transitions since the start.
    public var transitions: UInt64
    /// The SQLite transactions that carried them.
    public var commits: UInt64
    /// Messages that slow watchers did not get one by one.
    public var conflated: UInt64
    /// Connections and requests refused for a limit.
    public var refused: UInt64
    /// Anonymous memory of the daemon, in bytes.
    public var anonymousBytes: UInt64
    /// Registered now.
    public var presenters: Int
    /// Of the methods that were called, by names like "gate.v1.Mode/GetMode".
    public var callsOfMethods: [LabelledCount]
    /// Connections that ended, by reason.
    public var closed: [LabelledCount]
    /// From a batch of commands given to the disk until it was durable.
    public var commitMicroseconds: HistogramCounts
    /// From then until all watchers were told.
    public var pushMicroseconds: HistogramCounts
    public var commandsPerCommit: HistogramCounts
    /// For the disk, now.
    public var commandsWaiting: Int

    public init(
        uptime: Duration, connections: Int, watchers: Int, calls: UInt64, transitions: UInt64, commits: UInt64,
        conflated: UInt64, refused: UInt64, anonymousBytes: UInt64, presenters: Int,
        callsOfMethods: [LabelledCount] = [], closed: [LabelledCount] = [],
        commitMicroseconds: HistogramCounts = HistogramCounts(), pushMicroseconds: HistogramCounts = HistogramCounts(),
        commandsPerCommit: HistogramCounts = HistogramCounts(), commandsWaiting: Int = 0
    ) {
        self.uptime = uptime
        self.connections = connections
        self.watchers = watchers
        self.calls = calls
        self.transitions = transitions
        self.commits = commits
        self.conflated = conflated
        self.refused = refused
        self.anonymousBytes = anonymousBytes
        self.presenters = presenters
        self.callsOfMethods = callsOfMethods
        self.closed = closed
        self.commitMicroseconds = commitMicroseconds
        self.pushMicroseconds = pushMicroseconds
        self.commandsPerCommit = commandsPerCommit
        self.commandsWaiting = commandsWaiting
    }

    static var initialise: Initialise<Gate__V1__StatisticsResponse> { gate__v1__statistics_response__init }

    init(reading message: Gate__V1__StatisticsResponse) throws(GateError) {
        self.init(
            uptime: .milliseconds(message.uptime_milliseconds), connections: Int(message.connections),
            watchers: Int(message.watchers), calls: message.calls, transitions: message.transitions,
            commits: message.commits, conflated: message.conflated, refused: message.refused,
            anonymousBytes: message.anonymous_bytes, presenters: Int(message.presenters),
            callsOfMethods: try [LabelledCount](reading: message.methods, count: message.n_methods),
            closed: try [LabelledCount](reading: message.closed, count: message.n_closed),
            commitMicroseconds: HistogramCounts(optional: message.commit_microseconds),
            pushMicroseconds: HistogramCounts(optional: message.push_microseconds),
            commandsPerCommit: HistogramCounts(optional: message.commands_per_commit),
            commandsWaiting: Int(message.commands_waiting))
    }

    func write(to message: inout Gate__V1__StatisticsResponse, in arena: inout MessageArena) {
        message.uptime_milliseconds = uptime.wireMilliseconds
        message.connections = UInt32(clamping: connections)
        message.watchers = UInt32(clamping: watchers)
        message.calls = calls
        message.transitions = transitions
        message.commits = commits
        message.conflated = conflated
        message.refused = refused
        message.anonymous_bytes = anonymousBytes
        message.presenters = UInt32(clamping: presenters)
        message.n_methods = callsOfMethods.count
        message.methods = arena.messages(callsOfMethods)
        message.n_closed = closed.count
        message.closed = arena.messages(closed)
        message.commit_microseconds = arena.optional(commitMicroseconds)
        message.push_microseconds = arena.optional(pushMicroseconds)
        message.commands_per_commit = arena.optional(commandsPerCommit)
        message.commands_waiting = UInt32(clamping: commandsWaiting)
    }
}

public struct ReloadRequest: MappedMessage {
    public init() {}

    static var initialise: Initialise<Gate__V1__ReloadRequest> { gate__v1__reload_request__init }
    init(reading message: Gate__V1__ReloadRequest) {}
    func write(to message: inout Gate__V1__ReloadRequest, in arena: inout MessageArena) {}
}

public struct ReloadResponse: MappedMessage {
    /// What is in force now, a line each, for people.
    public var inForce: [String]
    /// The same for programs.
    public var policy: PolicySummary?

    public init(inForce: [String], policy: PolicySummary? = nil) {
        self.inForce = inForce
        self.policy = policy
    }

    static var initialise: Initialise<Gate__V1__ReloadResponse> { gate__v1__reload_response__init }

    init(reading message: Gate__V1__ReloadResponse) throws(GateError) {
        self.init(
            inForce: [String](reading: message.in_force, count: message.n_in_force),
            policy: try message.policy.map { policy throws(GateError) in try PolicySummary(reading: policy.pointee) })
    }

    func write(to message: inout Gate__V1__ReloadResponse, in arena: inout MessageArena) {
        message.n_in_force = inForce.count
        message.in_force = arena.strings(inForce)
        if let policy { message.policy = arena.message(policy) }
    }
}

public struct RecoverRequest: MappedMessage {
    public init() {}

    static var initialise: Initialise<Gate__V1__RecoverRequest> { gate__v1__recover_request__init }
    init(reading message: Gate__V1__RecoverRequest) {}
    func write(to message: inout Gate__V1__RecoverRequest, in arena: inout MessageArena) {}
}

public struct RecoverResponse: MappedMessage {
    public var revision: Revision
    /// Where the damaged store was set aside.
    public var setAside: String

    public init(revision: Revision, setAside: String) {
        self.revision = revision
        self.setAside = setAside
    }

    static var initialise: Initialise<Gate__V1__RecoverResponse> { gate__v1__recover_response__init }

    init(reading message: Gate__V1__RecoverResponse) {
        self.init(revision: Revision(reading: message.revision), setAside: String(reading: message.set_aside))
    }

    func write(to message: inout Gate__V1__RecoverResponse, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        message.set_aside = arena.string(setAside)
    }
}

public struct DescribeRequest: MappedMessage {
    public init() {}

    static var initialise: Initialise<Gate__V1__DescribeRequest> { gate__v1__describe_request__init }
    init(reading message: Gate__V1__DescribeRequest) {}
    func write(to message: inout Gate__V1__DescribeRequest, in arena: inout MessageArena) {}
}

public struct DescribeResponse: MappedMessage {
    /// An encoded google.protobuf.FileDescriptorSet.
    public var fileDescriptorSet: [UInt8]

    public init(fileDescriptorSet: [UInt8]) {
        self.fileDescriptorSet = fileDescriptorSet
    }

    static var initialise: Initialise<Gate__V1__DescribeResponse> { gate__v1__describe_response__init }

    init(reading message: Gate__V1__DescribeResponse) {
        self.init(fileDescriptorSet: [UInt8](reading: message.file_descriptor_set))
    }

    func write(to message: inout Gate__V1__DescribeResponse, in arena: inout MessageArena) {
        message.file_descriptor_set = arena.bytes(fileDescriptorSet)
    }
}
