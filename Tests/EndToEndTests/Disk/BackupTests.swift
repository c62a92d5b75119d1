import Foundation
import ProcessSupport
import SQLite
import Testing

@Suite("Backups", .serialized, .waitsForProcesses)
struct BackupTests {
    private func files(of gate: RunningGate) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: gate.stateDirectory)
    }

    private func hasPasscode(_ gate: RunningGate) throws -> Bool {
        let result = try gate.gatectl("call", "gate.v1.Secrets/GetSecrets", "{}")
        try #require(result.status == 0, "\(result.errors)")
        return result.output.contains("PASSCODE")
    }

    private func mode(of path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    /// As another program does it while no daemon runs.
    private func change(_ store: String, _ statements: String...) throws {
        let queue = try DatabaseQueue(path: store)
        try queue.write { database in
            for statement in statements { try database.execute(sql: statement) }
        }
        try queue.close()
    }

    @Test("a backup can be restored on another device, and watchers are told at once")
    func story() throws {
        let gate = try RunningGate()
        #expect(try gate.gatectl("passcode", "set", "--stdin", input: "2468\n").status == 0)
        #expect(try gate.gatectl("override", "parent", "--for", "5m", "--reason", "setting up").status == 0)
        let file = gate.directory + "/backup.sqlite"
        let made = try gate.gatectl("backup", file)
        #expect(made.status == 0 && made.output.contains("bytes in"))
        #expect(try mode(of: file) == 0o600)
        #expect(try !files(of: gate).contains { $0.hasSuffix(".backup") })
        // A backup never overwrites an existing file.
        let again = try gate.gatectl("backup", file)
        #expect(again.status == 65 && again.errors.contains("is there already"))

        let other = try RunningGate()
        let watcher = try other.gatectlRunning("watch")
        _ = try watcher.nextLine()
        #expect(try other.gatectl("override", "parent", "--for", "5m", "--reason", "before").status == 0)
        try watcher.lines(through: "parent")
        let checked = try other.gatectl("restore", file, "--check")
        #expect(checked.status == 0 && checked.output.contains("a passcode"))
        #expect(try other.gatectl("status").output.contains("parent"), "nothing was changed")
        let restored = try other.gatectl("restore", file)
        #expect(restored.status == 0 && restored.output.contains("restored"))
        try watcher.lines(through: "child")
        #expect(try hasPasscode(other))
        let journal = try other.gatectl("audit").output
        #expect(journal.contains("restored") && journal.contains("before"), "the journal goes on")
        #expect(try !files(of: other).contains { $0.contains(".restore") })
        // After a crash the same records are there.
        try other.crash()
        try other.start()
        #expect(try hasPasscode(other))
    }

    @Test("a restore names the choices of the backup that were left out, for people and for programs (U-07)")
    func leftOutChoices() throws {
        let gate = try RunningGate()
        let file = gate.directory + "/backup.sqlite"
        #expect(try gate.gatectl("passcode", "set", "--stdin", input: "2468\n").status == 0)
        for action in ["a.photo", "a.video"] {
            #expect(try gate.gatectl("gates", "set", action, "--requires", "passcode").status == 0)
        }
        #expect(try gate.gatectl("backup", file).status == 0)
        let same = try gate.gatectl("restore", file)
        #expect(same.status == 0 && !same.output.contains("left out"))
        for action in ["a.photo", "a.video"] { #expect(try gate.gatectl("gates", "unset", action).status == 0) }
        let restored = try gate.gatectl("restore", file)
        #expect(restored.status == 0)
        #expect(restored.output.contains("could lower a gate were left out: a.photo and a.video. `gatectl gates`"))
        let json = try gate.gatectl("restore", file, "--json")
        #expect(json.status == 0 && json.output.contains(#""leftOutChoices":["a.photo","a.video"]"#))
        #expect(try gate.gatectl("restore", file, "--check", "--json").output.contains(#""leftOutChoices":[]"#))
    }

    @Test("a file that is not a backup is refused, and nothing changes")
    func refused() throws {
        let gate = try RunningGate()
        let file = gate.directory + "/wrong"
        for text in ["", "this was a database", String(repeating: "x", count: 2_000_000)] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            let result = try gate.gatectl("restore", file)
            #expect(result.status == 65 && result.errors.contains("can't be restored"))
        }
        #expect(try gate.gatectl("restore", file + "-none").status == 65)
        #expect(try gate.gatectl("status").status == 0)
        #expect(try !files(of: gate).contains { $0.contains(".restore") })
        #expect(try !gate.gatectl("audit").output.contains("restored"))
    }

    @Test(
        "a child can neither make a backup nor restore one",
        .enabled(if: OtherUser.isPossible, "only root can become another user"))
    func child() throws {
        let gate = try RunningGate(isOpenToOthers: true)
        let file = gate.directory + "/backup.sqlite"
        #expect(try gate.gatectl("backup", file).status == 0)
        let child = OtherUser(uid: 20_001)
        for request in ["{}", "{\"offset\": \"5\"}", "{\"backupId\": \"1\"}"] {
            let call = try child.run(gate, "call", "gate.v1.Control/Backup", request)
            #expect(call.status == 77, "\(call.errors)")
        }
        let call = try child.run(gate, "call", "gate.v1.Control/Restore", "{\"piece\": \"AAAA\", \"isLast\": true}")
        #expect(call.status == 77, "\(call.errors)")
        #expect(try !files(of: gate).contains { $0.contains(".restore") })
    }

    @Test("a backup is made and restored while others change the state")
    func meanwhile() throws {
        let gate = try RunningGate()
        let file = gate.directory + "/backup.sqlite"
        #expect(try gate.gatectl("passcode", "set", "--stdin", input: "2468\n").status == 0)
        #expect(try gate.gatectl("backup", file).status == 0)
        let writers = try (0..<3).map { _ in
            try ChildProcess(
                "/bin/sh",
                [
                    "-c",
                    "for i in $(seq 40); do \"$0\" override child --reason again --socket \"$1\" --server-user \"$(id -u)\" "
                        + "|| exit 1; done", builtProgram("gatectl"), gate.socket,
                ])
        }
        for _ in 0..<5 { #expect(try gate.gatectl("restore", file).status == 0) }
        for number in 0..<5 { #expect(try gate.gatectl("backup", file + "\(number)").status == 0) }
        for writer in writers { #expect(try writer.ended().status == 0) }
        let numbers = try gate.gatectl("audit").output.components(separatedBy: "\n")
        #expect(numbers.count { $0.contains("overridden") } == 120)
        #expect(numbers.count { $0.contains("restored") } == 5)
    }

    @Test(
        "after kill -9 during a restore the store is the old or the restored one", arguments: [0, 5, 10, 20, 40])
    func killed(milliseconds: Int) throws {
        let gate = try RunningGate()
        let file = gate.directory + "/backup.sqlite"
        #expect(try gate.gatectl("passcode", "set", "--stdin", input: "2468\n").status == 0)
        #expect(try gate.gatectl("backup", file).status == 0)
        #expect(try gate.gatectl("passcode", "remove").status == 0)
        let restore = try gate.gatectlRunning("restore", file)
        Thread.sleep(forTimeInterval: Double(milliseconds) / 1000)
        try gate.crash()
        let status = try restore.ended().status
        try gate.start()
        let hasPasscode = try hasPasscode(gate)
        let isJournalled = try gate.gatectl("audit").output.contains("restored")
        #expect(hasPasscode == isJournalled)
        #expect(status != 0 || hasPasscode, "what was confirmed is there")
        #expect(try gate.gatectl("doctor").output.isEmpty == false)
        #expect(try !files(of: gate).contains { $0.contains(".restore") })
    }

    @Test(
        "without room for a copy of the store, gated does not upgrade it and says so",
        .disabled(if: isThreadSanitized))
    func fullBeforeUpgrade() throws {
        let gate = try RunningGate()
        #expect(try gate.stop() == 0)
        let store = gate.stateDirectory + "/gate.sqlite"
        try change(
            store, "DELETE FROM grdb_migrations WHERE identifier = 'receipts'", "DROP TABLE receipt")
        // 64 KiB a file: room for everything but the copy.
        let limited = try gate.startWithSmallFiles("ulimit -f 128")
        let result = try limited.ended()
        #expect(result.status == 69)
        #expect((result.errors + result.output).contains("the copy that is made before"), "\(result.errors)")
        #expect(try !files(of: gate).contains { $0.hasPrefix("gate-schema-") || $0.hasSuffix(".copy") })
        try gate.start()
        #expect(try gate.gatectl("ping").status == 0)
        #expect(try files(of: gate).contains { $0.hasPrefix("gate-schema-") })
    }

    @Test("with a newer store gated says how to go back, and ends without being restarted")
    func newerStore() throws {
        let gate = try RunningGate()
        #expect(try gate.stop() == 0)
        try change(gate.stateDirectory + "/gate.sqlite", "INSERT INTO grdb_migrations VALUES ('next')")
        let result = try ChildProcess(builtProgram("gated"), gate.daemonArguments).ended()
        #expect(result.status == 65)
        #expect((result.errors + result.output).contains("install that version again"))
    }

    @Test("with a store from before 0.9.0 gated says what to install, and ends without being restarted")
    func olderStore() throws {
        let gate = try RunningGate()
        #expect(try gate.stop() == 0)
        try change(gate.stateDirectory + "/gate.sqlite", "DELETE FROM grdb_migrations WHERE identifier = 'owners'")
        let result = try ChildProcess(builtProgram("gated"), gate.daemonArguments).ended()
        #expect(result.status == 65)
        #expect((result.errors + result.output).contains("install Gate 0.9.0"))
    }
}
