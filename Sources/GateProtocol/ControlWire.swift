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

package struct GetVersionRequest: MappedMessage {
    package init() {}

    static var initialise: Initialise<Gate__V1__GetVersionRequest> { gate__v1__get_version_request__init }
    init(reading message: Gate__V1__GetVersionRequest) {}
    func write(to message: inout Gate__V1__GetVersionRequest, in arena: inout MessageArena) {}
}

package struct GetVersionResponse: MappedMessage {
    /// The version of gated, for example "0.1.0".
    package var version: String
    /// The wire protocol, "ttrpc 1.2".
    package var `protocol`: String
    /// The version of SQLite in use.
    package var sqlite: String
    /// The capabilities of this gated, by name: see `Capability`.
    package var capabilities: [String]

    package init(version: String, protocol: String, sqlite: String, capabilities: [String]) {
        self.version = version
        self.protocol = `protocol`
        self.sqlite = sqlite
        self.capabilities = capabilities
    }

    static var initialise: Initialise<Gate__V1__GetVersionResponse> { gate__v1__get_version_response__init }

    init(reading message: Gate__V1__GetVersionResponse) {
        self.init(
            version: String(reading: message.version), protocol: String(reading: message.wire_protocol),
            sqlite: String(reading: message.sqlite),
            capabilities: [String](reading: message.capabilities, count: message.n_capabilities))
    }

    func write(to message: inout Gate__V1__GetVersionResponse, in arena: inout MessageArena) {
        message.version = arena.string(version)
        message.wire_protocol = arena.string(`protocol`)
        message.sqlite = arena.string(sqlite)
        message.n_capabilities = capabilities.count
        message.capabilities = arena.strings(capabilities)
    }
}

package struct GetStatisticsRequest: MappedMessage {
    package init() {}

    static var initialise: Initialise<Gate__V1__GetStatisticsRequest> { gate__v1__get_statistics_request__init }
    init(reading message: Gate__V1__GetStatisticsRequest) {}
    func write(to message: inout Gate__V1__GetStatisticsRequest, in arena: inout MessageArena) {}
}

package struct ReloadRequest: MappedMessage {
    package init() {}

    static var initialise: Initialise<Gate__V1__ReloadRequest> { gate__v1__reload_request__init }
    init(reading message: Gate__V1__ReloadRequest) {}
    func write(to message: inout Gate__V1__ReloadRequest, in arena: inout MessageArena) {}
}

package struct ReloadResponse: MappedMessage {
    /// The policy that is in force now, a line each, for people.
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
    package var quarantinedFile: String

    package init(revision: Revision, quarantinedFile: String) {
        self.revision = revision
        self.quarantinedFile = quarantinedFile
    }

    static var initialise: Initialise<Gate__V1__RecoverResponse> { gate__v1__recover_response__init }

    init(reading message: Gate__V1__RecoverResponse) {
        self.init(revision: Revision(reading: message.revision), quarantinedFile: String(reading: message.set_aside))
    }

    func write(to message: inout Gate__V1__RecoverResponse, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        message.set_aside = arena.string(quarantinedFile)
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
