import Foundation
import ProcessSupport
import Testing

@Suite("The store on the disk", .serialized, .waitsForProcesses)
struct StoreFileTests {
    @Test("a damaged store is set aside, the daemon starts closed, and an administrator opens it again")
    func damage() throws {
        let gate = try RunningGate()
        #expect(try gate.stop() == 0)
        let file = gate.stateDirectory + "/gate.sqlite"
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + suffix) }
        try Data("this was a database".utf8).write(to: URL(fileURLWithPath: file))
        try gate.start()

        let refused = try gate.gatectl("toggle", "--stdin", "--json", input: "")
        #expect(refused.status == 69)
        #expect(refused.output.contains("gatectl recover"))
        #expect(try gate.gatectl("status").status == 0)

        // It stays closed over a restart.
        try gate.crash()
        try gate.start()
        #expect(try gate.gatectl("toggle", "--stdin", input: "").status == 69)

        let kept = try FileManager.default.contentsOfDirectory(atPath: gate.stateDirectory)
        let quarantinedFile = try #require(kept.first { $0.contains("damaged") })
        let text = try String(contentsOfFile: gate.stateDirectory + "/" + quarantinedFile, encoding: .utf8)
        #expect(text == "this was a database")

        let recovered = try gate.gatectl("recover")
        #expect(recovered.status == 0)
        #expect(recovered.output.contains(quarantinedFile))
        #expect(try gate.gatectl("toggle", "--stdin", input: "").status == 3)
    }

    @Test("what ended by its time while the daemon was stopped is in the journal after the next start (F-50)")
    func endedWhileStopped() throws {
        let gate = try RunningGate(policy: RunningGate.policy + "entitlements: {premium: {title: Premium}}\n")
        let end = Date(timeIntervalSinceNow: 4)
        let given = try gate.gatectl(
            "entitlements", "add", "premium", "--device", "--until", end.formatted(.iso8601))
        #expect(given.status == 0, "\(given.errors)")
        #expect(try gate.stop() == 0)
        Thread.sleep(until: end)
        try gate.start()
        let journal = try gate.gatectl("audit").output
        #expect(journal.contains("premium: subscribed → expired"), "\(journal)")
    }

    @Test("apps stay guarded while the store is damaged, and are released when an administrator has given it up (X-01)")
    func damageAndApps() throws {
        let gate = try RunningGate()
        let apps = URL(filePath: gate.directory + "/apps")
        #expect(try gate.gatectl("gates", "set", "app.foo", "--requires", "passcode").status == 0)
        #expect(try gate.stop() == 0)
        let file = gate.stateDirectory + "/gate.sqlite"
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + suffix) }
        try Data("this was a database".utf8).write(to: URL(fileURLWithPath: file))
        try gate.start()
        #expect(try gate.gatectl("reload").status == 0)
        #expect(try Data(contentsOf: apps) == Data("foo\n".utf8))
        #expect(try gate.gatectl("recover").status == 0)
        #expect(try Data(contentsOf: apps).isEmpty)
    }

    @Test("a second daemon on the same state refuses to start and says why")
    func twoDaemons() throws {
        let gate = try RunningGate()
        let second = try ChildProcess(
            builtProgram("gated"),
            ["--socket", gate.directory + "/second.sock", "--state-directory", gate.stateDirectory])
        let result = try second.ended()
        #expect(result.status == 69)
        #expect(result.errors.contains(gate.stateDirectory))
        #expect(try gate.gatectl("ping").status == 0)
    }

    /// A limit of the size of files stands for a small disk.
    private static let noSmallDisk = ConditionTrait.disabled(
        if: isThreadSanitized, "the thread sanitizer has larger files of its own, and ends the daemon")

    @Test("a lease ends for everyone on time, even if the disk is full", noSmallDisk)
    func leaseEndsOnFullDisk() throws {
        let gate = try RunningGate()
        #expect(try gate.stop() == 0)
        let limited = try gate.startOnSmallDisk()
        let watcher = try gate.gatectlRunning("watch", "--json")
        var status: Int32 = 0
        for _ in 0..<2000 where status == 0 {
            status = try gate.gatectl(
                "override", "parent", "--for", "3s", "--reason", String(repeating: "x", count: 190)
            ).status
        }
        #expect(status == 69, "the limit was never reached")
        try watcher.lines(through: "MODE_PARENT")
        // The end of parent mode can't be recorded, but the watcher is told of it.
        try watcher.lines(through: "MODE_CHILD")
        #expect(try gate.gatectl("status").output.contains("child"))
        #expect(try gate.gatectl("wait", "--mode", "parent", "--timeout", "1s").status != 0)
        limited.signal(SIGTERM)
        #expect(try limited.ended().status == 0)
    }

    @Test("a full disk fails commands and nothing else, and no refused command is stored", noSmallDisk)
    func diskFull() throws {
        let gate = try RunningGate()
        #expect(try gate.stop() == 0)
        let limited = try gate.startOnSmallDisk()
        let peer = try RawPeer(gate.socket)
        var refusedAt: UInt32?
        var stream: UInt32 = 1
        while refusedAt == nil, stream < 4000 {
            let payload: [UInt8] = [0x08, 0x03, 0x1a, 0xc8, 0x01] + [UInt8](repeating: 0x78, count: 200)
            peer.write(
                RawPeer.frame(
                    stream: stream, type: 1, flags: 0,
                    data: [0x0a, 12] + Array("gate.v1.Mode".utf8) + [0x12, 12] + Array("OverrideMode".utf8)
                        + [0x1a, UInt8(payload.count & 0x7f) | 0x80, UInt8(payload.count >> 7)] + payload))
            if RawPeer.code(try #require(peer.read())) == 14 { refusedAt = stream }
            stream += 2
        }
        #expect(refusedAt != nil, "the limit was never reached")
        #expect(try gate.gatectl("status").status == 0)
        #expect(try gate.gatectl("lock").status == 69)
        limited.signal(SIGTERM)
        #expect(try limited.ended().status == 0)

        try gate.start()
        #expect(try gate.gatectl("lock").status == 0)
        let journal = try gate.gatectl("audit", "--json").output
        let overrides = journal.components(separatedBy: "AUDIT_KIND_OVERRIDDEN").count - 1
        #expect(overrides == Int(stream / 2) - 1)
    }

    /// The lines of the daemon's log up to the one that says that it waits for room.
    private func logUntilItWaits(_ daemon: ChildProcess) throws -> String {
        while let line = try daemon.nextLineAnywhere() {
            if line.text.contains("make room") { return line.text }
        }
        throw daemon.failure("it has ended")
    }

    @Test("a daemon that finds the disk full at its start says so, and serves as soon as there is room", noSmallDisk)
    func waitsForRoom() throws {
        let gate = try RunningGate()
        #expect(try gate.gatectl("override", "child", "--reason", "kept").status == 0)
        #expect(try gate.stop() == 0)
        let waiting = try gate.startOnFullDisk()
        #expect(try logUntilItWaits(waiting).contains("not serving yet: the disk of the state directory is full"))
        #expect(try gate.gatectl("ping").status == 69)
        try gate.makeRoom(for: waiting)
        try eventually("it serves") { try gate.gatectl("ping").status == 0 }
        #expect(try gate.gatectl("audit").output.contains("kept"))
        waiting.signal(SIGTERM)
        #expect(try waiting.ended().status == 0)
    }

    @Test("a daemon that waits for room ends when it is asked to, and by itself after a while", noSmallDisk)
    func waitsNotForEver() throws {
        let gate = try RunningGate(), other = try RunningGate()
        #expect(try gate.stop() == 0)
        #expect(try other.stop() == 0)
        let stopped = try gate.startOnFullDisk(), patient = try other.startOnFullDisk()
        _ = try logUntilItWaits(stopped)
        stopped.signal(SIGTERM)
        #expect(try stopped.ended().status == 0)
        let result = try patient.ended()
        #expect(result.status == 69)
        #expect(result.errors.contains("gated has to stop: the disk of the state directory is full"))
    }
}
