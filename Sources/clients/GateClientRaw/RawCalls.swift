public import GateClient

/// Calls by their names on the wire, with messages that the app encodes itself. For calls that the library lacks, such
/// as methods of a newer daemon.
///
/// ```swift
/// import GateClientRaw
///
/// let answer = try await gate.raw.call("gate.v1.Mode/GetMode", [])
/// for try await message in try await gate.raw.messages("gate.v1.Watch/Watch", []) { … }
/// ```
///
/// `docs/wire.md` describes the methods, and the files in `proto` their messages. Cancellation, errors and threads are
/// as for ``GateClient``'s calls. Nothing fails closed by itself here: while the daemon is away, and after a deadline,
/// treat the mode as child. Messages are not wiped, so send no passcode or password this way.
public struct RawCalls: Sendable {
    let client: GateClient

    /// Calls a unary method.
    ///
    /// - Parameters:
    ///   - method: the service with its package, a slash, and the method: "gate.v1.Mode/GetMode".
    ///   - request: the request message, encoded as protobuf.
    /// - Returns: the response message, encoded as protobuf.
    /// - Throws: the daemon's refusal; `UNAVAILABLE` if the daemon can't be reached; `UNIMPLEMENTED` if it has no such
    ///   method; `DEADLINE_EXCEEDED` after the options' `callTimeout`.
    public func call(_ method: String, _ request: [UInt8]) async throws(GateError) -> [UInt8] {
        try await call(method, request, timeout: client.options.callTimeout)
    }

    /// Calls a unary method with its own timeout.
    ///
    /// - Parameters:
    ///   - method: the service with its package, a slash, and the method: "gate.v1.Mode/Toggle".
    ///   - request: the request message, encoded as protobuf.
    ///   - timeout: how long the call may take; `nil`: no limit, which suits methods that wait for a person.
    /// - Returns: the response message, encoded as protobuf.
    /// - Throws: the errors of `call(_:_:)`.
    public func call(_ method: String, _ request: [UInt8], timeout: Duration?) async throws(GateError) -> [UInt8] {
        let (service, name) = Self.parts(of: method)
        return try await client.call(service: service, method: name, payload: request, timeout: timeout)
    }

    /// Opens a server stream.
    ///
    /// - Parameters:
    ///   - method: the service with its package, a slash, and the method: "gate.v1.Watch/Watch".
    ///   - request: the request message, encoded as protobuf.
    /// - Returns: the stream's messages, which can be read once. It does not reconnect.
    /// - Throws: the errors of `call(_:_:)`. If the daemon refuses the stream itself, iterating throws.
    public func messages(_ method: String, _ request: [UInt8]) async throws(GateError) -> RawMessageSequence {
        let (service, name) = Self.parts(of: method)
        return RawMessageSequence(
            stream: try await client.openStream(service: service, method: name, payload: request))
    }

    /// A name without a slash is sent as a method without a service, which the daemon refuses.
    private static func parts(of method: String) -> (service: String, name: String) {
        guard let slash = method.lastIndex(of: "/") else { return ("", method) }
        return (String(method[..<slash]), String(method[method.index(after: slash)...]))
    }
}

extension GateClient {
    /// Calls by their names on the wire.
    public var raw: RawCalls { RawCalls(client: self) }
}

/// The messages of a server stream, encoded as protobuf, in the daemon's order. It ends when the daemon ends it, and
/// throws if the daemon refuses it or is lost.
public struct RawMessageSequence: AsyncSequence, Sendable {
    /// A message, encoded as protobuf.
    public typealias Element = [UInt8]
    /// The daemon's refusal, or its loss.
    public typealias Failure = GateError

    let stream: MessageStream

    /// Make one iterator only: each message goes to one iterator.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(iterator: stream.makeAsyncIterator())
    }

    /// Reads one message after the other, for one task. When it is released, the stream ends on the daemon too.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var iterator: MessageStream.AsyncIterator

        /// The next message; `nil` when the daemon has ended the stream.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(GateError) -> [UInt8]? {
            try await iterator.next(isolation: actor)
        }
    }
}
