import Epoll
import GateCore
package import GateModel
import GateStore
import Logging
import Synchronization
import TTRPCTransport

/// The daemon for the tests of apps: the real authority and its routers behind real sockets, but in the test's own
/// process, with nothing on a disk and without a log. Time and random numbers come from its environment.
package final class UnstoredDaemon: Sendable {
    private let authority: Authority
    private let servers: [TTRPCServer]
    private let loop: EpollLoop

    private init(authority: Authority, servers: [TTRPCServer], loop: EpollLoop) {
        self.authority = authority
        self.servers = servers
        self.loop = loop
    }

    /// Returns when all sockets accept connections.
    /// - Parameter runtimeDirectory: the directory of the status page; `nil`: no status page is made.
    /// - Throws: `BadPolicy`, or an I/O error.
    package static func start(
        listeners: [Daemon.Listener], runtimeDirectory: String? = nil, environment: Environment
    ) async throws -> UnstoredDaemon {
        let inForce = try environment.policyInForce()
        let loop = try EpollLoop(name: "gated loop")
        let limits = DaemonLimits()
        let authority = Authority(
            eventLoop: loop, store: ForgetfulStore(),
            records: DurableRecords(revision: ForgetfulStore.firstRevision), inForce: inForce,
            environment: environment, limits: limits,
            logger: Logger(label: "gated") { _ in SwiftLogNoOpLogHandler() })
        try await authority.start(quarantinedFile: nil, environment, on: loop)
        if let runtimeDirectory { await authority.openPage(in: runtimeDirectory) }
        var servers: [TTRPCServer] = []
        for listener in listeners {
            servers.append(
                try await TTRPCServer.start(
                    on: listener.socket, loop: loop, work: authority.work, limits: limits.connection,
                    writeDeadline: limits.writeDeadline, closingDeadline: limits.closingDeadline,
                    service: PeerService(authority: authority, identify: listener.identify)))
        }
        return UnstoredDaemon(authority: authority, servers: servers, loop: loop)
    }

    /// Returns when everything that was applied is done and published.
    package func settled() async {
        await authority.settled()
    }

    /// Calls `wake` on the event loop, as an alarm does.
    package func ring(_ wake: @escaping @Sendable () -> Void) async {
        await authority.run(wake)
    }

    /// Submits a provider's statement without verifying a receipt.
    package func submit(_ statement: ProviderStatement, for holder: Claim.Holder?) async throws(GateError) {
        try await authority.submitted(statement, for: holder).get()
    }

    package func presenterCount(of uid: UInt32) async -> Int {
        await authority.presenterCount(of: uid)
    }

    package func stop() async {
        for server in servers { try? await server.stopListening() }
        await authority.stop()
        for server in servers { try? await server.close() }
        await authority.close()
        await loop.end()
    }
}

extension Authority {
    fileprivate func run(_ body: @Sendable () -> Void) {
        body()
    }

    fileprivate func presenterCount(of uid: UInt32) -> Int {
        publisher.presenters.count(of: uid)
    }

    fileprivate func submitted(
        _ statement: ProviderStatement, for holder: Claim.Holder?
    ) async -> Result<Void, GateError> {
        await withCheckedContinuation { continuation in
            pipeline.submit(.entitlements(.submit(statement, for: holder)), as: .daemon) {
                continuation.resume(returning: $0.map { _ in })
            }
        }
    }
}

/// Keeps the journal and the documents in memory. The daemon has the state itself and never reads it back.
private final class ForgetfulStore: StateStore {
    static let firstRevision = Revision(epoch: 1, number: 0)

    private let journal = Mutex<[AuditEntry]>([])
    private let documents = Mutex<[AttachmentDigest: [UInt8]]>([:])

    func commit(_ transitions: [Transition]) throws(StoreError) {
        journal.withLock { $0 += transitions.flatMap(\.audit) }
        documents.withLock { documents in
            for change in transitions.flatMap(\.records) {
                if case .forms(.attachmentStored(let digest, let bytes)) = change { documents[digest] = bytes }
                if case .forms(.attachmentRemoved(let digest)) = change { documents[digest] = nil }
            }
        }
    }

    func attachment(
        _ digest: AttachmentDigest, offset: Int, count: Int
    ) throws(StoreError) -> (piece: [UInt8], byteCount: Int)? {
        documents.withLock { documents in
            documents[digest].map { (piece: Array($0.dropFirst(offset).prefix(count)), byteCount: $0.count) }
        }
    }

    func audit(after number: UInt64?, last: Int?, limit: Int) throws(StoreError) -> AuditPage {
        let entries = journal.withLock { $0.filter { $0.number > number ?? 0 } }
        return AuditPage(entries: last.map { entries.suffix($0) } ?? entries, isComplete: true, oldestNumber: 1)
    }

    func close() {}
}
