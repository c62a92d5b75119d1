import Foundation
import Glibc
import ProcessSupport
import Testing

/// The first set-up, and that a secret is shown nowhere.
@Suite("Setting up the secrets", .serialized, .waitsForProcesses)
struct SetupTests {
    private static let passcode = "tr0ub4dor&3"
    private static let policy = """
        mode: {challenge: passcode}
        gated-actions:
          purchase: {title: Buy something, requires: {challenge: passcode}}
          vote: {requires: {challenge: totp}}

        """

    @Test("the passcode that was set opens; a wrong or a removed one does not (G-10)")
    func passcode() throws {
        let gate = try RunningGate(policy: Self.policy)
        #expect(try gate.gatectl("passcode", "set", "--stdin", input: "abc\n").status == 65)
        #expect(try gate.gatectl("passcode", "set", "--stdin", input: Self.passcode + "\n").status == 0)
        #expect(try answer(gate, Self.passcode + "x") == 1)
        #expect(try answer(gate, Self.passcode) == 0)
        // The passcode survives a restart of the daemon.
        try gate.crash()
        try gate.start()
        #expect(try answer(gate, Self.passcode) == 0)
        #expect(try gate.gatectl("passcode", "set", "--stdin", input: "another one\n").status == 0)
        #expect(try answer(gate, Self.passcode) == 1)
        #expect(try answer(gate, "another one") == 0)
        #expect(try gate.gatectl("passcode", "remove").status == 0)
        // What stands in front of it after that is no passcode.
        #expect(try gate.gatectl("check", "purchase").output.contains("arithmetic-entry"))
        #expect(try answer(gate, "another one") == 3)
    }

