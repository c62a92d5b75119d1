import Epoll
import Foundation
import GatePolicy
import GateStore
import Logging
import Synchronization
import TTRPCTransport
import Testing

@testable import GateDaemon

@Suite("The end of a daemon", .timeLimit(.minutes(10)))
struct EndOfDaemonTests {
    /// Runs in a process of its own, because a daemon changes its process's limits and environment.
    @Test("after a stop the authority and its parts are freed")
    func freed() async {
        await #expect(processExitsWith: .success) {
            let held = Mutex<AuthorityParts?>(nil)
            try await EndOfDaemonTests.run { authority in
                let parts = await authority.parts
                held.withLock { $0 = parts }
            }
            // The last task of its event loop may still be releasing it.
            for _ in 0..<500 where held.withLock({ $0?.areThere }) != false {
                try await Task.sleep(for: .milliseconds(10))
            }
            guard held.withLock({ $0?.areThere }) == false else { exit(1) }
        }
    }

    @Test("stopping waits for a reload that is under way")
    func reloading() async {
        await #expect(processExitsWith: .success) {
            let reloading = Reloading()
            try await EndOfDaemonTests.run(reading: { reloading.read() }) { authority in
                Task {
                    await authority.reload()
                    reloading.isDone.withLock { $0 = true }
                }
                while reloading.count.withLock({ $0 }) < 2 { await Task.yield() }
            }
            guard reloading.isDone.withLock({ $0 }) else { exit(1) }
            guard reloading.count.withLock({ $0 }) == 2 else { exit(2) }
        }
    }

    @Test("if the second socket can't be made, the daemon ends in order and frees the first one and the store")
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
                    environment: .ofThisDevice(configDirectory: directory),
                    logger: Logger(label: "gated") { _ in SwiftLogNoOpLogHandler() })
                let loop = try EpollLoop(name: "gated loop")
                do {
                    try await daemon.run(on: loop, until: StopRequest())
                    exit(1)
                } catch let error as StoreError {
                    // The first daemon still has the store.
                    print(error)
                    exit(2)
                } catch {
                    guard !FileManager.default.fileExists(atPath: "\(directory)/sock") else { exit(3) }
                }
                await loop.end()
            }
            // The last threads may still be ending.
            for _ in 0..<500 where try Self.threadNames().contains(where: { $0.hasPrefix("gated loop") }) {
                try await Task.sleep(for: .milliseconds(10))
            }
            guard try !Self.threadNames().contains(where: { $0.hasPrefix("gated loop") }) else { exit(4) }
        }
    }

    private static func threadNames() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").compactMap {
            try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)
        }
    }

    /// A daemon from its start to its end.
    /// - Parameter reading: done before each reading of the policy.
    private static func run(
        reading: @escaping @Sendable () -> Void = {}, onReady: @escaping @Sendable (Authority) async -> Void
    ) async throws {
        let directory = "/tmp/gate-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: directory) }
        var environment = Environment.ofThisDevice(configDirectory: directory)
        let readPolicyFiles = environment.readPolicyFiles
        environment.readPolicyFiles = { () throws(PolicyError) in
            reading()
            return try readPolicyFiles()
        }
        let (isReady, ready) = AsyncStream.makeStream(of: Void.self)
        let daemon = Daemon(
            settings: Daemon.Settings(
                listeners: [Daemon.Listener(socket: .path("\(directory)/sock", mode: 0o600))],
                stateDirectory: directory),
            environment: environment,
            logger: Logger(label: "gated") { _ in SwiftLogNoOpLogHandler() })
        let (loop, stop) = (try EpollLoop(name: "gated loop"), StopRequest())
        let running = Task {
            try await daemon.run(on: loop, until: stop) { authority in
                Task {
                    await onReady(authority)
                    ready.yield()
                }
            }
        }
        for await _ in isReady { break }
        stop.make()
        let result = await running.result
        await loop.end()
        try result.get()
    }
}

/// A policy that is read quickly at the start, and slowly again.
private final class Reloading: Sendable {
    let count = Mutex(0)
    let isDone = Mutex(false)

    /// Reads on a thread that may wait.
    func read() {
        let count = count.withLock { count in
            count += 1
            return count
        }
        if count > 1 { usleep(300_000) }
    }
}

/// An authority and its parts, as long as something retains them.
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
