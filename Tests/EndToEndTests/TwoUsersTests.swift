import Foundation
import ProcessSupport
import Testing

/// A child and a grown-up, each with a user of their own. Needs root, to act as them.
@Suite(
    "A child and a grown-up", .serialized, .waitsForProcesses,
    .enabled(if: OtherUser.isPossible, "only root can become another user"))
struct TwoUsersTests {
    private static let child = OtherUser(uid: 65534)
    private static let otherChild = OtherUser(uid: 65532)
    /// A user who presents, and may do nothing more.
    private static let screenKeeper = OtherUser(uid: 65531)
    /// A child who is on the list of people, and so is a user that every Debian has.
    private static let listedChild = (name: "daemon", user: OtherUser(uid: 1))
    /// A user who presents and takes secrets.
    private static let grownUp = OtherUser(uid: 65533)

    private static let policy = """
        mode: {challenge: passcode}
        roles:
          presenter: {users: [65531, 65533]}
          grown-up-presenter: {users: [65533]}
        gated-actions:
          link.open: {title: Open a web page, requires: {challenge: arithmetic-choice}}
          purchase: {title: Buy something, requires: {challenge: passcode}}
          games.play: {title: Play, requires: {challenge: {kind: confirm, answered-by: grown-up}}}
          sweets: {requires: {challenge: arithmetic-choice}, keep: 5m}

        """

    @Test("a child can't present, set secrets or administer anything")
    func childMayNot() throws {
        let gate = try RunningGate(policy: Self.policy, isOpenToOthers: true)
        let words = [
            ["present", "--exec", "/bin/true"], ["passcode", "set", "--stdin"], ["passcode", "remove"],
            ["totp", "remove"], ["lockouts"], ["lockouts", "clear"], ["grants", "revoke", "--user", "65533"],
            ["reload"],
            ["audit"],
        ]
        for verb in words {
            let process = try Self.child.gatectl(gate, verb)
            process.write("tr0ub4dor\n")
            process.closeInput()
            let result = try process.ended()
            #expect(result.status == 77, "\(verb): \(result.output)\(result.errors)")
        }
        // What is in force is no secret.
        #expect(try Self.child.run(gate, "policy", "show").output.contains("link.open"))
        // A screen keeper is a presenter, and no administrator.
        #expect(try Self.screenKeeper.run(gate, "passcode", "set", "--stdin", input: "tr0ub4dor\n").status == 77)
        #expect(try gate.gatectl("call", "gate.v1.Secrets/GetSecrets", "{}").output.contains("PASSCODE") == false)
    }

