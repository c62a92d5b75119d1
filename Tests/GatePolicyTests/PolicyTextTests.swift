import GateModel
import GatePolicy
import Testing

@Suite("Policies for people")
struct PolicyTextTests {
    @Test("the text of a requirement has brackets only where they are needed")
    func requirements() {
        let ages = ChallengeRule(bands: [
            .init(ages: 0...8, challenge: .init(.arithmeticChoice)),
            .init(ages: 9...11, challenge: .init(.arithmeticEntry, difficulty: .hard)),
            .init(ages: 12...ChallengeRule.maximumAge, challenge: .init(.passcode)),
        ])
        let byAge = "challenge arithmetic-choice; 9 to 11: arithmetic-entry (hard); 12 and older: passcode"
        #expect(Requirement.parentMode.text == "parent mode")
        #expect(Requirement.challenge(ages).text == byAge)
        #expect(Requirement.signedIn.text == "signed in")
        #expect(Requirement.any([.parentMode, .form("consent")]).text == "parent mode or form consent")
        #expect(Requirement.all([.signedIn, .entitlement("premium")]).text == "signed in and entitlement premium")
        #expect(
            Requirement.any([.all([.signedIn, .entitlement("a")]), .entitlement("b")]).text
                == "(signed in and entitlement a) or entitlement b")
        #expect(Requirement.any([.parentMode, .challenge(.init(.totp))]).text == "parent mode or challenge totp")
        #expect(Requirement.all([.parentMode, .challenge(ages)]).text == "parent mode and (\(byAge))")
        #expect(
            Requirement.all([.any([.parentMode, .challenge(.init(.quiz))]), .challenge(.init(.totp))]).text
                == "(parent mode or challenge quiz) and challenge totp")
    }

    @Test("the text of a challenge names only settings that differ from the usual")
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

    @Test("the policy in force is described with one line for each subject")
    func inForce() throws {
        #expect(
            Policy.builtIn.description == [
                "policy: none (the built-in policy)",
                "mode: challenge passcode; lease 15m, at most 24h; 1m to answer",
                "lockout: 3 wrong answers in a row lock for 30s, each later one 2 times as long, at most 1h",
                "sign-in: not required; a session lasts 12h after its last use, at most 30d",
                "gated actions: none; all are denied", "browser: none",
            ])
        let policy = try PolicyReader.read(
            """
            browser: firefox
            mode: {style: full-screen-cover}
            lockout: {after: 1}
            gated-actions:
              b: {requires: {mode: parent}}
              a: {title: A thing, requires: {challenge: totp}, keep: 5m}
            questions: [{id: x, en: {question: Q, right: R, wrong: [a, b, c]}, de: {question: Q, right: R, wrong: [a, b, c]}}]
            """)
        #expect(
            policy.description == [
                "policy: policy.yaml",
                "mode: challenge passcode; lease 15m, at most 24h; 1m to answer; style full-screen-cover",
                "lockout: 1 wrong answer locks for 30s, each later one 2 times as long, at most 1h",
                "sign-in: not required; a session lasts 12h after its last use, at most 30d",
                "gated action a (A thing): challenge totp; not asked again for 5m",
                "gated action b (b): parent mode",
                "questions: 1 in de, en", "browser: firefox",
            ])
        #expect(
            Policy.builtIn.roles.description == [
                "role administrator: root, group gate-admin", "role presenter: group gate-presenter",
                "role grown-up-presenter: nobody beside administrators",
                "role provider: nobody beside administrators", "role broker: nobody beside administrators",
                "role household: nobody beside administrators",
            ])
    }

    @Test("the description lists forms with titles, versions and items, and release notes with versions (F-27, F-56)")
    func formsAndReleaseNotes() throws {
        let policy = try PolicyReader.read([
            PolicySource(name: "questionnaires.d/b.json", text: SampleForms.json),
            PolicySource(
                name: "questionnaires.d/a.yaml",
                text: """
                    resourceType: Questionnaire
                    status: active
                    item: [{linkId: q, type: boolean}]
                    extension: [{url: "https://gate.example/fhir/StructureDefinition/completed-by", valueCode: grown-up}]
                    """),
            PolicySource(
                name: "release-notes.d/x.yaml",
                text: "app: org.example.x\nversions: {1.10: {title: T, features: [{title: F}]}, "
                    + "1.9.1: {title: T, features: [{title: F}]}}"),
            PolicySource(
                name: "release-notes.d/y.yaml",
                text: "app: org.example.a\nversions: {2: {title: T, features: [{title: F}]}}"),
        ])
        #expect(
            policy.description.suffix(5) == [
                "form a (a): no version; 1 item; only a grown-up completes it",
                "form school (A school form): version 2026.10; 6 items",
                "release notes org.example.a: 1 version, the newest 2.0.0",
                "release notes org.example.x: 2 versions, the newest 1.10.0", "browser: none",
            ])
    }

    @Test("the description lists entitlements with their providers, and providers without their keys")
    func entitlements() throws {
        let policy = try PolicyReader.read(
            [
                PolicySource(
                    name: "policy.yaml",
                    text: """
                        sign-in: {required: true, session: 1d, maximum-session: 1d12h}
                        entitlements: {premium: {title: All of it}, plus: }
                        """),
                PolicySource(
                    name: "providers.yaml",
                    text: """
                        storekit: {bundle-ids: [org.b, org.a], roots: [a.cer], products: {y: premium, x: premium}}
                        revenuecat:
                          public-key: appl_NotTold
                          unsigned: accepted
                          poll: 12h
                          users: {a: device}
                          entitlements: {pro: premium}
                        """),
            ], rootFiles: ["a.cer": TestCertificate.der])
        #expect(
            policy.description.filter { !$0.hasPrefix("mode") && !$0.hasPrefix("lockout") } == [
                "policy: policy.yaml, providers.yaml",
                "sign-in: required; a session lasts 24h after its last use, at most 36h",
                "entitlement plus (plus): given by an administrator",
                "entitlement premium (All of it): given by an administrator, revenuecat pro, storekit x, storekit y",
                "paywall: no entitlement by default; provider revenuecat, style sheet",
                "gated actions: none; all are denied",
                "storekit: apps org.a, org.b; environments Production; 1 root certificate",
                "revenuecat: https://api.revenuecat.com, every 12h; 1 user; unsigned answers are taken",
                "browser: none",
            ])
    }
}
