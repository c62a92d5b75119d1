package import GateModel
import GateProtocol
import NIOCore
import NIOPosix
import TTRPC
import TTRPCTransport

/// The one connection of a client. It is opened when it is first needed, and again when it is needed after a loss.
actor SharedConnection {
    private typealias Waiter = CheckedContinuation<Result<TTRPCClientConnection, GateError>, Never>

    private enum State {
        /// There is no connection. Can go to `connecting` or `closed`.
        case idle
        /// An attempt to connect is under way, and all callers wait for it. Can go to `open`, to `idle` (the attempt
        /// failed, or every caller has given up) or to `closed`.
        case connecting(Attempt)
        /// Can go to `idle` (the connection was lost) or `closed`.
        case open(TTRPCClientConnection)
        /// The client was closed. Final.
        case closed
    }

    private struct Attempt {
        let number: UInt64
        /// A task of its own, so that a caller who gives up does not end the attempt for the others.
        let task: Task<Void, Never>
        var waiters: [UInt64: Waiter] = [:]
    }

    /// One event loop for all clients of the process: a client has little to do, which is not worth a thread.
    private static let eventLoop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()

    let options: GateClientOptions
    private var state = State.idle
    /// Numbers attempts and waiting callers.
    private var lastNumber: UInt64 = 0

    init(options: GateClientOptions) {
        self.options = options
    }

    deinit {
        switch state {
        case .idle, .closed: break
        case .connecting(let attempt): attempt.task.cancel()
        case .open(let connection): Task { await connection.close() }
        }
    }

    /// Returns the connection, and opens it first if necessary. It makes one attempt only; a caller who wants more
    /// calls again. A caller who is cancelled stops waiting, and an attempt that no caller waits for is given up.
    func connected() async throws(GateError) -> OpenConnection {
        switch state {
        case .open(let connection): return OpenConnection(transport: connection, shared: self)
        case .closed: throw GateError.clientClosed
        case .connecting: break
        case .idle: state = .connecting(newAttempt())
        }
        let number = nextNumber()
        // There is no suspension between here and `wait`, so a cancellation always finds its waiter.
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { wait($0, as: number) }
        } onCancel: {
            Task { await self.gaveUp(number) }
        }
        return OpenConnection(transport: try outcome.get(), shared: self)
    }

    private func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    private func newAttempt() -> Attempt {
        let number = nextNumber()
        let task = Task { [weak self, options] in
            let result = await Self.connect(options)
            guard let self else {
                if case .success(let connection) = result { await connection.close() }
                return
            }
            await ended(number, result)
        }
        return Attempt(number: number, task: task)
    }

    private func wait(_ waiter: Waiter, as number: UInt64) {
        guard case .connecting(var attempt) = state else { preconditionFailure("somebody waits for no attempt") }
        attempt.waiters[number] = waiter
        state = .connecting(attempt)
    }

    /// A waiting caller was cancelled. Ignored if the attempt has already ended.
    private func gaveUp(_ number: UInt64) {
        guard case .connecting(var attempt) = state, let waiter = attempt.waiters.removeValue(forKey: number) else {
            return
        }
        if attempt.waiters.isEmpty {
            attempt.task.cancel()
            state = .idle
        } else {
            state = .connecting(attempt)
        }
        waiter.resume(returning: .failure(.cancelled))
    }

    private func ended(_ number: UInt64, _ result: Result<TTRPCClientConnection, TTRPCClientError>) async {
        guard case .connecting(let attempt) = state, attempt.number == number else {
            // No caller waits for this attempt any more.
            if case .success(let connection) = result { await connection.close() }
            return
        }
        switch result {
        case .success(let connection):
            state = .open(connection)
            Task { [weak self] in
                await connection.waitUntilClosed()
                await self?.connectionLost(connection)
            }
        case .failure:
            state = .idle
        }
        let outcome = result.mapError { GateError($0, options: options) }
        for waiter in attempt.waiters.values { waiter.resume(returning: outcome) }
    }

    var isClosed: Bool {
        switch state {
        case .closed: true
        case .idle, .connecting, .open: false
        }
    }

    /// How many callers wait for the attempt that is under way; `nil` if there is no attempt.
    var waiterCount: Int? {
        switch state {
        case .connecting(let attempt): attempt.waiters.count
        case .idle, .open, .closed: nil
        }
    }

    /// Ends every call and stream, and refuses later ones.
    func close() async {
        let before = state
        state = .closed
        switch before {
        case .idle, .closed: break
        case .open(let connection): await connection.close()
        case .connecting(let attempt):
            attempt.task.cancel()
            for waiter in attempt.waiters.values { waiter.resume(returning: .failure(.clientClosed)) }
            await attempt.task.value
        }
    }

    /// The connection was lost, as one of its calls or it itself reports. The next caller opens another one.
    func connectionLost(_ connection: TTRPCClientConnection) {
        switch state {
        case .open(let current) where current === connection: state = .idle
        case .open, .idle, .connecting, .closed: break
        }
    }

    private static func connect(
        _ options: GateClientOptions
    ) async -> Result<TTRPCClientConnection, TTRPCClientError> {
        do throws(TTRPCClientError) {
            return .success(
                try await TTRPCClientConnection.connect(
                    to: options.socketPath, eventLoop: eventLoop, limits: ConnectionLimits(),
                    serverUIDs: options.serverUserIDs, connectTimeout: options.connectTimeout,
                    cancellation: .gate))
        } catch {
            return .failure(error)
        }
    }
}

