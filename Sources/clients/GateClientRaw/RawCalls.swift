public import GateClient

/// Calls by the names of the wire, with messages that the app encodes itself: for what the library has no call for, such as a method
/// of a newer daemon.
///
/// ```swift
/// import GateClientRaw
///
/// let answer = try await gate.raw.call("gate.v1.Mode/GetMode", [])
/// for try await message in try await gate.raw.messages("gate.v1.Watch/Watch", []) { … }
/// ```
///
/// `docs/wire.md` says what the methods do, and the files in `proto` what their messages are. Cancellation, errors and threads
/// are those of ``GateClient``'s calls. Nothing fails closed by itself here: while the daemon is away, and past a deadline, take the
/// mode to be child. What a message holds is not wiped: send no passcode or password this way.
public struct RawCalls: Sendable {
    let client: GateClient

    /// Calls a unary method.
    ///
    /// - Parameters:
    ///   - method: the service in full, a slash, and the method: "gate.v1.Mode/GetMode".
    ///   - request: its message, encoded as protobuf.
    /// - Returns: the answer, encoded as protobuf.
    /// - Throws: the daemon's refusal, and `UNAVAILABLE` where it can't be reached; `UNIMPLEMENTED` where it has no such method;
    ///   `DEADLINE_EXCEEDED` after the time that the options allow.
    public func call(_ method: String, _ request: [UInt8]) async throws(GateError) -> [UInt8] {
        try await call(method, request, timeout: client.options.callTimeout)
    }

    /// Calls a unary method, with a time of its own.
    ///
    /// - Parameters:
    ///   - method: the service in full, a slash, and the method: "gate.v1.Mode/Toggle".
    ///   - request: its message, encoded as protobuf.
    ///   - timeout: how long the call may take; `nil`: as long as it takes, as for methods that wait for a person.
    /// - Returns: the answer, encoded as protobuf.
    /// - Throws: as the call without a time.
    public func call(_ method: String, _ request: [UInt8], timeout: Duration?) async throws(GateError) -> [UInt8] {
        let (service, name) = Self.parts(of: method)
        return try await client.call(service: service, method: name, payload: request, timeout: timeout)
    }

    /// Opens a server stream.
    ///
    /// - Parameters:
    ///   - method: the service in full, a slash, and the method: "gate.v1.Watch/Watch".
    ///   - request: its message, encoded as protobuf.
    /// - Returns: the stream, to be read once. It is opened only here: it does not connect again by itself.
    /// - Throws: as `call`. A refusal of the stream itself comes from the sequence.
    public func messages(_ method: String, _ request: [UInt8]) async throws(GateError) -> RawMessageSequence {
        let (service, name) = Self.parts(of: method)
        return RawMessageSequence(
            stream: try await client.openStream(service: service, method: name, payload: request))
    }

    /// A name without a slash leads to no method, and the daemon says so.
    private static func parts(of method: String) -> (service: String, name: String) {
        guard let slash = method.lastIndex(of: "/") else { return ("", method) }
        return (String(method[..<slash]), String(method[method.index(after: slash)...]))
    }
}

extension GateClient {
    /// Calls by the names of the wire.
    public var raw: RawCalls { RawCalls(client: self) }
}

/// The messages of a server stream, encoded as protobuf, in the order of the daemon. It ends when the daemon ends it, and throws where
/// the daemon refuses it or is lost.
public struct RawMessageSequence: AsyncSequence, Sendable {
    /// A message, encoded as protobuf.
    public typealias Element = [UInt8]
    /// A refusal of the daemon, or its loss.
    public typealias Failure = GateError

    let stream: MessageStream

    /// Makes an iterator. Each message goes to one iterator: make one.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(iterator: stream.makeAsyncIterator())
    }

    /// Takes one message after the other. It belongs to one task; when it is gone, the stream ends on the daemon too.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var iterator: MessageStream.AsyncIterator

        /// Returns the next message; `nil`: the daemon has ended the stream.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(GateError) -> [UInt8]? {
            try await iterator.next(isolation: actor)
        }
    }
}
