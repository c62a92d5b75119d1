import GateModel
import GateScreens
import GateTexts
import Testing

private let rulesByAge = ChallengeRule(bands: [
    .init(ages: 0...8, challenge: ChallengeSpecification(.shapes)),
    .init(ages: 9...11, challenge: ChallengeSpecification(.arithmeticEntry)),
    .init(ages: 12...ChallengeRule.maximumAge, challenge: ChallengeSpecification(.passcode)),
])

@Suite("The page of gates, and the dialog that changes one (U-08)")
struct GatesPageTests {
    private static let moment = SettingsMoment(
        boot: BootTime(nanoseconds: 1_000_000_000_000), wall: WallTime(unixMilliseconds: 1_773_144_000_000),
        clock: .utc, habits: WritingHabits(dateFormat: "%d.%m.%Y", decimalSeparator: ","), uid: 1000,
        userName: { _ in nil })

    private static func rule(
        _ requirement: Requirement?, keep: Duration? = nil, name: String = "link.open", layer: PolicyLayer = .shipped
    ) -> GateRule {
        GateRule(
            gatedAction: GatedActionSummary(
                name: name, title: LocalizedText("Open a web page"), requirement: "as the daemon says it", keep: keep,
                origin: PolicyOrigin(layer: layer, file: "gate.yaml", line: 7)),
            strength: GateStrength(guessedPerMillion: 4700, programPasses: true, isWithoutQuestion: false),
            requirement: requirement)
    }

    private static func facts(_ rule: GateRule) -> GateFacts { GateFacts(rule.gatedAction, outlook: nil, rule: rule) }

    private static func machine(
        _ rules: [GateRule], people: [GatePerson] = [], isAdministrator: Bool = true
    ) -> SettingsStateMachine {
        var machine = SettingsStateMachine()
        _ = machine.told(mode: .closed, signIn: .closed, entitlements: .closed, drafts: [])
        if isAdministrator { _ = machine.journalCame([], at: moment) } else { machine.journalRefused() }
        machine.came(\.gates, .success(rules.map(facts)), generation: machine.generation)
        machine.came(\.people, .success(people), generation: machine.generation)
        return machine
    }

    private static func details(_ machine: SettingsStateMachine) -> [SettingsRow] {
        machine.page(.gates, at: moment).groups[0].rows.flatMap(\.details)
    }

    private static func acts(_ machine: SettingsStateMachine) -> [SettingsAct] {
        details(machine).flatMap(\.buttons).map(\.act)
    }

