import GateModel
import Glibc
import Testing

@testable import GatePolicy

@Suite("The layers of the policy (U-07)")
struct PolicyLayerTests {
    private static let household = HouseholdID(String(repeating: "1", count: 32))!

    /// Reads these layers.
    private func read(
        _ device: String = "", household: String = "", choices: [String: String] = [:], shipped: [String] = []
    ) throws(PolicyError) -> Policy {
        let own = device.isEmpty ? [] : [PolicySource(name: "/etc/gate/policy.yaml", text: device)]
        let shared = HouseholdPolicy(
            household: Self.household, number: 7, issued: WallTime(unixMilliseconds: 1),
            files: [HouseholdPolicy.File(path: "policy.d/a.yaml", text: household)])
        return try PolicyReader.read(
            own, household: household.isEmpty ? nil : shared, choices: choices,
            shipped: shipped.enumerated().map { PolicySource(name: "shipped/\($0.offset).yaml", text: $0.element) })
    }

    private func problems(_ device: String, shipped: String) -> [String] {
        do throws(PolicyError) {
            _ = try read(device, shipped: [shipped])
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test("a later layer replaces single settings, and leaves the others of their section as they are")
    func settings() throws {
        let policy = try read(
            """
            mode: {lease: 5m}
            lockout: {after: 4}
            sign-in: {required: true}
            roles: {presenter: {users: [anna]}}
            paywall: {style: full-screen-cover}
            browser: firefox
            """,
            household: "mode: {lease: 6m, answer-time: 2m}\nlockout: {for: 1m}\n",
            shipped: [
                """
                mode: {lease: 7m, answer-time: 3m, style: full-screen-cover}
                lockout: {after: 5, for: 2m, max: 30m}
                sign-in: {required: false, session: 1h}
                roles: {presenter: {users: [ben], groups: [kiosk]}}
                entitlements: {premium: {title: Premium}}
                paywall: {style: sheet, entitlement: premium}
                browser: chromium
                """
            ])
        let configuration = policy.configuration
        #expect(configuration.lease == .seconds(300) && configuration.answerTime == .seconds(120))
        #expect(configuration.modeStyle == .fullScreenCover)
        #expect(configuration.lockout.after == 4 && configuration.lockout.duration == .seconds(60))
        #expect(configuration.lockout.maximum == .seconds(1800))
        #expect(configuration.signIn.isRequired && configuration.signIn.session == .seconds(3600))
        #expect(policy.roles.presenters == Principals(users: ["anna"], groups: ["kiosk"]))
        #expect(configuration.paywall.style == .fullScreenCover && configuration.paywall.entitlement == "premium")
        #expect(policy.browser == "firefox" && policy.broken.isEmpty)
    }

    @Test("a gated action is replaced as a whole: a shipped keep does not survive a stricter requirement")
    func wholeActions() throws {
        let shipped =
            "gated-actions: {link.open: {title: Web, requires: {challenge: swipe}, keep: 5m, style: full-screen-cover}}"
        for policy in [
            try read("gated-actions: {link.open: {requires: {challenge: passcode}}}", shipped: [shipped]),
            try read(household: "gated-actions: {link.open: {requires: {challenge: passcode}}}", shipped: [shipped]),
            try read(choices: ["link.open": "{requires: {challenge: passcode}}"], shipped: [shipped]),
        ] {
            let action = try #require(policy.configuration.gatedActions["link.open"])
            #expect(action.requirement == .challenge(ChallengeRule(.passcode)))
            #expect(action.keep == nil && action.style == .sheet && action.title == "link.open")
        }
    }

    @Test("of all layers the device's own counts most, then the household's, then choices, then what is shipped")
    func order() throws {
        func layer(_ keep: Int) -> String { "gated-actions: {a: {requires: {mode: parent}, keep: \(keep)m}}" }
        let choices = ["a": "{requires: {mode: parent}, keep: 2m}"]
        let all = try read(layer(4), household: layer(3), choices: choices, shipped: [layer(1)])
        #expect(all.configuration.gatedActions["a"]?.keep == .seconds(240))
        let withHousehold = try read(household: layer(3), choices: choices, shipped: [layer(1)])
        #expect(withHousehold.configuration.gatedActions["a"]?.keep == .seconds(180))
        let chosen = try read(choices: choices, shipped: [layer(1)])
        #expect(chosen.configuration.gatedActions["a"]?.keep == .seconds(120))
        #expect(try read(shipped: [layer(1)]).configuration.gatedActions["a"]?.keep == .seconds(60))
    }

    @Test("entitlements are replaced as a whole, and questions by their ids")
    func others() throws {
        let question = { (text: String) in
            "questions: [{id: cat, en: {question: \(text)?, right: R, wrong: [a, b, c]}}]\n"
        }
        let policy = try read(
            "entitlements: {gold: {title: Mine}}\n" + question("Mine"),
            shipped: [
                "entitlements: {gold: {title: Theirs, features: [All]}, silver: {title: Silver}}\n" + question("Theirs")
            ])
        #expect(policy.configuration.entitlements["gold"]?.title == "Mine")
        #expect(policy.configuration.entitlements["gold"]?.features == [])
        #expect(policy.configuration.entitlements["silver"]?.title == "Silver")
        #expect(policy.configuration.questions.map(\.texts[0].question) == ["Mine?"])
    }

    @Test("a product's file with a setting that the package's defaults have, too, is no duplicate in another layer")
    func kiosk() throws {
        let kiosk = "sign-in: {required: true}"
        let defaults = "sign-in: {required: false, session: 12h}\nmode: {challenge: passcode}\n"
        #expect(try read(kiosk, shipped: [defaults]).configuration.signIn.isRequired)
        // Gate's own defaults set no section, so a product may bring its own in the shipped layer.
        let gates = "gated-actions: {purchase: {requires: {challenge: passcode}}}"
        let both = try read(shipped: [gates, kiosk])
        #expect(both.configuration.signIn.isRequired && both.broken.isEmpty)
    }

    @Test("what a later layer replaces is not read, so it needs no form, entitlement or question")
    func replacedUses() throws {
        let shipped = """
            gated-actions:
              a:
                requires:
                  all: [{form: gone}, {entitlement: gone}, {challenge: quiz}, {challenge: {kind: hold, hold: 60s}}]
            """
        let policy = try read("gated-actions: {a: {requires: {mode: parent}}}", shipped: [shipped])
        #expect(policy.configuration.gatedActions["a"]?.requirement == .parentMode && policy.broken.isEmpty)
    }

    // MARK: - Mistakes

    @Test("within one layer, a setting or an action that is said twice is a mistake")
    func duplicates() throws {
        let twice = try read(shipped: [
            "mode: {lease: 5m}\ngated-actions: {a: {requires: {mode: parent}}}",
            "mode: {lease: 6m}\ngated-actions: {a: {requires: signed-in}, b: {requires: {mode: parent}}}",
        ])
        #expect(
            twice.broken.map(\.problems).map { $0.map(\.description) } == [
                [
                    "shipped/1.yaml:1:15: 'mode.lease' is there already: shipped/0.yaml:1. Keep one of them.",
                    "shipped/1.yaml:2:17: 'a' is there already: shipped/0.yaml:2. Keep one of them.",
                ]
            ])
        // Nobody can tell which of the two was meant, so both are denied.
        #expect(twice.configuration.gatedActions.isEmpty)
        #expect(twice.broken[0].gatedActions == ["a", "b"])
        #expect(twice.configuration.lease == .seconds(300))
        let own = "gated-actions: {a: {requires: {mode: parent}}, b: {requires: {mode: parent}}}"
        #expect(try read(own, shipped: ["gated-actions: {a: {requires: signed-in}}"]).broken.isEmpty)
    }

    @Test(
        "a broken shipped file denies the actions that it names, and the rest of the policy is in force",
        arguments: [
            "mode: {lease: soon}", "colour: red", "mode: {lease: 30h}", "lockout: {max: 1s}",
            "sign-in: {session: 40d}", "gated-actions: {c: {requires: {form: gone}}}",
            "gated-actions: {c: {requires: {entitlement: gone}}}", "gated-actions: {c: {requires: {challenge: quiz}}}",
            "gated-actions: {c: {requires: {challenge: {kind: hold, hold: 60s}}}}", "gated-actions: {c: {}}",
        ])
    func broken(mistake: String) throws {
        let more = "a: {requires: signed-in}, b: {requires: signed-in}"
        let text =
            mistake.hasPrefix("gated-actions: {")
            ? mistake.replacing("gated-actions: {", with: "gated-actions: {\(more), ")
            : mistake + "\ngated-actions: {\(more)}"
        let policy = try read(
            "gated-actions: {a: {requires: {challenge: passcode}}}",
            choices: ["b": "{requires: {mode: parent}}"],
            shipped: [text, "gated-actions: {good: {requires: {mode: parent}}}"])
        #expect(policy.broken.map(\.file) == ["shipped/0.yaml"])
        #expect(Set(policy.configuration.gatedActions.keys) == ["a", "b", "good"])
        #expect(policy.configuration.gatedActions["a"]?.requirement == .challenge(ChallengeRule(.passcode)))
        #expect(policy.configuration.gatedActions["b"]?.requirement == .parentMode)
        #expect(policy.configuration.lease == Configuration.builtIn.lease)
        #expect(policy.linesWithOrigins.contains { $0.hasPrefix("mistake: shipped/0.yaml:") })
    }

    @Test("a shipped file that is no YAML is left out, and what it would have said is denied")
    func noYAML() throws {
        let policy = try read("mode: {lease: 5m}", shipped: ["gated-actions: {a: {requires: signed-in}\n]"])
        #expect(policy.broken.count == 1 && policy.configuration.gatedActions.isEmpty)
        #expect(policy.configuration.lease == .seconds(300))
    }

    @Test("a shipped file that does not fit the device's own settings is to blame, not the device's file")
    func blame() throws {
        for (own, shipped) in [
            ("mode: {lease: 15m}", "mode: {maximum-lease: 10m}"), ("lockout: {for: 2m}", "lockout: {max: 1m}"),
            ("sign-in: {session: 10h}", "sign-in: {maximum-session: 1h}"),
            ("gated-actions: {a: {requires: {challenge: {kind: hold, hold: 8s}}}}", "mode: {answer-time: 5s}"),
        ] {
            let policy = try read(own, shipped: [shipped])
            #expect(policy.broken.map(\.file) == ["shipped/0.yaml"], "\(own)")
        }
    }

    @Test("an action of the device's own whose entitlement a broken file has named stays closed, and the daemon starts")
    func lostEntitlement() throws {
        let policy = try read(
            "gated-actions: {a: {requires: {entitlement: gold}}}",
            shipped: ["entitlements: {gold: {title: Gold}}\nmode: {lease: soon}"])
        #expect(policy.configuration.gatedActions["a"]?.requirement == .entitlement("gold"))
        #expect(policy.configuration.entitlements["gold"] != nil)
    }

    @Test("mistakes of the device's own files still refuse the policy, whatever else is broken")
    func ownMistakes() {
        #expect(problems("mode: {lease: soon}", shipped: "mode: {lease: never}").count == 1)
        #expect(problems("gated-actions: {a: {requires: {entitlement: gone}}}", shipped: "").count == 1)
    }

    @Test("a broken choice denies its own action, and never lets a weaker default of the package decide")
    func brokenChoice() throws {
        for notation in ["{requires: {form: gone}}", "{", "{requires: signed-in}, b: {requires: signed-in}", "x\ny: z"]
        {
            let policy = try read(
                choices: ["a": notation, "c": "{requires: {mode: parent}}"],
                shipped: ["gated-actions: {a: {requires: signed-in}, c: {requires: signed-in}}"])
            #expect(policy.configuration.gatedActions["a"] == nil, "\(notation)")
            #expect(policy.configuration.gatedActions["c"]?.requirement == .parentMode)
            #expect(policy.broken.map(\.file) == ["choice of a"] && policy.broken[0].gatedActions.contains("a"))
        }
    }

    @Test(
        "a choice says nothing but what its own action requires",
        arguments: ["a: {requires: signed-in}\nroles", "link.open: {requires: signed-in} #", "a b", ""])
    func choiceNames(name: String) throws {
        let policy = try read(choices: [name: "{administrator: {users: [mia]}}"])
        #expect(policy.configuration.gatedActions.isEmpty && policy.roles == .builtIn)
    }
}
