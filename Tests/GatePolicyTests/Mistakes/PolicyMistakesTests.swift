import GatePolicy
import Testing

@Suite("Mistakes in policies")
struct PolicyMistakesTests {
    private static let kinds =
        "arithmetic-choice, arithmetic-entry, shapes, quiz, confirm, birthdate, passcode, totp, hold, swipe"

    @Test(
        "an unknown word is reported with its place, the nearest known word and all known words",
        arguments: [
            (
                "mode:\n  challange: passcode\n",
                "2:3: 'challange' is no key of 'mode'. Did you mean 'challenge'? There are: challenge, lease, "
                    + "maximum-lease, answer-time, style."
            ),
            (
                "mode: {challenge: arithmetic-choise}",
                "1:19: 'arithmetic-choise' is no kind of challenge. Did you mean 'arithmetic-choice'? There are: \(kinds)."
            ),
            ("mode: {challenge: xylophone}", "1:19: 'xylophone' is no kind of challenge. There are: \(kinds)."),
            (
                "roles: {admin: {}}",
                "1:9: 'admin' is no key of 'roles'. Did you mean 'administrator'? There are: administrator, presenter, "
                    + "grown-up-presenter, provider, broker, household, timekeeper."
            ),
            (
                "gated-actions: {a: {titel: A, requires: {mode: parent}}}",
                "1:21: 'titel' is no key of a gated action. Did you mean 'title'? There are: title, requires, keep, style, "
                    + "more-time."
            ),
            (
                "gated_actions: {}",
                "1:1: 'gated_actions' is no key of a policy. Did you mean 'gated-actions'? There are: mode, lockout, roles, "
                    + "sign-in, entitlements, paywall, schedules, allowances, gated-actions, browser, questions."
            ),
            (
                "sign-in: {require: true}",
                "1:11: 'require' is no key of 'sign-in'. Did you mean 'required'? There are: required, session, "
                    + "maximum-session."
            ),
            (
                "entitlements: {premium: {titel: Premium}}",
                "1:26: 'titel' is no key of an entitlement. Did you mean 'title'? There are: title, features."
            ),
            (
                "paywall: {provider: revenue-cat}",
                "1:21: 'revenue-cat' is no provider. Did you mean 'revenuecat'? There are: storekit, revenuecat, manual."
            ),
            (
                "paywall: {style: cover}", "1:18: 'cover' is no style. There are: sheet, full-screen-cover."
            ),
            (
                "paywall: {sheet: true}",
                "1:11: 'sheet' is no key of 'paywall'. There are: entitlement, provider, style."
            ),
            (
                "gated-actions: {a: {style: Sheet, requires: {mode: parent}}}",
                "1:28: 'Sheet' is no style. Did you mean 'sheet'? There are: sheet, full-screen-cover."
            ),
            (
                "mode: {challenge: {kind: birthdate, calendar: buddist}}",
                "1:47: 'buddist' is no calendar. Did you mean 'buddhist'? There are: gregorian, buddhist, minguo."
            ),
        ])
    func unknownWords(text: String, problem: String) {
        #expect(PolicyReader.problems(text) == [problem])
    }

