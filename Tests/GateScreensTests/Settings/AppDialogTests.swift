import GateModel
import GateScreens
import Testing

@Suite("The dialog in which a grown-up guards an app")
struct AppDialogTests {
    private static let everyDay = Allowance("games", secondsOfDays: Array(repeating: 3600, count: 7))
    private static let byDay = Allowance("films", secondsOfDays: [3600, 3600, 3600, 3600, 3600, 7200, 7200])
    private static let afternoons = Schedule(
        "after-school", days: Array(repeating: [.init(15 * 60, 19 * 60)], count: 5) + [[], []])

    /// A grown-up's yes, as `gatectl apps guard` sets it.
    private static let yes =
        "{challenge: {kind: confirm, answered-by: grown-up, may-wait: 24h, choices: [once, 30m, 1h]}}"
    private static let askGrownUp = Requirement.challenge(
        ChallengeRule(ChallengeSpecification(.confirm, answeredBy: .grownUp)))

    private static func gate(
        _ requirement: Requirement?, _ name: String = "app.supertux2", layer: PolicyLayer = .choices,
        keep: Duration? = nil, hasSettings: Bool = false
    ) -> GateFacts {
        let summary = GatedActionSummary(
            name: name, title: LocalizedText("SuperTux"), requirement: "as the daemon says it", keep: keep,
            origin: PolicyOrigin(layer: layer, file: "choice of \(name)"))
        return GateFacts(
            summary, outlook: nil, rule: GateRule(gatedAction: summary, strength: nil, requirement: requirement),
            hasSettings: hasSettings)
    }

    private static func dialog(
        _ app: AppFacts = AppFacts("supertux2", title: "SuperTux 2"), _ gates: [GateFacts] = []
    ) -> SettingsDialog {
        var facts = SettingsFacts()
        facts.gates = .known(gates)
        return .app(AppDialog(app, in: facts))
    }

    private static func change(_ dialog: SettingsDialog, _ texts: [SettingsDialog.Key: String]) throws -> ChosenGate? {
        guard case .changeGate(let change) = try dialog.request(.init(texts: texts)) else { return nil }
        return change
    }

    private static func choices(_ dialog: SettingsDialog, _ key: SettingsDialog.Key) -> [String] {
        dialog.fields.flatMap { field -> [String] in
            guard case .choice(key, _, let choices) = field else { return [] }
            return choices.map { "\($0.name): \($0.title)" }
        }
    }

