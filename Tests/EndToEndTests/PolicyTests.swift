import Foundation
import Glibc
import ProcessSupport
import Testing

/// A policy file, right or wrong, as an administrator sees it.
@Suite("The policy, from its files to what is in force", .serialized, .waitsForProcesses)
struct PolicyTests {
    private static let typo = """
        mode: {challenge: arithmetic-choice}
        gated-actions:
          link.open: {requires: {challenge: arithmetic-choise}}
          photos.delete: {requires: {mode: parent}}

        """

    @Test("a reload with a typo is refused with its line and column, and the policy before stays in force")
    func reloadWithTypo() throws {
        let gate = try RunningGate()
        let before = try gate.gatectl("policy", "show").output
        try gate.writePolicy(Self.typo)
        let refused = try gate.gatectl("reload")
        #expect(refused.status == 65)
        #expect(refused.errors.contains("\(gate.configurationDirectory)/policy.yaml:3:37: "), "\(refused.errors)")
        #expect(refused.errors.contains("'arithmetic-choise'") && refused.errors.contains("'arithmetic-choice'?"))
        #expect(try gate.gatectl("policy", "show").output == before)
        #expect(try gate.gatectl("check", "link.open").status == 2)

        // A reload by signal gives the same, and gated writes it into the log.
        gate.daemon.signal(SIGHUP)
        var heard = ""
        while !heard.contains("policy.yaml:3:37: ") {
            heard = try #require(try gate.daemon.nextLineAnywhere()).text
        }
        #expect(try gate.gatectl("policy", "show").output == before)
    }

    @Test("a valid reload is in force at once as a whole, and open questions are decided by it")
    func reload() throws {
        let gate = try RunningGate()
        let screen = try RelayScreen(gate)
        let requester = try gate.gatectlRunning("authorize", "link.open", hasInput: false)
        _ = try screen.shown()
        try gate.writePolicy("gated-actions:\n  store.open: {title: Look around, requires: {mode: parent}}\n")
        #expect(try gate.gatectl("reload").status == 0)
        // The gated action is gone from the policy, and its question is gone from the screen.
        #expect(try requester.ended().status == 1)
        try screen.cleared()
        #expect(try gate.gatectl("check", "link.open").status == 1)
        #expect(try gate.gatectl("check", "store.open").status == 2)
        let gates = try gate.gatectl("gates").output
        #expect(gates.contains("Look around") && !gates.contains("link.open"))
    }

