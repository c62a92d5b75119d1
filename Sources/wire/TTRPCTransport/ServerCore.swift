import NIOCore
import Synchronization
import TTRPC

/// What a server's connections share. Used only on its event loop, except `connectionCount`, so it can be `Sendable`
/// unchecked.
final class ServerCore: @unchecked Sendable {
    let eventLoop: any EventLoop
    let limits: ConnectionLimits
    let writeDeadline: Duration
    let closingDeadline: Duration
    let service: any TTRPCService
    let turns: FairScheduler

    private var connections: [UInt64: TTRPCServerConnection] = [:]
    private let openConnections = Atomic<Int>(0)
    private var lastConnectionID: UInt64 = 0
    private var refusedConnections = 0
    private var awaitingFlush: [TTRPCServerConnection] = []
    private var emptied: EventLoopPromise<Void>?

    init(
        work: PacedWork, limits: ConnectionLimits, writeDeadline: Duration, closingDeadline: Duration,
        service: any TTRPCService
    ) {
        eventLoop = work.eventLoop
        self.limits = limits
        self.writeDeadline = writeDeadline
        self.closingDeadline = closingDeadline
        self.service = service
        turns = FairScheduler(work)
    }

    /// How many connections are open. May be read from any thread.
    var connectionCount: Int { openConnections.load(ordering: .relaxed) }

    func makeConnection(
        _ credentials: PeerCredentials, _ account: BillingAccount, over socket: PeerSocket
    ) -> TTRPCServerConnection {
        eventLoop.assertInEventLoop()
        lastConnectionID += 1
        return TTRPCServerConnection(
            id: lastConnectionID, credentials: credentials, account: account, socket: socket, server: self)
    }

    func add(_ connection: TTRPCServerConnection) {
        connections[connection.id] = connection
        openConnections.store(connections.count, ordering: .relaxed)
        // This peer was accepted just before the listener was closed.
        if emptied != nil { connection.close() }
    }

    func remove(_ connection: TTRPCServerConnection) {
        connections[connection.id] = nil
        openConnections.store(connections.count, ordering: .relaxed)
        if connections.isEmpty { emptied?.succeed() }
    }

    /// A refused peer stays connected to be told why. Returns false if too many do already: then close the connection.
    func refusalBegan() -> Bool {
        refusedConnections += 1
        return refusedConnections <= limits.maximumRefusedConnections
    }

    func refusalEnded() {
        refusedConnections -= 1
    }

    /// Flushes the connection at the end of this tick of the event loop, together with others.
    func flushLater(_ connection: TTRPCServerConnection) {
        awaitingFlush.append(connection)
        guard awaitingFlush.count == 1 else { return }
        eventLoop.execute {
            let connections = self.awaitingFlush
            self.awaitingFlush = []
            for connection in connections { connection.flush() }
        }
    }

    /// Flushes and closes all connections. Close the listener first.
    func closeAll() -> EventLoopFuture<Void> {
        eventLoop.assertInEventLoop()
        if let emptied { return emptied.futureResult }
        let promise = eventLoop.makePromise(of: Void.self)
        emptied = promise
        for connection in connections.values { connection.close() }
        if connections.isEmpty { promise.succeed() }
        return promise.futureResult
    }
}
