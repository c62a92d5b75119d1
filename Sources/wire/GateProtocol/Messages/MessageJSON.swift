package import CGateProtocol
package import GateModel
import ProtobufScan

/// Converts any message to proto3 JSON and back, knowing only its descriptor, for `gatectl --json` and `gatectl call`.
/// The JSON is one line, with the fields in the order of their numbers: lowerCamelCase names, 64-bit numbers as
/// strings, bytes as base64, enum values as names. Left out are messages and members of a oneof that are not set.
package enum MessageJSON {
    /// The most bytes of JSON that are read: enough for the largest frame in base64.
    package static let maximumTextBytes = 6 << 20

    /// - Throws: `INVALID_ARGUMENT` if the bytes are no such message, or hold more than `ScanLimits.longList` allows.
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

    /// - Throws: `INVALID_ARGUMENT` if the message holds more than `ScanLimits.longList` allows.
    package static func text<Message: WireMessage>(of message: Message) throws(GateError) -> String {
        try text(of: message.encoded(), as: Message.descriptor)
    }

    /// Accepts a field under its JSON name and under its name in the .proto file. `null` leaves a field unset.
    /// - Throws: `INVALID_ARGUMENT`, naming the field and what it takes, if the JSON does not fit the message, is too
    ///   long, or has more in it than the daemon takes.
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
        // Refuses what the daemon would refuse, so that the author of the JSON sees why.
        _ = try text(of: bytes, as: descriptor, limits: .standard)
        return bytes
    }
}