    @Test("an action defined in two files is refused, and both files are named")
    func twoFiles() throws {
        let gate = try RunningGate()
        let more = gate.configurationDirectory + "/policy.d"
        try FileManager.default.createDirectory(
            atPath: more, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        try Data("gated-actions:\n  store.open: {requires: {mode: parent}}\n".utf8)
            .write(to: URL(filePath: more + "/store.yaml"))
        #expect(try gate.gatectl("reload").status == 0)
        #expect(try gate.gatectl("check", "store.open").status == 2)

        try Data("gated-actions:\n  link.open: {requires: {mode: parent}}\n".utf8)
            .write(to: URL(filePath: more + "/weaker.yaml"))
        let refused = try gate.gatectl("reload")
        #expect(refused.status == 65)
        #expect(refused.errors.contains("weaker.yaml:2:3: ") && refused.errors.contains("policy.yaml"))
    }

    @Test("gated does not start with a policy that has a mistake, and says where it is")
    func start() throws {
        let gate = try RunningGate()
        #expect(try gate.stop() == 0)
        try gate.writePolicy(Self.typo)
        let daemon = try ChildProcess(builtProgram("gated"), gate.daemonArguments)
        let result = try daemon.ended()
        #expect(result.status == 65)
        #expect(result.errors.contains("policy.yaml:3:37: "))
        #expect(!FileManager.default.fileExists(atPath: gate.socket))
        try gate.writePolicy(RunningGate.policy)
        try gate.start()
        #expect(try gate.gatectl("status").output.contains("child"))
    }

    @Test("a gate before an app puts it on the list of guarded apps, over restarts, until it is taken back (X-01)")
    func guardedApps() throws {
        let gate = try RunningGate(launcher: ["/bin/sh", "-c", "umask 077; exec \"$0\" \"$@\""])
        let file = gate.directory + "/apps"
        func list() throws -> String { try String(contentsOfFile: file, encoding: .utf8) }
        #expect(try list() == "")
        let set = try gate.gatectl("gates", "set", "app.foo", "--requires", "passcode")
        #expect(set.status == 0, "\(set.errors)")
        #expect(try list() == "foo\n")
        #expect(try gate.gatectl("policy", "show").output.contains("; guards the app foo [choice of app.foo]"))
        #expect(try gate.stop() == 0)
        #expect(try list() == "foo\n")
        try FileManager.default.removeItem(atPath: file)
        try gate.start()
        #expect(try list() == "foo\n")
        let permissions = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(permissions == 0o644)
        #expect(try gate.gatectl("gates", "unset", "app.foo").status == 0)
        #expect(try list() == "")
    }

    @Test("gatectl chooses times, lists them with the gates that need them, and takes none of these back (Z-07)")
    func chosenTimes() throws {
        let gate = try RunningGate()
        #expect(try gate.gatectl("allowances").output.isEmpty)
        let set = try gate.gatectl("allowances", "set", "games", "mon-fri=1h", "sat,sun=2h", "day-starts=4:00")
        #expect(set.status == 0 && set.output.contains("mon-fri: 1h, sat-sun: 2h, day-starts: 4:00"), "\(set.output)")
        let hours = try gate.gatectl("schedules", "set", "after-school", "15:00-19:00")
        #expect(hours.status == 0 && hours.output.contains("mon-sun: 15:00-19:00"), "\(hours.errors)")
        let both = "{all: [{during: after-school}, {allowance: games}]}"
        #expect(try gate.gatectl("gates", "set", "app.chess", "--requires", both).status == 0)
        try gate.crash()
        try gate.start()
        for (verb, name) in [("allowances", "games"), ("schedules", "after-school")] {
            let list = try gate.gatectl(verb).output
            #expect(list.hasPrefix(name) && list.contains("app.chess") && list.contains("chosen on this device"))
            let refused = try gate.gatectl(verb, "unset", name)
            #expect(refused.status == 65 && refused.errors.contains("app.chess"), "\(refused.errors)")
        }
        #expect(try gate.gatectl("gates", "unset", "app.chess").status == 0)
        #expect(try gate.gatectl("allowances", "unset", "games").status == 0)
        #expect(try gate.gatectl("allowances").output.isEmpty)
        #expect(try gate.gatectl("allowances", "set", "games").status == 64)
        for time in ["mon=", "=1h", "mon=1h=2h", "{mon: 1h}"] {
            #expect(try gate.gatectl("allowances", "set", "games", time).status == 64, "\(time)")
        }
        #expect(try gate.gatectl("allowances", "set", "games", "mon=soon").status == 65)
    }

    @Test("gated --check says what would be in force, or what is wrong, and starts nothing")
    func check() throws {
        let gate = try RunningGate()
        #expect(try gate.stop() == 0)
        let arguments = gate.daemonArguments + ["--check"]
        let right = try ChildProcess(builtProgram("gated"), arguments).ended()
        #expect(right.status == 0)
        #expect(right.output.contains("link.open (Open a web page): challenge arithmetic-choice"))
        try gate.writePolicy(Self.typo)
        let wrong = try ChildProcess(builtProgram("gated"), arguments).ended()
        #expect(wrong.status == 65)
        #expect((wrong.output + wrong.errors).contains("policy.yaml:3:37: "))
        #expect(!FileManager.default.fileExists(atPath: gate.socket))
    }

    @Test("gatectl policy check needs no daemon: 65 with each mistake on a line, and the nearest word")
    func policyCheck() throws {
        let folder = NSTemporaryDirectory() + "gate-policy-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = folder + "/draft.yaml"
        try Data("gated-actoins:\n  link.open: {}\nmode:\n  lease: 15\n".utf8).write(to: URL(filePath: file))
        let wrong = try policyCheck(file)
        #expect(wrong.status == 65)
        #expect(wrong.errors.contains("draft.yaml:1:1: 'gated-actoins'"), "\(wrong.errors)")
        #expect(wrong.errors.contains("'gated-actions'?"))
        #expect(wrong.errors.contains("draft.yaml:4:10: "), "\(wrong.errors)")

        let right = try policyCheck(repositoryFile("examples/device/policy.yaml"))
        #expect(right.status == 0)
        let rows = right.output.split(separator: "\n")
        // What only a grown-up knows keeps programs out; a sum does not.
        #expect(rows.contains { $0.hasPrefix("purchase") && $0.contains(" no ") })
        #expect(rows.contains { $0.hasPrefix("store.open") && $0.contains(" yes ") && $0.contains("1 in ") })
    }

    @Test("a policy check warns of a question for grown-ups that nobody may present, and of unknown users and groups")
    func policyCheckWarnings() throws {
        let folder = NSTemporaryDirectory() + "gate-policy-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = folder + "/draft.yaml"
        let gates = """
            mode: {challenge: passcode}
            gated-actions:
              chat: {requires: {challenge: {kind: confirm, answered-by: grown-up}}}
              say-yes: {requires: {any: [{mode: parent}, {challenge: {kind: confirm, answered-by: grown-up}}]}}

            """
        try Data(gates.utf8).write(to: URL(filePath: file))
        let alone = try policyCheck(file)
        #expect(alone.status == 0)
        let nobody =
            "warning: Only grown-ups may answer at chat, but the policy lets nobody show them the question. Name their users "
            + "under `roles: grown-up-presenter: users:`.\n"
        #expect(alone.output.contains(nobody), "\(alone.output)")

        let roles = """
            roles:
              presenter: {users: [gate-nobody-here, 65531], groups: [gate-no-group]}
              grown-up-presenter: {users: [65533]}

            """
        try Data((gates + roles).utf8).write(to: URL(filePath: file))
        let named = try policyCheck(file)
        #expect(named.status == 0 && !named.output.contains("Only grown-ups"))
        let unknown = "The policy gives roles to"
        #expect(
            named.output.contains(
                "warning: \(unknown) users that this device does not have: gate-nobody-here. Correct the names, or create the "
                    + "users.\n"),
            "\(named.output)")
        #expect(
            named.output.contains(
                "warning: \(unknown) groups that this device does not have: gate-no-group. Correct the names, or create the "
                    + "groups.\n"))
    }

    @Test("both programs refuse a policy that others can write, and say how to fix it")
    func writableByOthers() throws {
        let gate = try RunningGate()
        let file = gate.configurationDirectory + "/policy.yaml"
        for mode: mode_t in [0o666, 0o664] {
            chmod(file, mode)
            try refuses(gate, because: "chmod go-w")
        }
        chmod(file, 0o644)
        // A user who can write to the folder can put another file there.
        chmod(gate.configurationDirectory, 0o777)
        try refuses(gate, because: "chmod go-w")
        chmod(gate.configurationDirectory, 0o755)
        // So can a user who owns the file behind a link.
        rename(file, file + ".real")
        symlink(file + ".real", file)
        try refuses(gate, because: "policy.yaml")
        unlink(file)
        rename(file + ".real", file)
        #expect(try gate.gatectl("reload").status == 0)
    }

    @Test(
        "a policy of another user is refused",
        .enabled(if: OtherUser.isPossible, "only root can give a file to another user"))
    func ofAnotherUser() throws {
        let gate = try RunningGate()
        chown(gate.configurationDirectory + "/policy.yaml", 65534, 65534)
        try refuses(gate, because: "policy.yaml")
    }

    // MARK: -

    private func policyCheck(_ file: String) throws -> ChildProcess.Result {
        try ChildProcess(builtProgram("gatectl"), ["policy", "check", file], hasInput: false).ended()
    }

    private func refuses(_ gate: RunningGate, because text: String) throws {
        let reload = try gate.gatectl("reload")
        #expect(reload.status == 65)
        #expect(reload.errors.contains(text), "\(reload.errors)")
        #expect(try gate.gatectl("check", "link.open").status == 2)
        let check = try ChildProcess(
            builtProgram("gatectl"), ["policy", "check", "--config-directory", gate.configurationDirectory],
            hasInput: false
        ).ended()
        #expect(check.status == 65)
        #expect((check.output + check.errors).contains(text))
    }
}