    @Test("the grown-up's screen names the asking user, and nobody else sees or takes the question")
    func othersQuestions() throws {
        let gate = try RunningGate(policy: Self.policy, isOpenToOthers: true)
        let screen = try RelayScreen(gate, as: Self.screenKeeper)
        let watcher = try Self.otherChild.gatectl(gate, ["watch", "--topic", "presentations", "--json"])
        #expect(try watcher.nextLine().contains("snapshot"))
        let requester = try Self.child.gatectl(gate, ["authorize", "link.open", "--details", "https://example.org/"])
        let question = try screen.shown()
        #expect(question.contains(#""uid":65534"#) && question.contains("https://example.org/"))
        let list = ["call", "gate.v1.Presentations/ListPresentations", "{}"]
        #expect(try Self.screenKeeper.run(gate, list[0], list[1], list[2]).output.contains("example.org"))
        // The user whose program asked sees the question on that connection, and on no other.
        for user in [Self.otherChild, Self.child] {
            let seen = try user.run(gate, list[0], list[1], list[2])
            #expect(seen.status == 0 && !seen.output.contains("example.org"))
        }
        let claim = try Self.otherChild.run(gate, "call", "gate.v1.Presentations/Claim", #"{"id":"1"}"#)
        #expect(claim.status == 77)
        #expect(try Self.otherChild.run(gate, "cancel").status == 0)
        try screen.answerSum(right: true)
        #expect(try requester.ended().status == 0)

        // A change that everybody sees shows that the watcher has read everything before it.
        _ = try Self.otherChild.run(gate, "lock")
        watcher.signal(SIGTERM)
        #expect(try !watcher.ended().output.contains("example.org"))
    }

    @Test("a page and a program that nobody may allow now wait for a grown-up, and open once after a yes (W-08)")
    func waitingForGrownUp() throws {
        let gate = try RunningGate(
            policy: """
                gated-actions:
                  link.open: {requires: {challenge: {kind: confirm, answered-by: grown-up, may-wait: 3d}}}

                """, isOpenToOthers: true)
        let browser = gate.directory + "/browser"
        try writeProgram("#!/bin/sh\necho \"$1\"\n", to: browser)
        #expect(try gate.gatectl("people", "set", "mia", "--child", "--user", Self.listedChild.name).status == 0)
        func open(_ link: String) throws -> ChildProcess.Result {
            try Self.listedChild.user.run(gate, "open", link, "--browser", browser)
        }
        func run() throws -> ChildProcess.Result {
            // In a folder that this user can reach.
            try Self.listedChild.user.start(
                "/usr/bin/env",
                [
                    "-C", "/", try OtherUser.gatectlForAll(gate), "run", "--gate", "link.open", "--socket", gate.socket,
                    "--server-user", "root", "--", "/bin/echo", "a",
                ]
            ).ended()
        }
        let (page, other) = ("https://a.example/", "https://b.example/")
        for _ in 0..<2 {
            let asked = try open(page)
            #expect(asked.status == 4 && asked.output.isEmpty)
            #expect(
                asked.errors.contains(
                    "A grown-up has been asked. You can open this page as soon as a grown-up says yes."))
        }
        #expect(try run().status == 4)
        #expect(try gate.gatectl("asks").output.contains(page))
        for ask in ["1", "2"] { #expect(try gate.gatectl("allow", ask).status == 0) }
        #expect(try open(other).status == 4)
        let shown = try open(page)
        #expect(shown.status == 0 && shown.output == page + "\n")
        let ran = try run()
        #expect(ran.status == 0 && ran.output == "a\n")
        #expect(try open(page).status == 4)
        #expect(try run().status == 4)
    }

    @Test("what gatectl use has started gets its signals, and ends as a whole when the time is over (Z-02)")
    func usedPrograms() throws {
        func policy(_ days: String) -> String {
            """
            allowances: {games: {\(days): 1h}}
            gated-actions:
              game.play: {requires: {allowance: games}}

            """
        }
        let gate = try RunningGate(policy: policy("mon-sun"), isOpenToOthers: true)
        #expect(try gate.gatectl("people", "set", "mia", "--child", "--user", Self.listedChild.name).status == 0)
        func use(_ script: String) throws -> ChildProcess {
            // With no signal blocked, and in a folder that this user can reach.
            var (none, before) = (sigset_t(), sigset_t())
            sigemptyset(&none)
            pthread_sigmask(SIG_SETMASK, &none, &before)
            defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
            let program = try Self.listedChild.user.start(
                "/usr/bin/env",
                [
                    "--default-signal", "-C", "/", try OtherUser.gatectlForAll(gate), "use",
                    "game.play", "--socket", gate.socket, "--server-user", "root", "--", "/bin/sh", "-c", script,
                ])
            #expect(try program.nextLine() == "ready")
            return program
        }
        for signal in [SIGTERM, SIGINT, SIGHUP] {
            let program = try use("trap 'echo caught; exit 9' TERM INT HUP; echo ready; while :; do sleep 0.1; done")
            program.signal(signal)
            let result = try program.ended()
            #expect(result.output == "ready\ncaught\n" && result.status == 9)
        }
        // The shell ends at once, and its child, which keeps the output open, only when it is killed.
        let stubborn = try use("(trap '' TERM; echo ready; while :; do sleep 1; done) & wait")
        let weekday = (Int(Date().timeIntervalSince1970) / 86_400 + 3 + 3) % 7
        try gate.writePolicy(policy(["mon", "tue", "wed", "thu", "fri", "sat", "sun"][weekday]))
        #expect(try gate.gatectl("reload").status == 0)
        let result = try stubborn.ended()
        #expect(result.status == 124 && result.errors.contains("The time is used up."))
    }

    @Test("a question for a passcode goes only to a grown-up's screen, whoever else presents")
    func secretsGoToGrownUps() throws {
        let gate = try RunningGate(policy: Self.policy, isOpenToOthers: true)
        #expect(try gate.gatectl("passcode", "set", "--stdin", input: "tr0ub4dor\n").status == 0)
        let screen = try RelayScreen(gate, as: Self.screenKeeper)
        #expect(try Self.child.run(gate, "authorize", "purchase").status == 2)
        #expect(try Self.child.run(gate, "toggle").status == 2)
        let grownUps = try RelayScreen(gate, as: Self.grownUp)
        let requester = try Self.child.gatectl(gate, ["authorize", "purchase"])
        _ = try grownUps.shown()
        try grownUps.answer("tr0ub4dor")
        #expect(try requester.ended().status == 0)
        #expect(screen.everything.isEmpty)
    }

    @Test("a grown-up in another session can approve or refuse, and the child can't do it for them (F-17)")
    func permission() throws {
        let gate = try RunningGate(policy: Self.policy, isOpenToOthers: true)
        #expect(try Self.child.run(gate, "authorize", "games.play", "--stdin", input: "yes\n").status == 2)
        let screen = try RelayScreen(gate, as: Self.screenKeeper)
        #expect(try Self.child.run(gate, "authorize", "games.play").status == 2)
        let grownUps = try RelayScreen(gate, as: Self.grownUp)
        for (answer, status) in [("yes", 0), ("no", 1)] as [(String, Int32)] {
            let requester = try Self.child.gatectl(gate, ["authorize", "games.play", "--details", "supertux2"])
            #expect(try grownUps.shown().contains("supertux2"))
            try grownUps.answer(answer)
            let result = try requester.ended()
            #expect(result.status == status, "\(result.errors)")
        }
        #expect(screen.everything.isEmpty)
    }

    @Test("a user's flood of requests is refused with 75, and another user's request gets through")
    func flood() throws {
        let gate = try RunningGate(policy: Self.policy, isOpenToOthers: true)
        let screen = try RelayScreen(gate, as: Self.screenKeeper)
        var requesters: [ChildProcess] = []
        for _ in 0..<4 { requesters.append(try Self.child.gatectl(gate, ["authorize", "link.open"])) }
        try eventually("four wait") {
            let list = try gate.gatectl("call", "gate.v1.Presentations/ListPresentations", "{}").output
            return list.components(separatedBy: #""stage":"#).count == 5
        }
        for _ in 0..<3 {
            let refused = try Self.child.run(gate, "authorize", "link.open", "--json")
            #expect(refused.status == 75)
            #expect(refused.output.contains("REASON_LIMIT"), "\(refused.output)")
        }
        let other = try Self.otherChild.gatectl(gate, ["authorize", "link.open", "--details", "homework"])
        try eventually("the other one's waits too") {
            try gate.gatectl("call", "gate.v1.Presentations/ListPresentations", "{}").output.contains("homework")
        }
        for requester in requesters { requester.kill() }
        try eventually("the other one's is shown") { screen.json?.contains("homework") == true }
        try screen.answerSum(right: true)
        #expect(try other.ended().status == 0)
    }

    @Test("a kept grant belongs to one user: others are asked, and see and revoke only their own (F-18)")
    func keptGrants() throws {
        let gate = try RunningGate(policy: Self.policy, isOpenToOthers: true)
        let screen = try RelayScreen(gate, as: Self.screenKeeper)
        let requester = try Self.child.gatectl(gate, ["authorize", "sweets"])
        try screen.answerSum(right: true)
        #expect(try requester.ended().status == 0)
        #expect(try Self.child.run(gate, "check", "sweets").status == 0)
        #expect(try Self.otherChild.run(gate, "check", "sweets").status == 2)
        #expect(try Self.child.run(gate, "grants").output.contains("sweets"))
        #expect(try !Self.otherChild.run(gate, "grants").output.contains("sweets"))
        #expect(try Self.otherChild.run(gate, "grants", "revoke", "--user", "65534").status == 77)
        #expect(try Self.otherChild.run(gate, "grants", "revoke").status == 0)
        #expect(try Self.child.run(gate, "check", "sweets").status == 0)
        #expect(try gate.gatectl("grants", "revoke", "--user", "65534").status == 0)
        #expect(try Self.child.run(gate, "check", "sweets").status == 2)
    }

    @Test("an administrator who names no user revokes the listed grants of all users (F-18)")
    func revokedForEverybody() throws {
        let gate = try RunningGate(policy: Self.policy, isOpenToOthers: true)
        let screen = try RelayScreen(gate, as: Self.screenKeeper)
        func keepBoth() throws {
            let ofChild = try Self.child.gatectl(gate, ["authorize", "sweets"])
            try screen.answerSum(right: true)
            #expect(try ofChild.ended().status == 0)
            let ofRoot = try gate.gatectlRunning("authorize", "sweets", hasInput: false)
            try screen.answerSum(right: true)
            #expect(try ofRoot.ended().status == 0)
            #expect(try gate.gatectl("grants").output.split(separator: "\n").count == 2)
        }
        try keepBoth()
        #expect(try gate.gatectl("grants", "revoke", "link.open").output.hasSuffix("revoked 0\n"))
        #expect(try Self.child.run(gate, "grants", "revoke", "sweets").output.hasSuffix("revoked 1\n"))
        #expect(try gate.gatectl("check", "sweets").status == 0, "a child revokes nobody else's")
        #expect(try gate.gatectl("grants", "revoke").output.hasSuffix("revoked 1\n"))
        try keepBoth()
        #expect(try gate.gatectl("grants", "revoke", "--user", "0").output.hasSuffix("revoked 1\n"))
        #expect(try Self.child.run(gate, "check", "sweets").status == 0)
        #expect(try gate.gatectl("grants", "revoke", "sweets").output.hasSuffix("revoked 1\n"))
        try keepBoth()
        #expect(try gate.gatectl("grants", "revoke", "sweets").output.hasSuffix("revoked 2\n"))
        #expect(try gate.gatectl("grants").output.isEmpty)
    }

    @Test("one user's wrong answers lock nobody else out of a gated action (G-03)")
    func lockoutsApart() throws {
        let gate = try RunningGate(policy: Self.policy, isOpenToOthers: true)
        let screen = try RelayScreen(gate, as: Self.screenKeeper)
        for _ in 0..<3 {
            let requester = try Self.child.gatectl(gate, ["authorize", "link.open"])
            try screen.answerSum(right: false)
            #expect(try requester.ended().status == 1)
        }
        #expect(try Self.child.run(gate, "authorize", "link.open").status == 75)
        let requester = try Self.otherChild.gatectl(gate, ["authorize", "link.open"])
        try screen.answerSum(right: true)
        #expect(try requester.ended().status == 0)
    }
}
