package import CGateProtocol
package import GateModel
import ProtobufScan

/// Any message ↔ proto3 JSON, by its descriptor alone: what `gatectl --json` and `gatectl call` print and read.
///
/// Printed on one line, with the fields in the order of their numbers. Names are lowerCamelCase, 64-bit numbers are
/// strings, bytes are base64, enums go by name. Every field is printed, except what is absent: a message that is not
/// set, or the members of a oneof that are not.
package enum MessageJSON {
    /// The longest text that is read, in bytes: enough for the largest frame in base64.
    package static let maximumTextBytes = 6 << 20

    /// - Throws: `INVALID_ARGUMENT` where the bytes are no such message.
    package static func text(
        of bytes: [UInt8], as descriptor: UnsafePointer<ProtobufCMessageDescriptor>
    ) throws(GateError) -> String {
        try text(of: bytes, as: descriptor, limits: .longList)
    }

    private static func text(
        of bytes: [UInt8], as descriptor: UnsafePointer<ProtobufCMessageDescriptor>, limits: ScanLimits
    ) throws(GateError) -> String {
        try bytes.span.bytes.withUnsafeBytes { bytes throws(GateError) in
            try MessageArena.with { arena throws(GateError) in
                var printer = MessagePrinter()
                let message = try arena.unpackScanned(bytes, as: descriptor, limits: limits)
                printer.message(UnsafeMutableRawPointer(message), descriptor)
                return printer.text
            }
        }
    }

    /// - Throws: `INVALID_ARGUMENT` where the message is larger than one that can be sent.
    package static func text<Message: WireMessage>(of message: Message) throws(GateError) -> String {
        try text(of: message.encoded(), as: Message.descriptor)
    }

    /// Takes fields by their JSON names and by those of the .proto file; `null` leaves a field unset.
    /// - Throws: `INVALID_ARGUMENT`, naming the field and what it takes.
    package static func bytes(
        from json: String, as descriptor: UnsafePointer<ProtobufCMessageDescriptor>
    ) throws(GateError) -> [UInt8] {
        guard json.utf8.count <= maximumTextBytes else {
            throw .invalid("", "the JSON has \(json.utf8.count) bytes; at most \(maximumTextBytes) are read")
        }
        let value = try JSONValue(parsing: json)
        let bytes = try MessageArena.with { arena throws(GateError) in
            var reader = MessageReader()
            let message = try reader.message(value, as: descriptor, path: [], in: &arena)
            return MessageArena.pack(message)
        }
        // What the daemon would refuse is refused here, where its author sees it.
        _ = try text(of: bytes, as: descriptor, limits: .standard)
        return bytes
    }
}