    @Test(
        "for a value of the wrong type or out of its range, the message says what is expected",
        arguments: [
            (
                "mode: passcode",
                "1:7: Write the keys of 'mode' here (challenge, lease, maximum-lease, answer-time, style), not 'passcode'."
            ),
            ("mode: {lease: 15}", "1:15: 'lease' is a duration like 90s, 15m or 1h30m (units d, h, m, s), not '15'."),
            ("mode: {lease: }", "1:15: 'lease' is a duration like 90s, 15m or 1h30m (units d, h, m, s), not nothing."),
            ("mode: {lease: -5m}", "1:15: 'lease' is a duration like 90s, 15m or 1h30m (units d, h, m, s), not '-5m'."),
            ("mode: {lease: 0s}", "1:15: 'lease' is between 1s and 7d, not 0s."),
            ("mode: {lease: 8d}", "1:15: 'lease' is between 1s and 7d, not 8d."),
            ("mode: {lease: d}", "1:15: 'lease' is a duration like 90s, 15m or 1h30m (units d, h, m, s), not 'd'."),
            (
                "mode: {lease: 1d1d}",
                "1:15: 'lease' is a duration like 90s, 15m or 1h30m (units d, h, m, s), not '1d1d'."
            ),
            ("sign-in: {session: 366d}", "1:20: 'session' is between 1s and 365d, not 366d."),
            (
                "sign-in: {session: 9999999999999d}",
                "1:20: 'session' is a duration like 90s, 15m or 1h30m (units d, h, m, s), not '9999999999999d'."
            ),
            ("sign-in: {required: yes}", "1:21: 'required' is true or false, not 'yes'."),
            ("sign-in: {required: }", "1:21: 'required' is true or false, not nothing."),
            (
                "sign-in: true",
                "1:10: Write the keys of 'sign-in' here (required, session, maximum-session), not 'true'."
            ),
            (
                "entitlements: [premium]",
                "1:15: Write entitlements here, each with its name and a colon, not a list."
            ),
            (
                "entitlements: {premium: Premium}",
                "1:25: Write the keys of an entitlement here (title, features), not 'Premium'."
            ),
            ("entitlements: {premium: {title: []}}", "1:33: 'title' is a text, not a list."),
            (
                "entitlements: {a: }\npaywall: {entitlement: [a]}",
                "2:24: Write the name of an entitlement here, not a list."
            ),
            (
                "roles: {provider: {users: gate-revenuecat}}",
                "1:27: 'users' is a list like [one, two], not 'gate-revenuecat'."
            ),
            ("mode: {answer-time: 2h}", "1:21: 'answer-time' is between 5s and 1h, not 2h."),
            ("lockout: {after: 0}", "1:18: 'after' is a whole number between 1 and 100, not '0'."),
            ("lockout: {after: 0x3}", "1:18: 'after' is a whole number between 1 and 100, not '0x3'."),
            ("lockout: {factor: 101}", "1:19: 'factor' is a whole number between 1 and 100, not '101'."),
            ("roles: {presenter: {users: anna}}", "1:28: 'users' is a list like [one, two], not 'anna'."),
            ("roles: {presenter: {users: [-x]}}", "1:29: 'users' are names or numbers as in /etc/passwd, not '-x'."),
            ("browser: [firefox]", "1:10: 'browser' is a text, not a list."),
            (
                "gated-actions: [link.open]",
                "1:16: Write gated actions here, each with its name and a colon, not a list."
            ),
            (
                "gated-actions: {a: {keep: 25h, requires: {mode: parent}}}",
                "1:27: 'keep' is between 1s and 24h, not 25h."
            ),
            (
                "gated-actions: {household.open: {keep: 5m, requires: {challenge: passcode}}}",
                "1:40: 'household.open' can't have 'keep': a kept answer would open other devices without a question. Remove it."
            ),
            (
                "gated-actions: {household.answer: {keep: 5m, requires: {challenge: passcode}}}",
                "1:42: 'household.answer' can't have 'keep': a kept answer would say yes to other devices without a question. Remove it."
            ),
            ("mode: {challenge: {kind: hold, hold: 61s}}", "1:38: 'hold' is between 1s and 1m, not 1m1s."),
            (
                "mode: {challenge: {kind: birthdate, minimum-age: 0}}",
                "1:50: 'minimum-age' is a whole number between 1 and 120, not '0'."
            ),
            (
                "[a]",
                "1:1: Write the keys of a policy here (mode, lockout, roles, sign-in, entitlements, paywall, schedules, "
                    + "allowances, gated-actions, browser, questions), not a list."
            ),
        ])
    func wrongValues(text: String, problem: String) {
        #expect(PolicyReader.problems(text) == [problem])
    }

