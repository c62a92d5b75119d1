import GateModel
import NIOCore
import NIOPosix
import TTRPC
import TTRPCTransport

/// The one connection of a client, opened when somebody first needs it, and anew when somebody needs it after it was lost.
actor SharedConnection {
    private typealias Waiter = CheckedContinuation<Result<TTRPCClientConnection, GateError>, Never>

    private enum State {
        /// There is none. Can go to: connecting, closed.
        case idle
        /// Somebody needs it, and everybody who does waits for this attempt. Can go to: open, idle (it failed, or nobody waits
        /// for it any more), closed.
        case connecting(Attempt)
        /// Can go to: idle (it was lost), closed.
        case open(TTRPCClientConnection)
        /// The client was closed. Can go nowhere.
        case closed
    }

    private struct Attempt {
        let number: UInt64
        /// One of its own: that one of those who wait gives up does not end it for the others.
        let task: Task<Void, Never>
        var waiters: [UInt64: Waiter] = [:]
    }

    /// One loop for all clients of a process: a client has little to do, and a thread costs more than it gives.
    private static let eventLoop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()

    let options: GateClientOptions
    private var state = State.idle
    /// Counts attempts, and those who wait for one.
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

    /// The connection, as it is now or as soon as it is there. One attempt is made; who wants more tries again. Anyone
    /// who is cancelled waits no longer, and an attempt that nobody waits for is given up.
    func connected() async throws(GateError) -> TTRPCClientConnection {
        switch state {
        case .open(let connection): return connection
        case .closed: throw GateError.clientClosed
        case .connecting: break
        case .idle: state = .connecting(newAttempt())
        }
        let number = nextNumber()
        // Nothing comes between here and `wait`: a cancellation finds who it is about.
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { wait($0, as: number) }
        } onCancel: {
            Task { await self.gaveUp(number) }
        }
        return try outcome.get()
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

    /// One of those who wait was cancelled. Late and harmless where the attempt has ended.
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
            // Nobody waits for it any more.
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

    /// Whether the client was closed on purpose.
    var isClosed: Bool {
        switch state {
        case .closed: true
        case .idle, .connecting, .open: false
        }
    }

    /// How many wait for the attempt that is under way; `nil`: none is.
    var waiterCount: Int? {
        switch state {
        case .connecting(let attempt): attempt.waiters.count
        case .idle, .open, .closed: nil
        }
    }

    /// Ends every call and stream, for good.
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

    /// It is gone, as its user has found, or as it says itself: anyone who needs one next opens another.
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
                    serverUIDs: options.trustedServers.userIDs, connectTimeout: options.connectTimeout,
                    cancellation: .gate))
        } catch {
            return .failure(error)
        }
    }
}
