import CProtobufC
import CTTRPC
public import ProtobufScan

/// One entry of a request's metadata. The caller can write anything into it, so it must not be trusted.
public struct Metadata: Hashable, Sendable {
    public var key: String
    public var value: String

    public init(key: String, value: String) {
        self.key = key
        self.value = value
    }
}

/// The data of a request frame: which method to call, and its input.
public struct RequestEnvelope: Hashable, Sendable {
    /// The full name, for example "gate.v1.Mode".
    public var service: String
    /// The name within the service, for example "Toggle".
    public var method: String
    /// The method's input message, encoded.
    public var payload: [UInt8]
    /// The time that the caller waits, in whole nanoseconds. `nil`: no limit. Negative: its deadline has passed.
    public var timeout: Duration?
    public var metadata: [Metadata]

    public init(
        service: String, method: String, payload: [UInt8], timeout: Duration? = nil, metadata: [Metadata] = []
    ) {
        self.service = service
        self.method = method
        self.payload = payload
        self.timeout = timeout
        self.metadata = metadata
    }
}

extension RequestEnvelope {
    /// Taken from an initialised message: the symbol that Swift imports may be a copy at another address.
    nonisolated(unsafe) private static let descriptor: UnsafePointer<ProtobufCMessageDescriptor> = {
        var message = Ttrpc__Request()
        ttrpc__request__init(&message)
        return message.base.descriptor
    }()

    /// Checks the bytes against the descriptor before libprotobuf-c unpacks them.
    public init(decoding bytes: UnsafeRawBufferPointer) throws(ScanError) {
        try scan(bytes, as: RequestEnvelope.descriptor)
        let envelope = UnpackArena.withAllocator { allocator -> RequestEnvelope? in
            let message = ttrpc__request__unpack(allocator, bytes.count, bytes.bindMemory(to: UInt8.self).baseAddress)
            guard let message else { return nil }
            defer { ttrpc__request__free_unpacked(message, allocator) }
            return RequestEnvelope(message.pointee)
        }
        guard let envelope else { throw .malformed(message: "ttrpc.Request") }
        self = envelope
    }

    private init(_ message: Ttrpc__Request) {
        service = String(cString: message.service)
        method = String(cString: message.method)
        payload = [UInt8](copying: message.payload)
        timeout = message.timeout_nano == 0 ? nil : .nanoseconds(message.timeout_nano)
        metadata = (0..<message.n_metadata).compactMap { index in
            message.metadata[index].map {
                Metadata(key: String(cString: $0.pointee.key), value: String(cString: $0.pointee.value))
            }
        }
    }

    public func encoded() -> [UInt8] {
        var storage = EncodingStorage()
        var message = Ttrpc__Request()
        ttrpc__request__init(&message)
        message.service = storage.string(service)
        message.method = storage.string(method)
        message.payload = storage.bytes(payload)
        message.timeout_nano = timeoutNanoseconds
        message.n_metadata = metadata.count
        let entries = metadata.map { entry in
            var keyValue = Ttrpc__KeyValue()
            ttrpc__key_value__init(&keyValue)
            keyValue.key = storage.string(entry.key)
            keyValue.value = storage.string(entry.value)
            return keyValue
        }
        message.metadata = storage.messages(entries)
        return withUnsafePointer(to: message) { message in
            packed(byteCount: ttrpc__request__get_packed_size(message)) { ttrpc__request__pack(message, $0) }
        }
    }

    /// The wire has whole nanoseconds in an `Int64`, and 0 means no limit. So a shorter timeout is sent as one
    /// nanosecond, and one beyond the range as its largest or smallest value.
    private var timeoutNanoseconds: Int64 {
        guard let timeout else { return 0 }
        let (seconds, attoseconds) = timeout.components
        let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isTooLongInAll) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard !isTooLong, !isTooLongInAll else { return seconds < 0 ? .min : .max }
        return sum == 0 ? 1 : sum
    }
}
