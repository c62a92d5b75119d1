import Foundation
import GateCore
import GateModel
import GatePolicy
import GateTexts
import Testing

@testable import gatectl

@Suite("The text of a policy check")
struct PolicyTextTests {
    private static func text(_ policy: String) throws -> PolicyText {
        PolicyText(try PolicyReader.read([PolicySource(name: "policy.yaml", text: policy)]))
    }

    @Test("parent mode is the first line, and each gated action has an aligned line of its own")
    func lines() throws {
        let lines = try Self.text(
            """
            gated-actions:
              link.open: {requires: {challenge: {ages: {0-8: arithmetic-choice, 9+: passcode}}}}
              a: {requires: {mode: parent}, keep: 5m}
              say-yes: {requires: {challenge: {kind: confirm, answered-by: grown-up}}}
            """
        ).lines
        #expect(
            lines[..<7] == [
                "Nothing is wrong with policy.yaml.", "",
                "gate         guessed in an hour        by a program        not asked again for  requires",
                "parent mode  1 in 1100                 no                  -                    challenge passcode",
                "a            1 in 1100                 no                  5m                   parent mode",
                "link.open    97 in 100 (0 to 8 years)  yes (0 to 8 years)  -                    "
                    + "challenge arithmetic-choice; 9 and older: passcode",
                "say-yes      never                     no                  -                    "
                    + "challenge confirm (answered by a grown-up's presenter)",
            ])
        #expect(lines.contains("Ages: if the age is unknown, the hardest question is asked."))
    }

    @Test("without files the check says that the built-in policy is in force and denies all gated actions")
    func builtIn() {
        let lines = PolicyText(.builtIn).lines
        #expect(lines.first == "There are no policy files; the built-in policy is this one.")
        #expect(lines.last == "There are no gated actions, so all are denied.")
    }

    @Test("a challenge for parent mode that can be guessed or worked out gives a warning")
    func modeWarning() throws {
        #expect(
            try Self.text("mode: {challenge: arithmetic-choice}").warnings == [
                "Somebody who is no grown-up can get into parent mode by guessing (97 in 100 within an hour) or with a program. Ask for "
                    + "passcode or totp."
            ])
        #expect(try Self.text("mode: {challenge: totp}").warnings == [])
    }

    @Test(
        "a passcode for other devices, or before changes of Gate, that the lockout lets people guess gives a warning"
    )
    func elsewhereWarning() throws {
        func text(_ name: String, _ challenge: String, _ lockout: String = "") throws -> [String] {
            try Self.text("\(lockout)\ngated-actions: {\(name): {requires: {challenge: \(challenge)}}}").warnings
        }
        for (name, effect) in [
            ("household.open", "and so reaches other devices"), ("household.answer", "and so reaches other devices"),
            ("gate.change", "and so change Gate itself"),
        ] {
            let warnings = try text(name, "passcode", "lockout: {after: 100, for: 1s, factor: 1}")
            #expect(
                warnings.contains(
                    "Somebody who is no grown-up can get through \(name) by guessing (1 in 21 within an hour), \(effect). "
                        + "Ask for passcode or totp."), "\(warnings)")
            for challenge in ["passcode", "totp", "{kind: confirm, answered-by: grown-up}"] {
                #expect(try text(name, challenge) == [])
            }
        }
    }

    @Test("parent mode before an action on other devices, or on Gate, counts as given, since it lasts")
    func parentModeIsGiven() throws {
        func rows(_ requirement: String) throws -> [Substring] {
            let names = ["gate.change", "household.answer", "household.open", "link.open"]
            let actions = names.map { "\($0): {requires: \(requirement)}" }.joined(separator: ", ")
            return try Self.text("mode: {challenge: totp}\ngated-actions: {\(actions)}").lines.filter { line in
                names.contains { line.hasPrefix($0) }
            }.map { $0.dropFirst(16).drop { $0 == " " } }
        }
        let passcode = try rows("{all: [{mode: parent}, {challenge: passcode}]}")
        #expect(passcode.count == 4 && passcode[..<3].allSatisfy { $0.hasPrefix("1 in 1100 ") }, "\(passcode)")
        #expect(passcode.last?.hasPrefix("1 in 37000 ") == true, "the code comes first there: \(passcode)")
    }

    @Test("a grant that is kept after a challenge that can be guessed or worked out gives a warning")
    func keepWarning() throws {
        #expect(
            try Self.text("gated-actions: {a: {requires: {challenge: shapes}}}").warnings == [],
            "nothing is kept")
        #expect(
            try Self.text("gated-actions: {a: {requires: {challenge: shapes}, keep: 1h}}").warnings == [
                "Somebody who is no grown-up can get through a by guessing (97 in 100 within an hour) or with a program, and is then not "
                    + "asked again for 1h. Ask for passcode or totp, or leave 'keep' out."
            ])
        #expect(
            try Self.text(
                "mode: {challenge: totp}\nlockout: {after: 100}\n"
                    + "gated-actions: {a: {requires: {challenge: passcode}, keep: 1h}}"
            ).warnings == [
                "Somebody who is no grown-up can get through a by guessing (1 in 95 within an hour), and is then not asked again for "
                    + "1h. Ask for passcode or totp, or leave 'keep' out."
            ], "a hundred tries before the first lock")
        #expect(
            try Self.text(
                "gated-actions: {a: {requires: {challenge: {ages: {0-8: passcode, 9+: quiz}}}, keep: 1h}}\n" + quiz
            )
            .warnings.count == 1, "one age is enough")
    }

    @Test(
        "odds are written so that nobody has to calculate",
        arguments: [
            (0, "never"), (1e-9, "1 in 1000000000"), (0.000_027, "1 in 37000"), (0.0009, "1 in 1100"),
            (0.094, "1 in 11"),
            (0.1, "10 in 100"), (0.974, "97 in 100"), (0.994, "99 in 100"), (0.996, "always"), (1, "always"),
        ])
    func odds(probability: Double, text: String) {
        #expect(OddsWords.chance(probability) == text)
    }

    /// A page of docs/.
    private static func page(_ name: String) throws -> String {
        let root = URL(filePath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: "docs/\(name)"), encoding: .utf8)
    }

    @Test("the odds in the documents are the ones that are printed", arguments: ["policy.md", "security.md"])
    func documentedOdds(page: String) throws {
        let text = try Self.page(page).replacing(/\s+/, with: " ").replacing(/(\d),(\d)/) { "\($0.1)\($0.2)" }
        let odds = [4, 6].map { OddsWords.chance(GuessingOdds.probabilityEver(ofPasscodeWithDigits: $0)) }
        let said = /passcode of four digits (?:in this way )?is (\d+ in \d+), (?:and )?of six digits (\d+ in \d+)/
        let figures = try #require(text.firstMatch(of: said))
        #expect([String(figures.1), String(figures.2)] == odds)
    }

    @Test("docs/policy.md shows the warnings of a missing translation as they are printed (L-03)")
    func documentedWarnings() throws {
        func withoutPlace(_ line: String) -> String { line.replacing(/policy.yaml:\d+:\d+/, with: "policy.yaml") }
        let documented = try Self.page("policy.md").split(separator: "\n").map(String.init)
            .filter { $0.contains(/^(warning: )?policy\.yaml:\d/) && $0.contains("'title'") }
        let printed = try Self.text(
            """
            gated-actions:
              a: {title: {en: A, de: A, ru: A, zh-CN: A}, requires: {mode: parent}}
              b: {title: {en: B, de: B, zh-CN: B}, requires: {mode: parent}}
              c: {title: C, requires: {mode: parent}}
            """
        ).lines.filter { $0.contains("policy.yaml:") }
        #expect(documented.map(withoutPlace) == printed.map(withoutPlace))
    }

    @Test("neighbouring ages are joined into one range")
    func ages() {
        #expect(OddsByAge.text([0...8, 9...11]) == "0 to 11 years" && OddsByAge.text([0...1]) == "0 to 1 year")
        #expect(OddsByAge.text([0...8, 12...ChallengeRule.maximumAge]) == "0 to 8 years, 12 years or more")
    }

    @Test("the JSON of a policy check is one object, with the odds of each age")
    func json() throws {
        let json = try Self.text(
            "gated-actions: {a: {title: \"A \\\"b\\\"\", requires: {challenge: {kind: confirm, answered-by: grown-up}}, keep: 5m}}"
        ).json
        let never = #""guessedInAnHour":0.0,"triesInAnHour":9,"programPasses":false"#
        #expect(json.hasPrefix(#"{"files":["policy.yaml"],"gates":[{"gate":"mode","title":"Parent mode","#))
        #expect(
            json.hasSuffix(
                #",{"gate":"a","title":"A \"b\"","requires":"challenge confirm (answered by a grown-up's presenter)","#
                    + #""keepMilliseconds":"300000",\#(never),"ages":[{"from":0,"to":150,\#(never)}],"#
                    + #""unknownAge":{\#(never)}}],"warnings":[],"fileWarnings":[]}"#))
    }

    @Test("a question that waits for a grown-up while nobody on the list could answer it gives a warning (W-08)")
    func waitingForNobody() throws {
        func warnings(_ policy: String, grownUps: [String]?) throws -> [String] {
            let source = PolicySource(name: "policy.yaml", text: policy)
            var needs = InstallationFacts.Needs(of: try PolicyReader.read([source]))
            needs.grownUpsOnList = grownUps
            return needs.warnings
        }
        let question = "{challenge: {kind: confirm, answered-by: grown-up, may-wait: 3d}}"
        let waits = "gated-actions: {a: {requires: \(question)}}\n"
        let either = "gated-actions: {a: {requires: {any: [{mode: parent}, \(question)]}}}\n"
        let moreTime = "{allowances: {b: {mon: 1h}}, gated-actions: {a: {requires: {allowance: b}, more-time: true}}}"
        let unanswered = [
            "Questions wait for a grown-up at a, but nobody can answer them: no grown-up with a user of their own is on "
                + "the list of people. Put one there: `sudo gatectl people set NAME --grown-up`."
        ]
        let unshown = [
            "Only grown-ups may answer at a, but the policy lets nobody show them the question. Name their users under "
                + "`roles: grown-up-presenter: users:`."
        ]
        for policy in [waits, either, moreTime] {
            #expect(try warnings(policy, grownUps: []) == unanswered)
            #expect(try warnings(policy, grownUps: ["anna"]).isEmpty)
        }
        #expect(try warnings(waits + "roles: {grown-up-presenter: {users: [root]}}\n", grownUps: []).isEmpty)
        // Without the list, only the policy can be judged.
        #expect(try warnings(waits, grownUps: nil) == unshown)
        #expect(try warnings(either, grownUps: nil).isEmpty)
        // A question that ends with its call is for a screen.
        let shown = waits.replacing(", may-wait: 3d", with: "")
        #expect(try warnings(shown, grownUps: []) == unshown)
        #expect(try warnings(shown, grownUps: ["anna"]).isEmpty)
    }

    @Test("a household is one line, and an action of it that needs no guardian gives a warning (H-01)")
    func household() throws {
        let text = PolicyText(
            try PolicyReader.read([
                PolicySource(
                    name: "household.yaml",
                    text: """
                        household: 8f14e45fceea167a5a36dedd4bea2543
                        device: c9f0f895fb98ab9159f51fd0297e236d
                        name: Mia's tablet
                        key: 11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo
                        broker: {host: gate.example, authority: ca.pem, certificate: a.pem, key: a.key}
                        home-assistant: {may: [extend]}
                        """)
            ]))
        #expect(
            text.lines.prefix(4) == [
                "Nothing is wrong with household.yaml.",
                "This device is Mia's tablet in the household 8f14e45fceea167a5a36dedd4bea2543; its broker is gate.example, "
                    + "port 8883.",
                "",
                "warning: household.yaml:6:23: Home Assistant may do this without a guardian: extend. So may anyone who runs "
                    + "the broker, or gets into Home Assistant.",
            ])
        #expect(
            text.json.contains(
                #","household":{"household":"8f14e45fceea167a5a36dedd4bea2543","device":"c9f0f895fb98ab9159f51fd0297e236d","#
                    + #""name":"Mia's tablet","broker":{"host":"gate.example","port":8883},"homeAssistantMay":["extend"]},"#
            ))
    }

    @Test("a text that lacks a language is told with its place, for people and as JSON (L-03)")
    func languages() throws {
        let text = try Self.text(
            "gated-actions:\n  a: {title: {de: A, en: A}, requires: {mode: parent}}\n  b: {title: B, requires: {mode: parent}}\n"
        )
        let message = "'title' is only there in one language, but other texts of this file are in de, en. Add those."
        #expect(text.lines.contains("warning: policy.yaml:3:14: \(message)"))
        #expect(
            text.json.hasSuffix(
                #""fileWarnings":[{"file":"policy.yaml","line":3,"column":14,"message":"\#(message)"}]}"#),
            "\(text.json)")
    }

    @Test("a form for grown-ups without a question before it gives a note on who can complete it")
    func consents() {
        let form = Requirement.form("consent")
        for (requirement, isTold) in [
            (form, true), (.all([.signedIn, form]), true), (.any([form, .parentMode]), true),
            (.all([.challenge(ChallengeRule(.passcode)), form]), false), (.challenge(ChallengeRule(.passcode)), false),
        ] {
            var configuration = Configuration.builtIn
            let consent = Questionnaire(
                name: "consent", url: nil, version: "1", title: "Consent", completedBy: .grownUp, items: [])
            configuration.forms["consent"] = FormDescription(questionnaire: consent, json: [])
            configuration.gatedActions["chat"] = GatedAction(title: "Chat", requirement: requirement)
            let lines = PolicyText(Policy(configuration: configuration)).lines
            #expect(lines.contains { $0.hasPrefix("Forms for grown-ups: before chat nobody") } == isTold)
        }
    }

    @Test("mistakes as JSON are objects with their places")
    func problemsAsJSON() {
        #expect(
            PolicyText.json([
                PolicyProblem(file: "a.yaml", line: 3, column: 5, message: "No \"x\".", kind: .value),
                PolicyProblem(file: "b", message: "Gone.", kind: .security),
            ])
                == #"{"problems":[{"file":"a.yaml","line":3,"column":5,"message":"No \"x\"."},{"file":"b","message":"Gone."}]}"#
        )
    }

    private let quiz = "questions: [{id: x, en: {question: Q, right: R, wrong: [a, b, c]}}]"
}
