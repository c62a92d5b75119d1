import GateModel
import NIOCore
import NIOPosix
import TTRPC
import TTRPCTransport

/// The one connection of a client, opened when somebody first needs it, and anew when somebody needs it after it was lost.
actor SharedConnection {
    private enum State {
        /// There is none. Can go to: connecting, closed.
        case idle
        /// Somebody needs it, and everybody who does waits for this attempt. Can go to: open, idle (it failed), closed.
        case connecting(Task<Result<TTRPCClientConnection, TTRPCClientError>, Never>)
        /// Can go to: idle (it was lost), closed.
        case open(TTRPCClientConnection)
        /// The client was closed. Can go nowhere.
        case closed
    }

    /// One loop for all clients of a process: a client has little to do, and a thread costs more than it gives.
    private static let eventLoop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()

    let options: GateClientOptions
    private var state = State.idle

    init(options: GateClientOptions) {
        self.options = options
    }

    deinit {
        if case .open(let connection) = state {
            Task { await connection.close() }
        }
    }

    /// The connection, as it is now or as soon as it is there. One attempt is made; who wants more tries again.
    func connected() async throws(GateError) -> TTRPCClientConnection {
        let attempt: Task<Result<TTRPCClientConnection, TTRPCClientError>, Never>
        switch state {
        case .open(let connection): return connection
        case .closed: throw GateError.clientClosed
        case .connecting(let current): attempt = current
        case .idle:
            // A task of its own: that one of those who wait gives up does not end it for the others.
            attempt = Task { [options] in await Self.connect(options) }
            state = .connecting(attempt)
        }
        switch await attempt.value {
        case .success(let connection):
            return try await adopt(connection, of: attempt)
        case .failure(let error):
            switch state {
            // Whoever wakes first clears up; a newer attempt is not this one's business.
            case .connecting(let current) where current == attempt: state = .idle
            case .connecting, .idle, .open, .closed: break
            }
            throw GateError(error, options: options)
        }
    }

    /// Whether the client was closed on purpose.
    var isClosed: Bool {
        switch state {
        case .closed: true
        case .idle, .connecting, .open: false
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
            if case .success(let connection) = await attempt.value { await connection.close() }
        }
    }

    private func adopt(
        _ connection: TTRPCClientConnection, of attempt: Task<Result<TTRPCClientConnection, TTRPCClientError>, Never>
    ) async throws(GateError) -> TTRPCClientConnection {
        switch state {
        case .connecting(let current) where current == attempt:
            state = .open(connection)
            Task { [weak self] in
                await connection.waitUntilClosed()
                await self?.connectionLost(connection)
            }
            return connection
        case .open, .idle, .connecting:
            // Somebody else who waited for the same attempt was here first.
            return connection
        case .closed:
            await connection.close()
            throw GateError.clientClosed
        }
    }

    /// It is gone, as whoever used it has found, or as it says itself: whoever needs one next opens another.
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
                    to: options.socketPath, eventLoop: options.eventLoop ?? eventLoop, limits: ConnectionLimits(),
                    serverUIDs: options.trustedServers.userIDs, connectTimeout: options.connectTimeout,
                    cancellation: .gate))
        } catch {
            return .failure(error)
        }
    }
}
