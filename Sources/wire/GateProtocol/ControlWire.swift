package import CGateProtocol
package import GateModel

// control.proto

extension Methods {
    package enum Control {
        package static let ping = Method<PingRequest, PingResponse>(service, "Ping")
        package static let cancel = Method<CancelRequest, CancelResponse>(service, "Cancel")
        package static let version = Method<GetVersionRequest, GetVersionResponse>(service, "GetVersion")
        package static let statistics = Method<GetStatisticsRequest, DaemonStatistics>(service, "GetStatistics")
        package static let reload = Method<ReloadRequest, ReloadResponse>(service, "Reload")
        package static let recover = Method<RecoverRequest, RecoverResponse>(service, "Recover")
        package static let describe = Method<DescribeRequest, DescribeResponse>(service, "Describe")
        static let service = "gate.v1.Control"
    }
}

package struct PingRequest: MappedMessage {
    package var echo: [UInt8]

    package init(echo: [UInt8] = []) {
        self.echo = echo
    }

    init(reading message: Gate__V1__PingRequest) {
        self.init(echo: [UInt8](reading: message.echo))
    }

    func write(to message: inout Gate__V1__PingRequest, in arena: inout MessageArena) {
        message.echo = arena.bytes(echo)
    }
}

package struct PingResponse: MappedMessage {
    package var echo: [UInt8]
    package var revision: Revision

    package init(echo: [UInt8], revision: Revision) {
        self.echo = echo
        self.revision = revision
    }

    init(reading message: Gate__V1__PingResponse) {
        self.init(echo: [UInt8](reading: message.echo), revision: Revision(reading: message.revision))
    }

    func write(to message: inout Gate__V1__PingResponse, in arena: inout MessageArena) {
        message.echo = arena.bytes(echo)
        message.revision = arena.message(revision)
    }
}

package struct CancelRequest: MappedMessage {
    package var streamID: UInt32

    package init(streamID: UInt32) {
        self.streamID = streamID
    }

    init(reading message: Gate__V1__CancelRequest) {
        self.init(streamID: message.stream_id)
    }

    func write(to message: inout Gate__V1__CancelRequest, in arena: inout MessageArena) {
        message.stream_id = streamID
    }
}

package typealias CancelResponse = EmptyMessage<Gate__V1__CancelResponse>

package typealias GetVersionRequest = EmptyMessage<Gate__V1__GetVersionRequest>

package struct GetVersionResponse: MappedMessage {
    package var version: String
    package var `protocol`: String
    package var sqlite: String
    /// The names of this gated's capabilities; see `Capability`.
    package var capabilities: [String]

    package init(version: String, protocol: String, sqlite: String, capabilities: [String]) {
        self.version = version
        self.protocol = `protocol`
        self.sqlite = sqlite
        self.capabilities = capabilities
    }

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
        (message.capabilities, message.n_capabilities) = arena.strings(capabilities)
    }
}

package typealias GetStatisticsRequest = EmptyMessage<Gate__V1__GetStatisticsRequest>

package typealias ReloadRequest = EmptyMessage<Gate__V1__ReloadRequest>

package typealias ReloadResponse = PolicyReply<Gate__V1__ReloadResponse>
extension Gate__V1__ReloadResponse: CPolicyReply {}

package typealias RecoverRequest = EmptyMessage<Gate__V1__RecoverRequest>

package struct RecoverResponse: MappedMessage {
    package var revision: Revision
    package var quarantinedFile: String

    package init(revision: Revision, quarantinedFile: String) {
        self.revision = revision
        self.quarantinedFile = quarantinedFile
    }

    init(reading message: Gate__V1__RecoverResponse) {
        self.init(revision: Revision(reading: message.revision), quarantinedFile: String(reading: message.set_aside))
    }

    func write(to message: inout Gate__V1__RecoverResponse, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        message.set_aside = arena.string(quarantinedFile)
    }
}

package typealias DescribeRequest = EmptyMessage<Gate__V1__DescribeRequest>

package struct DescribeResponse: MappedMessage {
    /// An encoded `google.protobuf.FileDescriptorSet`.
    package var fileDescriptorSet: [UInt8]

    package init(fileDescriptorSet: [UInt8]) {
        self.fileDescriptorSet = fileDescriptorSet
    }

    init(reading message: Gate__V1__DescribeResponse) {
        self.init(fileDescriptorSet: [UInt8](reading: message.file_descriptor_set))
    }

    func write(to message: inout Gate__V1__DescribeResponse, in arena: inout MessageArena) {
        message.file_descriptor_set = arena.bytes(fileDescriptorSet)
    }
}