    @Test(
        "an action on other devices, or on Gate, is refused unless each way to meet its requirement asks a grown-up",
        arguments: [
            ("{mode: parent}", false), ("{any: [{mode: parent}, {challenge: passcode}]}", false),
            ("signed-in", false), ("{all: [{mode: parent}, signed-in]}", false),
            ("{challenge: passcode}", true), ("{all: [{mode: parent}, {challenge: passcode}]}", true),
            ("{any: [{challenge: passcode}, {all: [signed-in, {challenge: confirm}]}]}", false),
            ("{any: [{challenge: passcode}, {all: [signed-in, {challenge: totp}]}]}", true),
            ("{challenge: confirm}", false), ("{all: [{mode: parent}, {challenge: confirm}]}", false),
            ("{challenge: birthdate}", false), ("{challenge: hold}", false), ("{challenge: arithmetic-entry}", false),
            ("{challenge: {ages: {0-8: passcode, 9+: confirm}}}", false),
            ("{all: [{mode: parent}, {challenge: {kind: confirm, answered-by: grown-up}}]}", true),
        ])
    func elsewhere(requirement: String, isTaken: Bool) {
        for (name, risk) in [
            ("household.open", "open other devices"), ("household.answer", "say yes to other devices"),
            ("gate.change", "change who is a grown-up"),
        ] {
            let problem =
                "1:\(30 + name.utf8.count): '\(name)' has to ask each time what only a grown-up can answer: any program "
                + "could \(risk) otherwise. Write {challenge: passcode}, alone or within 'all', or add 'answered-by: "
                + "grown-up' to another question."
            #expect(
                PolicyReader.problems("gated-actions: {\(name): {requires: \(requirement)}}")
                    == (isTaken ? [] : [problem]))
        }
        #expect(PolicyReader.problems("gated-actions: {household.other: {requires: \(requirement)}}").isEmpty)
    }

    @Test(
        "settings that contradict each other are reported",
        arguments: [
            ("mode: {lease: 25h}", "1:15: 'lease' (25h) is longer than 'maximum-lease' (24h). Change one of them."),
            (
                "mode: {maximum-lease: 5m}",
                "1:23: 'lease' (15m) is longer than 'maximum-lease' (5m). Change one of them."
            ),
            (
                "sign-in: {session: 31d}",
                "1:20: 'session' (31d) is longer than 'maximum-session' (30d). Change one of them."
            ),
            (
                "sign-in: {maximum-session: 1h}",
                "1:28: 'session' (12h) is longer than 'maximum-session' (1h). Change one of them."
            ),
            (
                "lockout: {for: 2h}",
                "1:16: The longest lock, 'max' (1h), is shorter than the first, 'for' (2h). Change one of them."
            ),
            (
                "mode: {answer-time: 5s, challenge: {kind: hold, hold: 5s}}",
                "1:36: A hold of 5s does not fit into the 5s there are to answer. Hold for less, or set 'answer-time' in 'mode'."
            ),
            (
                "mode: {challenge: quiz}",
                "1:19: A quiz needs questions, and there are none. Put a question bank into questions.d, or ask something "
                    + "else."
            ),
            (
                "mode: {challenge: {kind: passcode, difficulty: hard}}",
                "1:48: 'difficulty' is not used by 'passcode', only by arithmetic-choice, arithmetic-entry, shapes, "
                    + "quiz, swipe. Remove it."
            ),
        ])
    func contradictions(text: String, problem: String) {
        #expect(PolicyReader.problems(text) == [problem])
    }

    @Test(
        "a gated action whose name is not lower-case words joined by dots is refused",
        arguments: [
            "Link.open", "link..open", ".open", "open.", "link open", "link_open", "-a", "a-", "ä", "''",
            String(repeating: "a", count: 65),
        ])
    func badNames(name: String) throws {
        let problems = PolicyReader.problems("gated-actions: {\(name): {requires: {mode: parent}}}")
        try #require(problems.count == 1)
        #expect(problems[0].contains("can't be the name of a gated action"))
    }

    @Test(
        "a gated action may not have the name of one of Gate's own counters of wrong answers",
        arguments: ["mode", "passcode", "totp", "sign-in"])
    func reservedNames(name: String) {
        #expect(
            PolicyReader.problems("gated-actions: {\(name): {requires: {mode: parent}}}")
                == ["1:17: '\(name)' is a name that Gate needs itself. Take another one."])
    }

    @Test(
        "a title is one short line that shows what it says",
        arguments: [
            #""""#, #"" ""#, #""a\nb""#, #""a\u202Eb""#, #""a\u2028b""#, "[]", String(repeating: "a", count: 101),
        ])
    func badTitles(title: String) throws {
        let problems = PolicyReader.problems("gated-actions: {a: {title: \(title), requires: {mode: parent}}}")
        try #require(problems.count == 1)
        #expect(problems[0].hasPrefix("1:28: 'title' "))
    }

    @Test(
        "a requirement that is not exactly one thing is refused, with an example",
        arguments: [
            ("{}", "1:31: This requires nothing. Write for example {mode: parent} or {challenge: passcode}."),
            ("{all: []}", "1:37: 'all' has nothing in it. Write for example {mode: parent} or {challenge: passcode}."),
            ("{any: {mode: parent}}", "1:37: 'any' is a list like [one, two], not a mapping."),
            ("{mode: child}", "1:38: 'mode' can only be 'parent', not 'child'."),
            ("parent", "1:31: Parent mode is written {mode: parent}."),
            ("passcode", "1:31: A challenge is written {challenge: passcode}."),
            (
                "{mode: parent, challenge: totp}",
                "1:31: A requirement is one of mode and challenge. Where both are needed, write {all: [{…}, {…}]}."
            ),
            ("entitlement", "1:31: An entitlement is written {entitlement: NAME}."),
            ("{entitlement: [premium]}", "1:45: Write the name of an entitlement here, not a list."),
            ("{entitlement: }", "1:45: Write the name of an entitlement here, not nothing."),
            (
                "{signed-in: false}",
                "1:43: 'signed-in' can only be 'true', not 'false'. It may also stand alone, without a colon."
            ),
            (
                "{signed-in: }",
                "1:43: 'signed-in' can only be 'true', not nothing. It may also stand alone, without a colon."
            ),
            (
                "{signed-in: true, entitlement: premium}",
                "1:31: A requirement is one of signed-in and entitlement. Where both are needed, write {all: [{…}, {…}]}."
            ),
            (
                "{form: school}",
                "1:38: 'school' is not a form: there are no forms. Put its questionnaire into questionnaires.d."
            ),
            ("{form: [school]}", "1:38: Write the name of a form here, not a list."),
            ("form", "1:31: A form is written {form: NAME}."),
            (
                "{form: consent, mode: parent}",
                "1:31: A requirement is one of mode and form. Where both are needed, write {all: [{…}, {…}]}."
            ),
        ])
    func requirements(text: String, problem: String) {
        #expect(PolicyReader.problems("gated-actions: {a: {requires: \(text)}}") == [problem])
    }

    @Test("a gated action without a requirement is refused")
    func noRequirement() {
        #expect(
            PolicyReader.problems("gated-actions: {a: {title: A}}") == ["1:20: The gated action 'a' needs 'requires'."])
    }

    @Test("requirements may be nested eight deep")
    func depth() {
        func nested(_ depth: Int) -> String {
            let inner = (1..<depth).reduce("{mode: parent}") { text, _ in "{all: [\(text)]}" }
            return "gated-actions: {a: {requires: \(inner)}}"
        }
        #expect(PolicyReader.problems(nested(8)) == [])
        #expect(
            PolicyReader.problems(nested(9)) == ["1:87: Requirements are at most 8 deep inside one another."])
    }

    @Test(
        "bands of ages with a gap, an overlap or a missing beginning or end are refused",
        arguments: [
            ("{1-8: totp, 9+: totp}", ["1:27: The ages before '1-8' have no challenge: 0 years. Add a band."]),
            ("{0-8: totp, 11+: totp}", ["1:38: The ages before '11+' have no challenge: 9 to 10 years. Add a band."]),
            ("{0-8: totp, 7+: totp}", ["1:38: '7+' overlaps with another band: 7 to 8 years. Change one of them."]),
            ("{0+: totp, 7+: totp}", ["1:37: '7+' overlaps with another band: 7 to 150 years. Change one of them."]),
            (
                "{0-8: totp, 9-12: totp}",
                ["1:38: There is no band for those who are 13 or older. Write the last band as 9+."]
            ),
            ("{}", ["1:26: 'ages' are bands with a challenge each, like {0-8: arithmetic-choice, 9+: passcode}."]),
        ])
    func ages(text: String, problems: [String]) {
        #expect(PolicyReader.problems("mode: {challenge: {ages: \(text)}}") == problems)
    }

    @Test(
        "a band of ages that can't be read is refused, with an example",
        arguments: ["8", "0-8y", "8-0", "-8", "0-151", "+", "0--8", "0 - 8"])
    func badBands(band: String) throws {
        let problems = PolicyReader.problems("mode: {challenge: {ages: {\(band): totp}}}")
        try #require(problems.count == 1)
        #expect(problems[0].contains("is no band of ages. Write 0-8 for from 0 to 8 years"))
    }

    @Test("all mistakes of a file are reported, from the top down")
    func all() {
        let problems = PolicyReader.problems(
            """
            lockout: {after: none}
            mode:
              leese: 5m
              challenge: passkode
            gated-actions:
              A: {requires: {mode: child}}
              b: {keep: 5}
            """)
        #expect(
            problems.map { $0.prefix { $0 != " " } } == ["1:18:", "3:3:", "4:14:", "6:3:", "6:24:", "7:6:", "7:13:"])
    }
}
