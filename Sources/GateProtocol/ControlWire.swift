import CGateProtocol
package import GateModel

// control.proto

package struct PingRequest: MappedMessage {
    /// At most 1,024 bytes; comes back unchanged.
    package var echo: [UInt8]

    package init(echo: [UInt8] = []) {
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

package struct PingResponse: MappedMessage {
    package var echo: [UInt8]
    /// The newest durable revision.
    package var revision: Revision

    package init(echo: [UInt8], revision: Revision) {
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

package struct CancelRequest: MappedMessage {
    /// The stream to end.
    package var streamID: UInt32

    package init(streamID: UInt32) {
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

package struct CancelResponse: MappedMessage {
    package init() {}

    static var initialise: Initialise<Gate__V1__CancelResponse> { gate__v1__cancel_response__init }
    init(reading message: Gate__V1__CancelResponse) {}
    func write(to message: inout Gate__V1__CancelResponse, in arena: inout MessageArena) {}
}

package struct VersionRequest: MappedMessage {
    package init() {}

    static var initialise: Initialise<Gate__V1__VersionRequest> { gate__v1__version_request__init }
    init(reading message: Gate__V1__VersionRequest) {}
    func write(to message: inout Gate__V1__VersionRequest, in arena: inout MessageArena) {}
}

package struct VersionResponse: MappedMessage {
    /// The version of gated, for example "0.1.0".
    package var version: String
    /// The wire protocol, "ttrpc 1.2".
    package var `protocol`: String
    /// The version of SQLite in use.
    package var sqlite: String
    /// What this gated does, by name: see `Capability`.
    package var capabilities: [String]

    package init(version: String, protocol: String, sqlite: String, capabilities: [String]) {
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

package struct StatisticsRequest: MappedMessage {
    package init() {}

    static var initialise: Initialise<Gate__V1__StatisticsRequest> { gate__v1__statistics_request__init }
    init(reading message: Gate__V1__StatisticsRequest) {}
    func write(to message: inout Gate__V1__StatisticsRequest, in arena: inout MessageArena) {}
}

package struct StatisticsResponse: MappedMessage {
    /// Since the daemon was ready, in whole milliseconds.
    package var uptime: Duration
    package var connections: Int
    package var watchers: Int
    /// Unary calls and streams opened since the start.
    package var calls: UInt64
    /// Durable transitions since the start.
    package var transitions: UInt64
    /// The SQLite transactions that carried them.
    package var commits: UInt64
    /// Messages that slow watchers did not get one by one.
    package var conflated: UInt64
    /// Connections and requests refused for a limit.
    package var refused: UInt64
    /// Anonymous memory of the daemon, in bytes.
    package var anonymousBytes: UInt64
    /// Registered now.
    package var presenters: Int
    /// Of the methods that were called, by names like "gate.v1.Mode/GetMode".
    package var callsOfMethods: [LabelledCount]
    /// Connections that ended, by reason.
    package var closed: [LabelledCount]
    /// From a batch of commands given to the disk until it was durable.
    package var commitMicroseconds: HistogramCounts
    /// From then until all watchers were told.
    package var pushMicroseconds: HistogramCounts
    package var commandsPerCommit: HistogramCounts
    /// For the disk, now.
    package var commandsWaiting: Int

    package init(
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

package struct ReloadRequest: MappedMessage {
    package init() {}

    static var initialise: Initialise<Gate__V1__ReloadRequest> { gate__v1__reload_request__init }
    init(reading message: Gate__V1__ReloadRequest) {}
    func write(to message: inout Gate__V1__ReloadRequest, in arena: inout MessageArena) {}
}

package struct ReloadResponse: MappedMessage {
    /// What is in force now, a line each, for people.
    package var inForce: [String]
    /// The same for programs.
    package var policy: PolicySummary?

    package init(inForce: [String], policy: PolicySummary? = nil) {
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

package struct RecoverRequest: MappedMessage {
    package init() {}

    static var initialise: Initialise<Gate__V1__RecoverRequest> { gate__v1__recover_request__init }
    init(reading message: Gate__V1__RecoverRequest) {}
    func write(to message: inout Gate__V1__RecoverRequest, in arena: inout MessageArena) {}
}

package struct RecoverResponse: MappedMessage {
    package var revision: Revision
    /// Where the damaged store was set aside.
    package var setAside: String

    package init(revision: Revision, setAside: String) {
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

package struct DescribeRequest: MappedMessage {
    package init() {}

    static var initialise: Initialise<Gate__V1__DescribeRequest> { gate__v1__describe_request__init }
    init(reading message: Gate__V1__DescribeRequest) {}
    func write(to message: inout Gate__V1__DescribeRequest, in arena: inout MessageArena) {}
}

package struct DescribeResponse: MappedMessage {
    /// An encoded google.protobuf.FileDescriptorSet.
    package var fileDescriptorSet: [UInt8]

    package init(fileDescriptorSet: [UInt8]) {
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
