import CProtobufC
import CTTRPC
public import ProtobufScan

// The data of request and response frames. Bytes are checked against the descriptor of their message before
// libprotobuf-c unpacks them. The descriptors are taken from initialised messages, because the symbols that Swift
// imports may be copies at other addresses.

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
    public var method: String
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
    nonisolated(unsafe) private static let descriptor: UnsafePointer<ProtobufCMessageDescriptor> = {
        var message = Ttrpc__Request()
        ttrpc__request__init(&message)
        return message.base.descriptor
    }()

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

    /// The wire has whole nanoseconds in an `Int64`, and 0 means no limit. So less than one is sent as one, and what is
    /// out of range as the largest or smallest value.
    private var timeoutNanoseconds: Int64 {
        guard let timeout else { return 0 }
        let (seconds, attoseconds) = timeout.components
        let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isTooLongInAll) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard !isTooLong, !isTooLongInAll else { return seconds < 0 ? .min : .max }
        return sum == 0 ? 1 : sum
    }
}

/// The data of a response frame: the method's output, or an error.
public struct ResponseEnvelope: Hashable, Sendable {
    /// The error; `nil` on success. Other servers send a status of `OK`, which is read as `nil`.
    public var status: Status?
    public var payload: [UInt8]

    public init(payload: [UInt8]) {
        status = nil
        self.payload = payload
    }

    public init(status: Status) {
        self.status = status
        payload = []
    }
}

extension ResponseEnvelope {
    nonisolated(unsafe) private static let descriptor: UnsafePointer<ProtobufCMessageDescriptor> = {
        var message = Ttrpc__Response()
        ttrpc__response__init(&message)
        return message.base.descriptor
    }()

    public init(decoding bytes: UnsafeRawBufferPointer) throws(ScanError) {
        try scan(bytes, as: ResponseEnvelope.descriptor)
        let envelope = UnpackArena.withAllocator { allocator -> ResponseEnvelope? in
            let message = ttrpc__response__unpack(allocator, bytes.count, bytes.bindMemory(to: UInt8.self).baseAddress)
            guard let message else { return nil }
            defer { ttrpc__response__free_unpacked(message, allocator) }
            return ResponseEnvelope(message.pointee)
        }
        guard let envelope else { throw .malformed(message: "ttrpc.Response") }
        self = envelope
    }

    private init(_ message: Ttrpc__Response) {
        payload = [UInt8](copying: message.payload)
        status = message.status.flatMap { Status($0.pointee) }
    }

    public func encoded() -> [UInt8] {
        var storage = EncodingStorage()
        var message = Ttrpc__Response()
        ttrpc__response__init(&message)
        message.payload = storage.bytes(payload)
        if let status {
            message.status = storage.messages([status.message(in: &storage)])?.pointee
        }
        return withUnsafePointer(to: message) { message in
            packed(byteCount: ttrpc__response__get_packed_size(message)) { ttrpc__response__pack(message, $0) }
        }
    }

    public static func byteCount(ofSuccess payload: [UInt8]) -> Int {
        guard !payload.isEmpty else { return 0 }
        var byteCount = 2 + payload.count
        var length = payload.count >> 7
        while length > 0 {
            byteCount += 1
            length >>= 7
        }
        return byteCount
    }

    /// Encodes an envelope without a status into the first `byteCount(ofSuccess:)` bytes. It is a single field, so it
    /// is written by hand: every answer needs it, and this avoids a C message.
    public static func encodeSuccess(_ payload: [UInt8], into bytes: UnsafeMutableRawBufferPointer) {
        precondition(bytes.count >= byteCount(ofSuccess: payload), "there is no room for the response")
        guard !payload.isEmpty else { return }
        bytes[0] = 2 << 3 | 2  // field 2, length-delimited
        var position = 1
        var length = payload.count
        while length >= 0x80 {
            bytes[position] = UInt8(length & 0x7F) | 0x80
            position += 1
            length >>= 7
        }
        bytes[position] = UInt8(length)
        UnsafeMutableRawBufferPointer(rebasing: bytes[(position + 1)...]).copyBytes(from: payload)
    }
}

extension Status {
    /// `nil` if the code is `OK`.
    fileprivate init?(_ message: Ttrpc__Status) {
        guard message.code != StatusCode.ok.rawValue else { return nil }
        let details = (0..<message.n_details).compactMap { index in
            message.details[index].map {
                TypedValue(typeURL: String(cString: $0.pointee.type_url), value: [UInt8](copying: $0.pointee.value))
            }
        }
        self.init(StatusCode(rawValue: message.code), String(cString: message.message), details: details)
    }

    fileprivate func message(in storage: inout EncodingStorage) -> Ttrpc__Status {
        var status = Ttrpc__Status()
        ttrpc__status__init(&status)
        status.code = code.rawValue
        status.message = storage.string(message)
        status.n_details = details.count
        let values = details.map { detail in
            var value = Ttrpc__Any()
            ttrpc__any__init(&value)
            value.type_url = storage.string(detail.typeURL)
            value.value = storage.bytes(detail.value)
            return value
        }
        status.details = storage.messages(values)
        return status
    }
}
