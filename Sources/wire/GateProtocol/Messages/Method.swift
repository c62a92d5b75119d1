/// A method of `gate.v1`, with the types of its messages.
package struct Method<Request: WireMessage, Response: WireMessage>: Sendable {
    package enum Kind: Hashable, Sendable {
        case unary
        case serverStream
    }

    /// The full name, for example "gate.v1.Mode".
    package let service: String
    package let name: String
    package let kind: Kind

    init(_ service: String, _ name: String, _ kind: Kind = .unary) {
        self.service = service
        self.name = name
        self.kind = kind
    }
}

/// Every method of the .proto files, by service. Each is declared at the top of the file that has its messages, such as
/// `ModeWire.swift`. A test compares them with `ServiceCatalog`.
package enum Methods {}
