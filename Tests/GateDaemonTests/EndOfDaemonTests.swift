import Foundation
import GateStore
import Logging
import ServiceLifecycle
import Synchronization
import TTRPCTransport
import Testing

@testable import GateDaemon

@Suite("The end of a daemon", .timeLimit(.minutes(10)))
struct EndOfDaemonTests {
    /// In a process of its own: a daemon takes its process's limits and environment for its own.
    @Test("nothing keeps the authority of a daemon that was stopped, or a part of it")
    func freed() async {
        await #expect(processExitsWith: .success) {
            let held = Mutex<AuthorityParts?>(nil)
            try await EndOfDaemonTests.run { authority in
                let parts = await authority.parts
                held.withLock { $0 = parts }
            }
            // The last task of its event loop may still be letting go.
            for _ in 0..<500 where held.withLock({ $0?.areThere }) != false {
                try await Task.sleep(for: .milliseconds(10))
            }
            guard held.withLock({ $0?.areThere }) == false else { exit(1) }
        }
    }

    @Test("a second socket that can't be made ends the daemon in order: the first is gone, and the store is free")
    func secondListener() async {
        await #expect(processExitsWith: .success) {
            let directory = "/tmp/gate-\(UUID().uuidString.prefix(8))"
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            defer { try? FileManager.default.removeItem(atPath: directory) }
            let first = Daemon.Listener(socket: .path("\(directory)/sock", mode: 0o600))
            let second = Daemon.Listener(socket: .path("\(directory)/missing/sock", mode: 0o600))
            for _ in 0..<2 {
                let daemon = Daemon(
                    settings: Daemon.Settings(listeners: [first, second], stateDirectory: directory),
                    surroundings: .ofThisDevice(configDirectory: directory),
                    logger: Logger(label: "gated") { _ in SwiftLogNoOpLogHandler() })
                do {
                    try await daemon.run()
                    exit(1)
                } catch let error as StoreError {
                    // The store of the first one is still taken.
                    print(error)
                    exit(2)
                } catch {
                    guard !FileManager.default.fileExists(atPath: "\(directory)/sock") else { exit(3) }
                }
            }
            // The last of them may still be on its way out.
            for _ in 0..<500 where try Self.threadNames().contains(where: { $0.hasPrefix("NIO-ELT") }) {
                try await Task.sleep(for: .milliseconds(10))
            }
            guard try !Self.threadNames().contains(where: { $0.hasPrefix("NIO-ELT") }) else { exit(4) }
        }
    }

    private static func threadNames() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").compactMap {
            try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)
        }
    }

    /// A daemon from its start to its end.
    private static func run(onReady: @escaping @Sendable (Authority) async -> Void) async throws {
        let directory = "/tmp/gate-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let (isReady, ready) = AsyncStream.makeStream(of: Void.self)
        let daemon = Daemon(
            settings: Daemon.Settings(
                listeners: [Daemon.Listener(socket: .path("\(directory)/sock", mode: 0o600))],
                stateDirectory: directory),
            surroundings: .ofThisDevice(configDirectory: directory),
            logger: Logger(label: "gated") { _ in SwiftLogNoOpLogHandler() },
            onReady: { authority in
                Task {
                    await onReady(authority)
                    ready.yield()
                }
            })
        let services = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [.init(service: daemon, successTerminationBehavior: .gracefullyShutdownGroup)],
                logger: Logger(label: "lifecycle") { _ in SwiftLogNoOpLogHandler() }))
        let running = Task { try await services.run() }
        for await _ in isReady { break }
        await services.triggerGracefulShutdown()
        try await running.value
    }
}

/// An authority and its parts, as long as something keeps them.
private final class AuthorityParts: @unchecked Sendable {
    private weak var authority: Authority?
    private weak var pipeline: CommandPipeline?
    private weak var publisher: Publisher?
    private weak var sessions: Sessions?
    private weak var deadlines: Deadlines?
    private weak var policy: PolicyReload?
    private weak var verifications: Verifications?

    init(of authority: isolated Authority) {
        self.authority = authority
        (pipeline, publisher, sessions) = (authority.pipeline, authority.publisher, authority.sessions)
        (deadlines, policy, verifications) = (authority.deadlines, authority.policy, authority.verifications)
    }

    var areThere: Bool {
        let parts: [AnyObject?] = [authority, pipeline, publisher, sessions, deadlines, policy, verifications]
        return parts.contains { $0 != nil }
    }
}

extension Authority {
    fileprivate var parts: AuthorityParts { AuthorityParts(of: self) }
}