/// A client's connection while it lasts. Whatever belongs together has to go over the same one: a presentation and its
/// answer, a stream and the calls about it.
struct OpenConnection: Sendable {
    let transport: TTRPCClientConnection
    let shared: SharedConnection

    var options: GateClientOptions { shared.options }

    /// Calls a unary method, within the options' `callTimeout`.
    func call<Request, Response>(
        _ method: Method<Request, Response>, _ request: Request
    ) async throws(GateError) -> Response {
        try await call(method, request, timeout: options.callTimeout)
    }

    func call<Request, Response>(
        _ method: Method<Request, Response>, _ request: Request, timeout: Duration?
    ) async throws(GateError) -> Response {
        let answer = try await call(
            service: method.service, method: method.name, payload: request.encoded(), timeout: timeout)
        return try Response(ofDaemon: answer)
    }

    func call(
        service: String, method: String, payload: [UInt8], timeout: Duration?
    ) async throws(GateError) -> [UInt8] {
        do throws(TTRPCClientError) {
            return try await transport.call(
                service: service, method: method, payload: payload, timeout: timeout, metadata: options.metadata)
        } catch .connectionLost {
            await shared.connectionLost(transport)
            var lost = GateError(.connectionLost, options: options)
            lost.message += " Whether the call had an effect is unknown: look at the mode."
            throw lost
        } catch {
            throw GateError(error, options: options)
        }
    }

    func openStream<Request, Response>(
        _ method: Method<Request, Response>, _ request: Request
    ) async throws(GateError) -> MessageStream {
        try await openStream(service: method.service, method: method.name, payload: request.encoded())
    }

    func openStream(service: String, method: String, payload: [UInt8]) async throws(GateError) -> MessageStream {
        do throws(TTRPCClientError) {
            let stream = try await transport.openStream(
                service: service, method: method, payload: payload, timeout: nil, metadata: options.metadata)
            return MessageStream(stream: stream, options: options)
        } catch {
            if error == .connectionLost { await shared.connectionLost(transport) }
            throw GateError(error, options: options)
        }
    }
}

extension GateClientOptions {
    /// The metadata of every call: this program's name for itself.
    var metadata: [Metadata] { [Metadata(key: "program", value: programName)] }
}

extension WireMessage {
    /// Decodes a message of the daemon. If that fails it is the daemon's mistake, so the error is `INTERNAL`.
    init(ofDaemon bytes: [UInt8]) throws(GateError) {
        do throws(GateError) {
            self = try Self(decoding: bytes)
        } catch {
            throw GateError(
                .internal, .unspecified, "The daemon sent a message that this client can't read: \(error.message)")
        }
    }
}

/// The encoded messages of a server stream, up to its end of data. Releasing the stream ends it on the daemon too.
package struct MessageStream: AsyncSequence, Sendable {
    package typealias Element = [UInt8]
    package typealias Failure = GateError

    let stream: TTRPCClientStream
    let options: GateClientOptions

    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(iterator: stream.makeAsyncIterator(), options: options)
    }

    /// Ends the stream. A task that waits for its next message gets `CANCELLED`.
    func cancel() {
        stream.cancel()
    }

    package struct AsyncIterator: AsyncIteratorProtocol {
        var iterator: TTRPCClientStream.AsyncIterator
        let options: GateClientOptions

        /// Whether `next` returns at once. True for each message that the daemon sent before it answered a call.
        package var hasNext: Bool { iterator.hasNext }

        package mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(GateError) -> [UInt8]? {
            do throws(TTRPCClientError) {
                return try await iterator.next(isolation: actor)
            } catch {
                throw GateError(error, options: options)
            }
        }
    }
}
