import GateGuardians

/// The lines that founding and joining print with `--json`: one object each, for programs. Errors remain sentences on
/// standard error, with their exit status.
enum FoundingJSON {
    struct Created: Encodable {
        var household: String
        var device: String
        var name: String
        var guardian: String
        var broker: Broker
        /// Commands to type at the broker.
        var brokerCommands: [String]
        /// Commands to type on this device.
        var deviceCommands: [String]
        /// Absent if it was typed, so that it is known.
        var recoveryKey: String?
    }

    struct Broker: Encodable {
        var host: String
        var port: UInt16
        var joinPort: UInt16
    }

    /// A code that nobody has used yet.
    struct Invited: Encodable {
        var code: String
        var expiresUnixMilliseconds: Int64
    }

    /// A device that is on the list now.
    struct Joined: Encodable {
        var household: String
        var device: String?
        var name: String
        /// Whether the device has said that it has joined.
        var hasConfirmed: Bool
        /// Commands to type on this device; absent if another device has joined.
        var deviceCommands: [String]?
    }

    static func line(_ value: some Encodable) -> String {
        String(decoding: SortedJSON.bytes(of: value), as: UTF8.self)
    }
}
