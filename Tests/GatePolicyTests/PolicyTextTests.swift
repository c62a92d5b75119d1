import GateModel
import GatePolicy
import Testing

@Suite("Policies for people")
struct PolicyTextTests {
    @Test("a requirement is told in words, with brackets only where they are needed")
    func requirements() {
        let ages = ChallengeRule(bands: [
            .init(ages: 0...8, challenge: .init(.arithmeticChoice)),
            .init(ages: 9...11, challenge: .init(.arithmeticEntry, difficulty: .hard)),
            .init(ages: 12...ChallengeRule.maximumAge, challenge: .init(.passcode)),
        ])
        let byAge = "challenge arithmetic-choice; 9 to 11: arithmetic-entry (hard); 12 and older: passcode"
        #expect(Requirement.parentMode.text == "parent mode")
        #expect(Requirement.challenge(ages).text == byAge)
        #expect(Requirement.any([.parentMode, .challenge(.init(.totp))]).text == "parent mode or challenge totp")
        #expect(Requirement.all([.parentMode, .challenge(ages)]).text == "parent mode and (\(byAge))")
        #expect(
            Requirement.all([.any([.parentMode, .challenge(.init(.quiz))]), .challenge(.init(.totp))]).text
                == "(parent mode or challenge quiz) and challenge totp")
    }

    @Test("a challenge is told with what is not usual")
    func challenges() {
        #expect(ChallengeSpecification(.shapes, difficulty: .easy).text == "shapes (easy)")
        #expect(
            ChallengeSpecification(.confirm, answeredBy: .grownUp).text
                == "confirm (answered by a grown-up's presenter)")
        #expect(ChallengeSpecification(.birthdate).text == "birthdate (18 years)")
        #expect(
            ChallengeSpecification(.birthdate, minimumAge: 21, calendar: .minguo).text
                == "birthdate (21 years, minguo calendar)")
        #expect(ChallengeSpecification(.hold).text == "hold (3s)")
    }

    @Test("what is in force is a line for each thing")
    func inForce() throws {
        #expect(
            Policy.builtIn.description == [
                "policy: none (the built-in policy)",
                "mode: challenge passcode; lease 15m, at most 24h; 1m to answer",
                "lockout: 3 wrong answers in a row lock for 30s, each later one 2 times as long, at most 1h",
                "gated actions: none; all are denied", "browser: none",
            ])
        let policy = try PolicyReader.read(
            """
            browser: firefox
            lockout: {after: 1}
            gated-actions:
              b: {requires: {mode: parent}}
              a: {title: A thing, requires: {challenge: totp}, keep: 5m}
            questions: [{id: x, en: {question: Q, right: R, wrong: [a, b, c]}, de: {question: Q, right: R, wrong: [a, b, c]}}]
            """)
        #expect(
            policy.description == [
                "policy: policy.yaml",
                "mode: challenge passcode; lease 15m, at most 24h; 1m to answer",
                "lockout: 1 wrong answer locks for 30s, each later one 2 times as long, at most 1h",
                "gated action a (A thing): challenge totp; not asked again for 5m",
                "gated action b (b): parent mode",
                "questions: 1 in de, en", "browser: firefox",
            ])
        #expect(
            Policy.builtIn.roles.description == [
                "role administrator: root, group gate-admin", "role presenter: group gate-presenter",
                "role grown-up-presenter: nobody beside administrators",
            ])
    }
}