    @Test("each question can be chosen, with each limit that other gates have, and parent mode always passes")
    func notations() throws {
        let dialog = Self.dialog(
            .init("supertux2", title: "SuperTux 2"),
            [Self.gate(.all([.allowance(Self.everyDay), .during(Self.afternoons)]), "game.play", layer: .device)])
        #expect(
            Self.choices(dialog, .question)
                == ["grown-up: Ask a grown-up", "sum: A sum", "passcode: The passcode", "nobody: No question"])
        #expect(
            Self.choices(dialog, .limit) == [
                "none: No limit", "15: 15 minutes a day", "30: 30 minutes a day", "60: 1 hour a day",
                "120: 2 hours a day", "allowance games: Games: 1 hour a day",
                "schedule after-school: After school: Monday to Friday 15:00–19:00", "hours: Only at certain hours",
            ])
        let notations: [(question: String, limit: String, notation: String)] = [
            ("grown-up", "none", "{any: [{mode: parent}, \(Self.yes)]}"),
            ("sum", "none", "{any: [{mode: parent}, {challenge: arithmetic-entry}]}"),
            ("passcode", "none", "{any: [{mode: parent}, {challenge: passcode}]}"),
            (
                "grown-up", "allowance games", #"{any: [{mode: parent}, {all: [{allowance: "games"}, \#(Self.yes)]}]}"#
            ),
            (
                "passcode", "schedule after-school",
                #"{any: [{mode: parent}, {all: [{during: "after-school"}, {challenge: passcode}]}]}"#
            ),
            ("nobody", "allowance games", #"{any: [{mode: parent}, {allowance: "games"}]}"#),
            ("nobody", "schedule after-school", #"{any: [{mode: parent}, {during: "after-school"}]}"#),
        ]
        for (question, limit, notation) in notations {
            let change = try Self.change(dialog, [.question: question, .limit: limit])
            #expect(change?.requires == notation)
            #expect(change?.gatedAction == "app.supertux2" && change?.keep == nil)
            #expect(change?.title == "SuperTux 2" && change?.isNew == true, "the menu's title is what is asked with")
            #expect(change?.moreTime == (limit == "none" ? nil : AskChoice.usualMoreTime))
            #expect(change?.time == nil, "the policy has it already")
        }
        let mistake = #expect(throws: SettingsDialog.Mistake.self) {
            try Self.change(dialog, [.question: "nobody", .limit: "none"])
        }
        #expect(mistake?.text == "Choose a question or a time limit.")
    }

    @Test("an app begins with asking a grown-up, and a guarded one with what stands before it")
    func initial() throws {
        let other = Self.gate(.allowance(Self.byDay), "film.watch")
        let texts: [(Requirement, (question: String, limit: String))] = [
            (.any([.parentMode, Self.askGrownUp]), ("grown-up", "none")),
            (.any([.parentMode, .challenge(ChallengeRule(.passcode))]), ("passcode", "none")),
            (.any([.parentMode, .all([.allowance(Self.byDay), Self.askGrownUp])]), ("grown-up", "allowance films")),
            (
                .any([.parentMode, .all([.during(Self.afternoons), .challenge(ChallengeRule(.arithmeticEntry))])]),
                ("sum", "schedule after-school")
            ),
            (.any([.parentMode, .allowance(Self.everyDay)]), ("nobody", "allowance games")),
        ]
        for (requirement, expected) in texts {
            let dialog = Self.dialog(.init("supertux2", title: "SuperTux"), [Self.gate(requirement), other])
            let initial = dialog.initial()
            #expect(initial[.question] == expected.question && initial[.limit] == expected.limit, "\(requirement)")
            // Left as it is, the dialog says the same.
            let change = try #require(try Self.change(dialog, initial))
            #expect(change.isNew == false)
            #expect(change.moreTime == (requirement.limitsTime ? AskChoice.usualMoreTime : nil))
            for case .choice(let key, _, let choices) in dialog.fields {
                #expect(choices.contains { $0.name == initial[key] }, "\(key)")
            }
        }
        #expect(Self.dialog().initial() == [.question: "grown-up", .limit: "none"])
    }

    @Test("what the dialog can't say begins with asking a grown-up, which is no weaker than a question can be")
    func more() {
        let passcode = Requirement.challenge(ChallengeRule(.passcode))
        let gates = [
            Self.gate(nil), Self.gate(.parentMode), Self.gate(passcode), Self.gate(.any([passcode, .parentMode])),
            Self.gate(.any([.parentMode, passcode]), keep: .seconds(60)),
            Self.gate(.any([.parentMode, .challenge(ChallengeRule(.arithmeticEntry))]), hasSettings: true),
            Self.gate(.any([.parentMode, .all([passcode, .allowance(Self.everyDay)])])),
            Self.gate(
                .any([.parentMode, .all([.allowance(Self.everyDay), .during(Self.afternoons), passcode])])),
            Self.gate(.any([.parentMode, .all([.allowance(Self.everyDay), .during(Self.afternoons)])])),
            Self.gate(.any([.parentMode, .challenge(ChallengeRule(.quiz))])),
            Self.gate(.any([.parentMode, .challenge(ChallengeRule(.confirm))])),
            Self.gate(.any([.parentMode, .signedIn])), Self.gate(.any([.parentMode, passcode, .signedIn])),
        ]
        for gate in gates {
            let initial = Self.dialog(.init("supertux2", title: "SuperTux"), [gate]).initial()
            #expect(initial == [.question: "grown-up", .limit: "none"], "\(gate.rule?.requirement as Any)")
        }
    }

    @Test("the dialog says what would hold, and why no more than that")
    func words() {
        func text(_ holds: AppFacts.Hold, _ reasons: [String] = []) -> String {
            Self.dialog(.init("pybik", title: "Pybik", holds: holds, reasons: reasons)).text
        }
        #expect(text(.kernel) == "It then starts only through Gate. In parent mode nobody is asked.")
        #expect(
            text(.hands)
                == "A child who was allowed to start it once can copy it. In parent mode nobody is asked."
        )
        #expect(
            text(.hands, ["It has scripts.", "It has modules."])
                == "It has scripts. It has modules. In parent mode nobody is asked."
        )
        #expect(Self.dialog(.init("pybik", title: "Py\u{202e}bik")).title == "Py\u{FFFD}bik")
        #expect(Self.dialog(.init("pybik", title: "  ")).title == "pybik")
    }

    @Test("only what was chosen here can be released, and the question says that nothing is asked then")
    func release() throws {
        func further(_ layer: PolicyLayer) -> SettingsButton? {
            Self.dialog(.init("supertux2", title: "SuperTux"), [Self.gate(.parentMode, layer: layer)]).furtherButton
        }
        #expect(Self.dialog().furtherButton == nil)
        for layer in [PolicyLayer.shipped, .household, .device] { #expect(further(layer) == nil, "\(layer)") }
        let button = try #require(further(.choices))
        #expect(button.title == "Stop guarding" && button.spoken == "Stop guarding “SuperTux”")
        let gate = Self.gate(.any([.parentMode, .challenge(ChallengeRule(.passcode))]))
        let release = ChosenGate(gate.summary, nil)
        #expect(button.act == .checkGate(release))
        let question = try #require(
            SettingsAct.changeGate(release, ChangedGate(before: gate.rule, after: nil, revision: nil)).confirmation)
        #expect(question.title == "Stop guarding “SuperTux”?" && question.button == "Stop guarding")
        #expect(
            question.text
                == "Now: the passcode. Asked every time.\n\nThen it starts without Gate, like any other app."
        )
    }

    @Test("before an app is guarded, a sentence says what it will ask; before a change, what it asks now, too")
    func confirmation() throws {
        let gate = Self.gate(.any([.parentMode, .challenge(ChallengeRule(.passcode))]))
        let change = try #require(try Self.change(Self.dialog(), [.question: "passcode", .limit: "none"]))
        func question(_ before: GateRule?) -> SettingsAct.Confirmation? {
            SettingsAct.changeGate(change, ChangedGate(before: before, after: gate.rule, revision: nil)).confirmation
        }
        let first = try #require(question(nil))
        #expect(first.title == "Guard “SuperTux 2”?" && first.button == "Guard" && !first.isDestructive)
        #expect(first.text == "Then: the passcode. Asked every time.")
        let later = try #require(question(Self.gate(.parentMode).rule))
        #expect(later.title == "Change “SuperTux 2”?" && later.button == "Change")
        #expect(later.text == "Now: only in parent mode.\n\nThen: the passcode. Asked every time.")
    }
}
