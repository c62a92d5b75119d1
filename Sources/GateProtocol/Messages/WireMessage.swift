package import CGateProtocol
package import GateModel
import ProtobufScan

/// A message of `gate.v1` as a Swift value. Each service has its messages in a file of its own, `ModeWire.swift` and so
/// on.
///
/// To add a message: a package struct with its fields, and a `MessageMapping` to the C struct that `protoc-c` made of it.
package protocol WireMessage: Hashable, Sendable {
    /// - Throws: `INVALID_ARGUMENT` (`invalidRequest`), naming the field that is wrong; `UNIMPLEMENTED` (`notBuilt`) where a
    ///   request asks for what this release does not do.
    init(decoding bytes: UnsafeRawBufferPointer) throws(GateError)

    func encoded() -> [UInt8]

    /// The same bytes for as long as `body` runs; then they are wiped. For messages that carry a secret, so that no
    /// copy of it stays behind but those that `body` makes. The pointer must not leave `body`.
    func withEncoded<R, E>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R

    /// How libprotobuf-c describes the message; lives as long as the process. For `MessageJSON`.
    static var descriptor: UnsafePointer<ProtobufCMessageDescriptor> { get }
}

extension WireMessage {
    /// - Throws: `INVALID_ARGUMENT` (`invalidRequest`), naming the field that is wrong.
    package init(decoding bytes: [UInt8]) throws(GateError) {
        self = try bytes.span.bytes.withUnsafeBytes { bytes throws(GateError) in try Self(decoding: bytes) }
    }
}

/// A value that has a C struct in the generated code: a whole message, or a part of one.
protocol MessageMapping {
    associatedtype CMessage

    /// The generated function that sets every field of the struct to its default.
    static var initialise: Initialise<CMessage> { get }

    /// - Throws: `INVALID_ARGUMENT` where a field says what this version does not understand.
    init(reading message: CMessage) throws(GateError)

    /// Sets the fields of a message that holds its defaults.
    func write(to message: inout CMessage, in arena: inout MessageArena)
}

typealias Initialise<CMessage> = (UnsafeMutablePointer<CMessage>?) -> Void

/// A message that travels by itself.
protocol MappedMessage: WireMessage, MessageMapping {}

extension MappedMessage {
    package init(decoding bytes: UnsafeRawBufferPointer) throws(GateError) {
        self = try MessageArena.with { arena throws(GateError) in
            let message: UnsafePointer<CMessage>
            if bytes.isEmpty {
                // Every field has its default: nothing to scan.
                message = UnsafePointer(arena.blank(Self.initialise))
            } else {
                let unpacked = try arena.unpackScanned(bytes, as: Self.descriptor)
                message = UnsafeRawPointer(unpacked).assumingMemoryBound(to: CMessage.self)
            }
            return try Self(reading: message.pointee)
        }
    }

    package func encoded() -> [UInt8] {
        MessageArena.with { arena in
            let message = UnsafeRawPointer(arena.message(self))
            return MessageArena.pack(message.assumingMemoryBound(to: ProtobufCMessage.self))
        }
    }

    package func withEncoded<R, E>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try MessageArena.with { arena throws(E) in
            let message = UnsafeRawPointer(arena.message(self))
            return try body(arena.packed(message.assumingMemoryBound(to: ProtobufCMessage.self)))
        }
    }

    // From a message, since Swift may see a copy of the generated descriptor, and libprotobuf-c compares addresses.
    package static var descriptor: UnsafePointer<ProtobufCMessageDescriptor> {
        MessageArena.with { arena in
            let message = UnsafeRawPointer(arena.blank(initialise))
            return message.assumingMemoryBound(to: ProtobufCMessage.self).pointee.descriptor
        }
    }
}

extension MessageArena {
    /// Scans, then unpacks.
    /// - Throws: `INVALID_ARGUMENT`.
    mutating func unpackScanned(
        _ bytes: UnsafeRawBufferPointer, as descriptor: UnsafePointer<ProtobufCMessageDescriptor>
    ) throws(GateError) -> UnsafeMutablePointer<ProtobufCMessage> {
        do throws(ScanError) {
            try scan(bytes, as: descriptor)
        } catch {
            throw .invalid(error.description)
        }
        guard let message = unpack(bytes, as: descriptor) else {
            throw .invalid("\(String(cString: descriptor.pointee.name)) can't be decoded")
        }
        return message
    }
}

extension GateError {
    static func invalid(_ message: String) -> GateError {
        GateError(.invalidArgument, .invalidRequest, message)
    }
}

// MARK: Reading the fields of a C struct

extension [UInt8] {
    init(reading field: ProtobufCBinaryData) {
        self.init(UnsafeBufferPointer(start: field.data, count: field.len))
    }
}

extension GateSecret {
    init(reading field: ProtobufCBinaryData) {
        self.init(UnsafeRawBufferPointer(start: field.data, count: field.len))
    }
}

extension String {
    init(reading text: UnsafeMutablePointer<CChar>?) {
        self = text.map { String(cString: $0) } ?? ""
    }
}

extension [String] {
    init(reading texts: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, count: Int) {
        self = UnsafeBufferPointer(start: texts, count: count).map { String(reading: $0) }
    }
}

extension Array where Element: MessageMapping {
    init(
        reading messages: UnsafeMutablePointer<UnsafeMutablePointer<Element.CMessage>?>?, count: Int
    ) throws(GateError) {
        self.init()
        reserveCapacity(count)
        for case let message? in UnsafeBufferPointer(start: messages, count: count) {
            append(try Element(reading: message.pointee))
        }
    }
}
