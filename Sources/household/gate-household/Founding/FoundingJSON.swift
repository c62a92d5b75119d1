import GateGuardians
import GateHousehold
import GateModel

/// The lines that founding and joining print with `--json`: one object each, for programs. Errors stay sentences on standard error, with their
/// exit status.
enum FoundingJSON {
    /// A household that was created.
    struct Created: Encodable {
        var household: String
        var device: String
        var name: String
        var guardian: String
        var broker: Broker
        /// Commands to type at the broker.
        var brokerCommands: [String]
        /// Commands to type here.
        var deviceCommands: [String]
        /// Absent where it was typed: it is known then.
        var recoveryKey: String?
    }

    /// The way to the broker.
    struct Broker: Encodable {
        var host: String
        var port: UInt16
        var joinPort: UInt16
    }

    /// A code, before anybody has used it.
    struct Invited: Encodable {
        var code: String
        var expiresUnixMilliseconds: Int64
    }

    /// A device that is on the list now.
    struct Joined: Encodable {
        var household: String
        /// Its id.
        var device: String?
        var name: String
        /// Whether it has said that it has joined.
        var hasConfirmed: Bool
        /// Commands to type on it; absent where it is another device.
        var deviceCommands: [String]?
    }

    static func line(_ value: some Encodable) -> String {
        String(decoding: SortedJSON.bytes(of: value), as: UTF8.self)
    }
}
