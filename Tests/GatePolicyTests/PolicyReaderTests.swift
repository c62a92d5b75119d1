import GateModel
import GatePolicy
import Testing

@Suite("Reading policies")
struct PolicyReaderTests {
    @Test("without files, or with files that set nothing, the built-in policy is used")
    func nothing() throws {
        #expect(try PolicyReader.read([]) == .builtIn)
        for text in [
            "", "# only a comment\n", "---\n", "~\n", "gated-actions:\n", "mode:\nroles: ~\nlockout: null\n",
            "\u{FEFF}questions: ~\n",
        ] {
            let policy = try PolicyReader.read(text)
            #expect(policy.configuration == .builtIn)
            #expect(policy.roles == .builtIn)
            #expect(policy.files == ["policy.yaml"])
        }
    }

    @Test("mode and lockout are read as they are written")
    func modeAndLockout() throws {
        let configuration = try PolicyReader.read(
            """
            mode: {challenge: {kind: arithmetic-entry, difficulty: hard}, lease: 1h30m, maximum-lease: 2h, answer-time: 90s,
              style: full-screen-cover}
            lockout: {after: 5, for: 1m, factor: 3, max: 2h}
            """
        ).configuration
        #expect(configuration.modeChallenge == ChallengeRule(.init(.arithmeticEntry, difficulty: .hard)))
        #expect(configuration.lease == .seconds(5400))
        #expect(configuration.maximumLease == .seconds(7200))
        #expect(configuration.answerTime == .seconds(90))
        #expect(configuration.modeStyle == .fullScreenCover)
        #expect(
            configuration.lockout == .init(after: 5, duration: .seconds(60), factor: 3, maximum: .seconds(7200)))
    }

    @Test("every kind of challenge can be written, with its settings")
    func challenges() throws {
        for kind in Challenge.Kind.allCases where kind != .quiz {
            #expect(try PolicyReader.challenge(kind.rawValue) == ChallengeRule(kind))
        }
        #expect(
            try PolicyReader.challenge("{kind: swipe, difficulty: easy}") == .init(.init(.swipe, difficulty: .easy)))
        #expect(
            try PolicyReader.challenge("{kind: confirm, answered-by: grown-up}")
                == .init(.init(.confirm, answeredBy: .grownUp)))
        #expect(
            try PolicyReader.challenge("{kind: birthdate, minimum-age: 21, calendar: minguo}")
                == .init(.init(.birthdate, minimumAge: 21, calendar: .minguo)))
        #expect(try PolicyReader.challenge("{kind: hold, hold: 5s}") == .init(.init(.hold, holdDuration: .seconds(5))))
    }

    @Test("bands of ages may be in any order, and the last one has no upper limit")
    func ages() throws {
        #expect(
            try PolicyReader.challenge("{ages: {12+: passcode, 0-8: arithmetic-choice, 9-11: {kind: hold, hold: 2s}}}")
                == ChallengeRule(bands: [
                    .init(ages: 0...8, challenge: .init(.arithmeticChoice)),
                    .init(ages: 9...11, challenge: .init(.hold, holdDuration: .seconds(2))),
                    .init(ages: 12...ChallengeRule.maximumAge, challenge: .init(.passcode)),
                ]))
        #expect(try PolicyReader.challenge("{ages: {0+: totp}}") == ChallengeRule(.totp))
    }

    @Test("a gated action has a title, a requirement, a style and a time for which its grants are kept")
    func gatedActions() throws {
        let policy = try PolicyReader.read(
            """
            gated-actions:
              link.open: {title: "Open: a web page", requires: {challenge: passcode}, keep: 5m, style: full-screen-cover}
              in-app.buy-2: {requires: {any: [{mode: parent}, {all: [{challenge: passcode}, {challenge: totp}]}]}}
            """)
        #expect(
            policy.configuration.gatedActions == [
                "link.open": GatedAction(
                    title: "Open: a web page", requirement: .challenge(.init(.passcode)), keep: .seconds(300),
                    style: .fullScreenCover),
                "in-app.buy-2": GatedAction(
                    title: "in-app.buy-2",
                    requirement: .any([.parentMode, .all([.challenge(.init(.passcode)), .challenge(.init(.totp))])])),
            ])
    }

    @Test("a role's list replaces the built-in one; a role without a list keeps it")
    func roles() throws {
        let roles = try PolicyReader.read(
            """
            roles:
              administrator: {users: [anna, 1000]}
              presenter: {groups: []}
              grown-up-presenter: {users: [anna], groups: [parents]}
              provider: {users: [gate-revenuecat]}
            """
        ).roles
        #expect(roles.administrators == Principals(users: ["anna", "1000"], groups: ["gate-admin"]))
        #expect(roles.presenters == Principals())
        #expect(roles.grownUpPresenters == Principals(users: ["anna"], groups: ["parents"]))
        #expect(roles.providers == Principals(users: ["gate-revenuecat"]))
        #expect(RolePolicy.builtIn.providers == Principals(), "nobody until named")
    }

    @Test("the browser is a path or a name")
    func browser() throws {
        #expect(try PolicyReader.read("browser: /usr/bin/firefox").browser == "/usr/bin/firefox")
        #expect(try PolicyReader.read("browser: firefox").browser == "firefox")
        #expect(PolicyReader.problems("browser: ../firefox").count == 1)
        #expect(PolicyReader.problems("browser: --help").count == 1)
    }

    @Test("questions are read in all their languages, with their wrong answers in order")
    func questions() throws {
        let policy = try PolicyReader.read(
            """
            mode: {challenge: quiz}
            questions:
              - id: water
                difficulty: hard
                en: {question: When does water boil?, right: 100 °C, wrong: [50 °C, 0 °C, 200 °C]}
                zh-Hant: {question: 水在幾度沸騰？, right: 100 °C, wrong: [50 °C, 0 °C, 200 °C]}
            """)
        let wrong = ["50 °C", "0 °C", "200 °C"]
        #expect(
            policy.configuration.questions == [
                QuizQuestion(
                    id: "water", difficulty: .hard,
                    texts: [
                        .init(language: "en", question: "When does water boil?", right: "100 °C", wrong: wrong),
                        .init(language: "zh-Hant", question: "水在幾度沸騰？", right: "100 °C", wrong: wrong),
                    ])
            ])
    }

    @Test("several files make one policy, and a duplicate is reported with the place of the first")
    func severalFiles() throws {
        let first = PolicySource(
            name: "policy.yaml", text: "mode: {lease: 5m}\ngated-actions:\n  a: {requires: {mode: parent}}\n")
        let second = PolicySource(
            name: "policy.d/b.yaml", text: "mode: {challenge: totp}\ngated-actions: {b: {requires: {mode: parent}}}\n")
        let policy = try PolicyReader.read([first, second])
        #expect(policy.configuration.gatedActions.keys.sorted() == ["a", "b"])
        #expect(policy.configuration.lease == .seconds(300))
        #expect(policy.configuration.modeChallenge == .init(.totp))
        #expect(policy.files == ["policy.yaml", "policy.d/b.yaml"])

        let again = PolicySource(
            name: "policy.d/c.yaml", text: "mode: {lease: 5m}\ngated-actions:\n  a: {requires: {mode: parent}}\n")
        let error = #expect(throws: PolicyError.self) { try PolicyReader.read([first, second, again]) }
        #expect(
            error?.description == """
                policy.d/c.yaml:1:15: 'mode.lease' is there already: policy.yaml:1. Keep one of them.
                policy.d/c.yaml:3:3: 'a' is there already: policy.yaml:3. Keep one of them.
                """)
    }

    @Test("a gated action, an entitlement and a setting may share a name")
    func sameNames() throws {
        let policy = try PolicyReader.read(
            "browser: b\nmode: {lease: 5m}\nentitlements: {browser: , mode.lease: }\n"
                + "gated-actions: {browser: {requires: {mode: parent}}, mode.lease: {requires: {mode: parent}}}")
        #expect(policy.configuration.gatedActions.keys.sorted() == ["browser", "mode.lease"])
        #expect(policy.configuration.entitlements.keys.sorted() == ["browser", "mode.lease"])
    }

    @Test("durations may be in days")
    func days() throws {
        #expect(try PolicyReader.read("mode: {maximum-lease: 7d}").configuration.maximumLease == .seconds(7 * 86_400))
        #expect(try PolicyReader.read("mode: {maximum-lease: 1d30m}").configuration.maximumLease == .seconds(88_200))
    }
}

extension PolicyReader {
    static func read(_ text: String) throws(PolicyError) -> Policy {
        try read([PolicySource(name: "policy.yaml", text: text)])
    }

    /// The rule of parent mode, as written in a file.
    static func challenge(_ text: String) throws(PolicyError) -> ChallengeRule {
        try read("mode: {challenge: \(text)}").configuration.modeChallenge
    }

    /// `line:column: message`, each.
    static func problems(_ text: String) -> [String] {
        do throws(PolicyError) {
            _ = try read(text)
            return []
        } catch {
            return error.problems.map { String($0.description.dropFirst("policy.yaml:".count)) }
        }
    }
}