    @Test("gates of the same title show their names, and other gates don't")
    func namesakes() {
        let rows = { (names: [String]) in
            Self.machine(names.map { Self.rule(.parentMode, name: $0) }).page(.gates, at: Self.moment).groups[0].rows
        }
        #expect(
            rows(["link.open", "page.open"]).map(\.text) == [
                "link.open\nOnly in parent mode", "page.open\nOnly in parent mode",
            ])
        #expect(rows(["link.open"]).map(\.text) == ["Only in parent mode"])
    }

    @Test("each gate unfolds to what stands before it, how safe that is, its name, and where it is written")
    func words() {
        let texts = Self.details(Self.machine([Self.rule(.any([.parentMode, .challenge(rulesByAge)]))]))
            .map { "\($0.title): \($0.text)" }
        #expect(
            texts == [
                """
                What it asks: Parent mode
                or From 0 years: Shapes to count
                From 9 years: A sum whose result is typed
                From 12 years: The passcode
                """,
                "How safe it is: Somebody who only guesses gets through within an hour with a chance of 1 in 210. "
                    + "A program always gets through.",
                "Name in the rules: link.open", "Where this is written: gate.yaml:7",
            ])
    }

    @Test("below its title a gate says in words what is asked, and beyond that only what is otherwise now")
    func asked() {
        func text(
            _ requirement: Requirement?, _ outlook: AuthorizationOutlook? = nil, keep: Duration? = nil
        ) -> String {
            var machine = Self.machine([])
            let rule = Self.rule(requirement, keep: keep)
            let facts = GateFacts(rule.gatedAction, outlook: outlook, rule: rule)
            machine.came(\.gates, .success([facts]), generation: machine.generation)
            return machine.page(.gates, at: Self.moment).groups[0].rows[0].text
        }
        let passcode = Requirement.challenge(ChallengeRule(.passcode))
        func needs(_ need: AuthorizationNeed?) -> AuthorizationOutlook {
            AuthorizationOutlook(.personNeeded, need: need, explanation: "This is needed first.")
        }
        #expect(text(passcode) == "The passcode")
        #expect(text(passcode, needs(.challenge(.passcode))) == "The passcode")
        #expect(text(.parentMode, needs(.parentMode)) == "Only in parent mode")
        #expect(
            text(.any([.parentMode, passcode]), AuthorizationOutlook(.granted), keep: .seconds(300))
                == "Parent mode or the passcode\nOpen now: nobody is asked.\nNot asked again for 5 minutes.")
        #expect(text(passcode, needs(.wait)) == "The passcode\nThis is needed first.")
        #expect(text(.signedIn, needs(.signIn)) == "This is needed first.")
        #expect(text(nil, needs(.challenge(.passcode))) == "This is needed first.")
    }

    @Test("administrators change gates, and so do grown-ups in the session of their own user, but nobody else")
    func whoChanges() {
        let rules = [Self.rule(.parentMode)]
        func isOffered(_ people: [GatePerson], isAdministrator: Bool = false) -> Bool {
            !Self.acts(Self.machine(rules, people: people, isAdministrator: isAdministrator)).isEmpty
        }
        func person(_ kind: GatePerson.Kind, _ uid: UInt32) -> GatePerson {
            GatePerson(name: "anna", kind: kind, user: .init(name: "anna", uid: uid))
        }
        #expect(isOffered([], isAdministrator: true))
        #expect(isOffered([person(.grownUp, 1000)]))
        var unconfirmed = person(.grownUp, 1000)
        unconfirmed.isConfirmed = false
        #expect(!isOffered([unconfirmed]), "the daemon would refuse them")
        #expect(!isOffered([]))
        #expect(!isOffered([person(.grownUp, 1001)]))
        #expect(!isOffered([person(.child(born: nil), 1000)]))
    }

    @Test("only what was chosen here can be as shipped again, and what a later layer says can't be changed here")
    func layers() {
        func details(_ layer: PolicyLayer, name: String = "link.open") -> (acts: [SettingsAct], reasons: [String]) {
            let machine = Self.machine([Self.rule(.parentMode, name: name, layer: layer)])
            return (Self.acts(machine), Self.details(machine).filter { $0.id == "fixed" }.map(\.text))
        }
        let rule = Self.rule(.parentMode, layer: .choices)
        #expect(details(.shipped).acts == [.open(.gate(Self.facts(Self.rule(.parentMode))))])
        #expect(
            details(.choices).acts
                == [.open(.gate(Self.facts(rule))), .checkGate(ChosenGate(rule.gatedAction, nil))])
        #expect(details(.choices).reasons.isEmpty)
        for layer in [PolicyLayer.household, .device] {
            #expect(details(layer).acts.isEmpty)
            #expect(details(layer).reasons.first?.contains("precedence") == true, "\(layer)")
        }
        #expect(details(.shipped, name: "gate.change").acts.isEmpty)
        #expect(details(.shipped, name: "gate.change").reasons.first?.contains("/etc/gate") == true)
    }

    @Test("before a change counts, sentences say what stands there and what would stand there")
    func before() throws {
        let (old, new) = (Self.rule(.parentMode), Self.rule(.challenge(ChallengeRule(.confirm)), keep: .seconds(300)))
        let checked = ChangedGate(before: old, after: new, revision: nil)
        let question = try #require(
            SettingsAct.changeGate(ChosenGate(old.gatedAction, GateSetting([.init(.confirm)])), checked).confirmation)
        #expect(question.title == "Change “Open a web page”?")
        #expect(
            question.text == """
                Now: only in parent mode. Somebody who only guesses gets through within an hour with a chance of 1 in 210. \
                A program always gets through.

                Then: a grown-up's yes. Not asked again for 5 minutes. Somebody who only guesses gets through within \
                an hour with a chance of 1 in 210. A program always gets through.
                """)
        #expect(!question.isDestructive)
    }

    @Test(
        "what stands before a gate fills the dialog, and the dialog left as it is says the same",
        arguments: [
            (.parentMode, "{mode: parent}"), (.challenge(ChallengeRule(.confirm)), "{challenge: confirm}"),
            (
                .any([.parentMode, .challenge(rulesByAge)]),
                "{any: [{mode: parent}, {challenge: {ages: {0-8: shapes, 9-11: arithmetic-entry, 12+: passcode}}}]}"
            ),
            (
                .challenge(ChallengeRule(ChallengeSpecification(.confirm, answeredBy: .grownUp))),
                "{challenge: {kind: confirm, answered-by: grown-up}}"
            ),
        ] as [(Requirement, String)])
    func unchanged(requirement: Requirement, notation: String) throws {
        for keep in [nil, .seconds(300), .seconds(7)] as [Duration?] {
            let gate = Self.facts(Self.rule(requirement, keep: keep))
            let dialog = SettingsDialog.gate(gate)
            let request = try dialog.request(.init(texts: dialog.initial()))
            let setting = try #require(gate.rule.flatMap { GateSetting($0) })
            #expect(request == .changeGate(ChosenGate(gate.summary, setting)))
            #expect(setting.notation == notation && setting.keep == keep)
            // Each value that stands there is one of the choices.
            for case .choice(let key, _, let choices) in dialog.fields {
                if let value = dialog.initial()[key] { #expect(choices.contains { $0.name == value }, "\(key)") }
            }
        }
    }

    @Test("more than the dialog can say begins with the passcode, which is no weaker than a question can be")
    func more() throws {
        for requirement in [
            .all([.parentMode, .challenge(ChallengeRule(.passcode))]), .signedIn, .entitlement("premium"), nil,
        ] as [Requirement?] {
            let gate = Self.facts(Self.rule(requirement, keep: .seconds(60)))
            #expect(gate.rule.flatMap { GateSetting($0) } == nil)
            let request = try SettingsDialog.gate(gate).request(.init(texts: SettingsDialog.gate(gate).initial()))
            let setting = GateSetting([.init(.passcode)], keep: .seconds(60))
            #expect(request == .changeGate(ChosenGate(gate.summary, setting)))
        }
    }

    @Test("a question for an age is seen once its age is written, and what is not seen does not count")
    func hiddenFields() throws {
        let dialog = SettingsDialog.gate(Self.facts(Self.rule(.parentMode)))
        func hidden(_ typed: [SettingsDialog.Key: String]) -> Set<SettingsDialog.Key> {
            let keys = dialog.fields.map { field in
                switch field {
                case .text(let key, _, _), .secret(let key, _), .choice(let key, _, _): key
                }
            }
            return Set(keys.filter { !dialog.shows($0, .init(texts: typed)) })
        }
        #expect(hidden([:]) == [.nextQuestion, .lastAge, .lastQuestion])
        #expect(hidden([.nextAge: " ", .lastAge: "12"]) == [.nextQuestion, .lastAge, .lastQuestion])
        #expect(hidden([.nextAge: "9"]) == [.lastQuestion])
        #expect(hidden([.nextAge: "9", .lastAge: "12"]).isEmpty)
        let request = try dialog.request(
            .init(texts: [
                .question: "confirm", .nextQuestion: "quiz", .lastAge: "12", .lastQuestion: "totp",
            ]))
        #expect(
            request == .changeGate(ChosenGate(Self.rule(.parentMode).gatedAction, GateSetting([.init(.confirm)]))))
    }

    @Test("a hard sum does not become an ordinary one because only the time is changed")
    func settings() throws {
        let rule = Self.rule(.any([.parentMode, .challenge(ChallengeRule(.arithmeticEntry))]), keep: .seconds(60))
        let dialog = SettingsDialog.gate(GateFacts(rule.gatedAction, outlook: nil, rule: rule, hasSettings: true))
        var texts = dialog.initial()
        texts[.keep] = "300000"
        let setting = GateSetting([.init(.passcode)], keep: .seconds(300))
        #expect(try dialog.request(.init(texts: texts)) == .changeGate(ChosenGate(rule.gatedAction, setting)))
    }

    @Test(
        "ages that are none, or in the wrong order, are refused",
        arguments: [
            ([.question: "confirm", .nextAge: "nine", .nextQuestion: "quiz"], "Write the age in whole years"),
            ([.question: "confirm", .nextAge: "0", .nextQuestion: "quiz"], "Write the age in whole years"),
            ([.question: "parent", .nextAge: "9", .nextQuestion: "quiz"], "Leave the ages empty"),
            (
                [.question: "confirm", .nextAge: "9", .nextQuestion: "quiz", .lastAge: "9", .lastQuestion: "totp"],
                "higher than the one before"
            ),
        ] as [([SettingsDialog.Key: String], String)])
    func ages(typed: [SettingsDialog.Key: String], mistake: String) {
        do throws(SettingsDialog.Mistake) {
            _ = try SettingsDialog.gate(Self.facts(Self.rule(.parentMode))).request(.init(texts: typed))
            Issue.record("nothing was refused")
        } catch {
            #expect(error.text.contains(mistake))
        }
    }
}