    @Test("neither the passcode nor a wrong one appears in the journal, the log, an argument or the database")
    func nowhere() throws {
        let gate = try RunningGate(policy: Self.policy)
        // These lines are all that the log may contain.
        #expect(try gate.stop() == 0)
        let daemon = try ChildProcess(builtProgram("gated"), gate.daemonArguments + ["--log-level", "trace"])
        try eventually("gated is ready") { try gate.gatectl("ping").status == 0 }
        let wrong = "s3same-0pen"
        let setting = try gate.gatectlRunning("passcode", "set", "--stdin")
        #expect(!commandLine(setting.pid).contains(Self.passcode))
        setting.write(Self.passcode + "\n")
        #expect(try setting.ended().status == 0)
        #expect(try answer(gate, wrong) == 1)

        let screen = try RelayScreen(gate)
        let requester = try gate.gatectlRunning("authorize", "purchase", hasInput: false)
        _ = try screen.shown()
        for process in [requester, screen.process, daemon] {
            #expect(!commandLine(process.pid).contains(Self.passcode))
        }
        try screen.answer(Self.passcode)
        let result = try requester.ended()
        #expect(result.status == 0)
        #expect(!(result.output + result.errors).contains(Self.passcode))

        let journal = try gate.gatectl("audit", "--json").output
        #expect(journal.contains("AUDIT_KIND_SECRET_SET") && journal.contains("AUDIT_KIND_ANSWERED_WRONG"))
        daemon.signal(SIGTERM)
        let ended = try daemon.ended()
        #expect(ended.errors.contains("ready"))
        let raw = try FileManager.default.contentsOfDirectory(atPath: gate.stateDirectory).map {
            try Data(contentsOf: URL(filePath: gate.stateDirectory + "/" + $0))
        }
        #expect(raw.contains { !$0.isEmpty })
        for secret in [Self.passcode, wrong] {
            #expect(!journal.contains(secret))
            #expect(!(ended.output + ended.errors).contains(secret))
            for file in raw { #expect(file.firstRange(of: Data(secret.utf8)) == nil) }
        }
        let modes = try FileManager.default.attributesOfItem(atPath: gate.stateDirectory + "/gate.sqlite")
        #expect(modes[.posixPermissions] as? Int == 0o600)
    }

    @Test("a passcode given as an argument is refused without being repeated")
    func argument() throws {
        let gate = try RunningGate(policy: Self.policy)
        let result = try gate.gatectl("passcode", "set", Self.passcode)
        #expect(result.status == 64)
        #expect(try gate.gatectl("call", "gate.v1.Secrets/GetSecrets", "{}").output.contains("PASSCODE") == false)
    }

    @Test("the third wrong passcode locks the passcode for this user, wherever it is asked (G-03)")
    func lockout() throws {
        let gate = try RunningGate(policy: Self.policy)
        #expect(try gate.gatectl("passcode", "set", "--stdin", input: Self.passcode + "\n").status == 0)
        for _ in 0..<3 { #expect(try answer(gate, "wrong") == 1) }
        #expect(try answer(gate, Self.passcode) == 75)
        #expect(try gate.gatectl("toggle", "--stdin", input: Self.passcode + "\n").status == 75)
        // An administrator can lift the lockout, and a restart does not.
        try gate.crash()
        try gate.start()
        #expect(try answer(gate, Self.passcode) == 75)
        #expect(try gate.gatectl("lockouts", "clear").status == 0)
        #expect(try answer(gate, Self.passcode) == 0)
    }

    @Test("setup leads through first use on a terminal, with the passcode unseen (G-13)")
    func setup() throws {
        let gate = try RunningGate(policy: Self.policy)
        // Without a terminal `setup` says what to do instead.
        let refused = try gate.gatectl("setup")
        #expect(refused.status == 2)
        #expect(refused.errors.contains("passcode set --stdin"))

        let terminal = try gate.gatectlOnTerminal("setup", rows: 50)
        try terminal.shows("New passcode")
        terminal.type(Self.passcode + "\n")
        try terminal.shows("Type it again")
        terminal.type("something else\n")
        try terminal.shows("They don't match")
        try eventually("it asks again") { terminal.text.components(separatedBy: "New passcode").count == 3 }
        terminal.type(Self.passcode + "\n")
        try eventually("and again") { terminal.text.components(separatedBy: "Type it again").count == 3 }
        terminal.type(Self.passcode + "\n")
        try terminal.shows("Set one up? [y/N]")
        terminal.type("n\n")
        // Everything is said back before anything is changed.
        try terminal.shows("Do this now? [Y/n]")
        #expect(terminal.text.contains("a new passcode is set"))
        #expect(try !gate.gatectl("call", "gate.v1.Secrets/GetSecrets", "{}").output.contains("PASSCODE"))
        terminal.type("\n")
        let ended = try terminal.ended()
        #expect(ended.status == 0)
        #expect(ended.before == ended.after)
        #expect(!terminal.drawn.contains(Self.passcode) && !terminal.drawn.contains("something else"))
        #expect(terminal.drawn.contains("A child who wants parent mode"))
        #expect(try answer(gate, Self.passcode) == 0)
        #expect(try gate.gatectl("status").output.contains("child"))
        #expect(try gate.gatectl("lockouts").output.contains("mode") == false)
    }

    @Test("two setups at once: the one that ends last changes nothing, and says so (U-05)")
    func setupTwice() throws {
        let gate = try RunningGate(policy: Self.policy)
        let terminals = try (0..<2).map { _ in try gate.gatectlOnTerminal("setup", rows: 50) }
        for (terminal, passcode) in zip(terminals, ["839157", "246810"]) {
            for request in ["New passcode", "Type it again"] {
                try terminal.shows(request)
                terminal.type(passcode + "\n")
            }
            try terminal.shows("Set one up? [y/N]")
            terminal.type("n\n")
            try terminal.shows("Do this now? [Y/n]")
        }
        terminals[0].type("\n")
        #expect(try terminals[0].ended().status == 0)
        terminals[1].type("\n")
        #expect(try terminals[1].ended().status != 0)
        #expect(terminals[1].drawn.contains("Nothing was changed, since"))
        #expect(try answer(gate, "839157") == 0)
    }

    @Test("setup asks again for a passcode that is too long, however long it is")
    func setupTooLong() throws {
        let gate = try RunningGate(policy: Self.policy)
        let terminal = try gate.gatectlOnTerminal("setup", rows: 50)
        try terminal.shows("New passcode")
        for (count, problem) in [(3, "4 to 128"), (129, "4 to 128"), (1025, "more than 1024 bytes")] {
            terminal.forget()
            terminal.type(String(repeating: "1", count: count) + "\n")
            try terminal.shows(problem)
            try terminal.shows("New passcode")
        }
        terminal.type("\u{03}")
        #expect(try terminal.ended().status == 3)
    }

    @Test("setup explains in Gate's own words alone, so no line of that is marked as if others' words could be in it")
    func setupExplains() throws {
        let gate = try RunningGate(policy: Self.policy)
        let terminal = try gate.gatectlOnTerminal("setup", rows: 50)
        try terminal.shows("New passcode")
        // Broken between words, at 60 columns.
        let lines = terminal.text.split(whereSeparator: \.isNewline)
        let first = try #require(lines.firstIndex { $0.contains("This sets Gate up in a few questions.") })
        let last = try #require(lines.firstIndex { $0.contains("New passcode") })
        let said = lines[first..<last]
        #expect(said.count > 3)
        #expect(!said.contains { $0.contains("|") })
        terminal.type("\u{03}")
        #expect(try terminal.ended().status == 3)
    }

    @Test("setup takes its answers from a file, says beforehand what it would do, and can be run again (U-05)")
    func setupFromFile() throws {
        let gate = try RunningGate(policy: Self.policy)
        func write(_ text: String, to name: String) throws -> String {
            let path = "\(gate.directory)/\(name)"
            try Data(text.utf8).write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            return path
        }
        let passcode = try write(Self.passcode + "\n", to: "passcode")
        let answers = try write("passcode-file: \(passcode)\n", to: "family.yaml")
        let planned = try gate.gatectl("setup", "--answers", answers, "--dry-run")
        #expect(planned.status == 0 && planned.output == "a new passcode is set\n")
        #expect(try gate.gatectl("call", "gate.v1.Secrets/GetSecrets", "{}").output.contains("PASSCODE") == false)
        for _ in 0..<2 {
            let done = try gate.gatectl("setup", "--answers", answers)
            #expect(done.status == 0 && done.output == "ok    setup: a new passcode is set\n", "\(done.errors)")
        }
        #expect(try answer(gate, Self.passcode) == 0)

        let wrong = try write("passcode-file: \(passcode)\nlink: true\n", to: "wrong.yaml")
        let refused = try gate.gatectl("setup", "--answers", wrong)
        #expect(refused.status == 65 && refused.output.isEmpty)
        #expect(refused.errors.contains("wrong.yaml:2:1: 'link' is no key") && refused.errors.contains("'links'"))
        let impossible = try write("links: true\n", to: "impossible.yaml")
        #expect(try gate.gatectl("setup", "--answers", impossible).errors.contains("`links: true` is not possible"))
    }

    @Test("Ctrl-C in the middle of setup leaves the terminal as it was, and sets nothing")
    func setupInterrupted() throws {
        let gate = try RunningGate(policy: Self.policy)
        let terminal = try gate.gatectlOnTerminal("setup")
        try terminal.shows("New passcode")
        terminal.type(Self.passcode + "\n")
        try terminal.shows("Type it again")
        terminal.type("\u{03}")
        let ended = try terminal.ended()
        #expect(ended.status == 3)
        #expect(ended.before == ended.after)
        #expect(try gate.gatectl("call", "gate.v1.Secrets/GetSecrets", "{}").output.contains("PASSCODE") == false)
    }

    @Test("an authenticator's key is shown as a QR code on the alternate screen, and only its right code enrols it")
    func authenticator() throws {
        let gate = try RunningGate(policy: Self.policy)
        let terminal = try TerminalProgram(
            [builtProgram("gatectl"), "totp", "enrol", "--socket", gate.socket, "--server-user", NSUserName()],
            in: gate.directory, columns: 120, rows: 60)
        try terminal.shows("six digits")
        #expect(terminal.drawn.contains("\u{1b}[?1049h"))
        #expect(terminal.text.contains("▀") || terminal.text.contains("█"))
        let key = try #require(terminal.text.firstMatch(of: #/Key: ([A-Z2-7 ]+)/#)?.1)
        #expect(key.filter { $0 != " " }.count >= 32)
        terminal.type("nonsense\n")
        try terminal.shows("not its code")
        terminal.type("\u{03}")
        let ended = try terminal.ended()
        #expect(ended.before == ended.after)
        #expect(terminal.drawn.range(of: "\u{1b}[?1049l", options: .backwards) != nil)
        #expect(try gate.gatectl("call", "gate.v1.Secrets/GetSecrets", "{}").output.contains("TOTP") == false)
    }

    @Test(
        "on a new device only an administrator gets into parent mode, and others are told to run setup (G-13)",
        .enabled(if: OtherUser.isPossible, "only root can become another user"))
    func outOfTheBox() throws {
        let gate = try RunningGate(policy: "", isOpenToOthers: true)
        let refused = try OtherUser(uid: 65534).run(gate, "toggle", "--stdin")
        #expect(refused.status == 1)
        #expect(refused.errors.contains("gatectl setup"))
        #expect(try gate.gatectl("toggle").status == 0)
        #expect(try gate.gatectl("status").output.contains("parent"))
    }

    // MARK: -

    /// Gives a passcode where one is asked for; returns gatectl's exit status.
    private func answer(_ gate: RunningGate, _ passcode: String) throws -> Int32 {
        try gate.gatectl("authorize", "purchase", "--stdin", input: passcode + "\n").status
    }

    private func commandLine(_ pid: Int32) -> String {
        String(decoding: FileManager.default.contents(atPath: "/proc/\(pid)/cmdline") ?? Data(), as: UTF8.self)
            + String(decoding: FileManager.default.contents(atPath: "/proc/\(pid)/environ") ?? Data(), as: UTF8.self)
    }
}
