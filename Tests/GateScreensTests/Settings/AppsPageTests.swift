import GateModel
import GateScreens
import GateTexts
import Testing

@Suite("The page of apps")
struct AppsPageTests {
    private static let moment = SettingsMoment(
        boot: BootTime(nanoseconds: 1_000_000_000_000), wall: WallTime(unixMilliseconds: 1_773_144_000_000),
        clock: .utc, habits: WritingHabits(dateFormat: "%d.%m.%Y", decimalSeparator: ","), uid: 1000,
        userName: { _ in nil })

    private static let oneHour = Allowance("games", secondsOfDays: Array(repeating: 3600, count: 7))
    private static let askGrownUp = Requirement.challenge(
        ChallengeRule(ChallengeSpecification(.confirm, answeredBy: .grownUp)))

    private static let chess = AppFacts("chess", title: "Chess", icon: "org.example.Chess")
    private static let supertux = AppFacts("supertux2", title: "SuperTux", isGuarded: true, isListed: true)
    private static let pybik = AppFacts(
        "pybik", title: "Pybik", isGuarded: true, isListed: true, holds: .hands, reasons: ["It has scripts."])
    private static let files = AppFacts(
        "files", title: "Files", holds: .nothing,
        reasons: ["The device needs the package files, so it can't be guarded."])

    private static func gate(
        _ name: String, _ requirement: Requirement?, layer: PolicyLayer = .choices
    ) -> GateFacts {
        let summary = GatedActionSummary(
            name: name, title: LocalizedText("A game"), requirement: "as the daemon says it", keep: nil,
            origin: PolicyOrigin(layer: layer, file: "gate.yaml", line: 7))
        return GateFacts(
            summary, outlook: nil, rule: GateRule(gatedAction: summary, strength: nil, requirement: requirement))
    }

    private static func machine(
        _ apps: AppsFacts?, _ gates: [GateFacts] = [], isAdministrator: Bool = true
    ) -> SettingsStateMachine {
        var machine = SettingsStateMachine()
        _ = machine.told(mode: .closed, signIn: .closed, entitlements: .closed, drafts: [])
        if isAdministrator { _ = machine.journalCame([], at: moment) } else { machine.journalRefused() }
        machine.came(\.gates, .success(gates), generation: machine.generation)
        machine.came(\.people, .success([]), generation: machine.generation)
        if let apps { machine.came(\.apps, .success(apps), generation: machine.generation) }
        return machine
    }

    /// Each group's heading, and below it the rows: their titles, texts and buttons.
    private static func text(_ machine: SettingsStateMachine) -> String {
        machine.page(.apps, at: moment).groups.map { group in
            ([group.title]
                + group.rows.map { row in
                    ([row.title] + row.text.split(separator: "\n").map(String.init)).joined(separator: " | ")
                        + row.buttons.map { " [\($0.title)]" }.joined()
                }).joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    @Test(
        "with nothing guarded, a parent sees the apps by their titles, each with one button, and what can't be guarded")
    func nothingGuarded() throws {
        let other = AppFacts("armagetronad", title: "armagetron")
        let machine = Self.machine(.list([Self.files, Self.chess, other]))
        #expect(
            Self.text(machine) == """
                Apps of this device
                armagetron [Guard]
                Chess [Guard]

                Can't be guarded
                Files | The device needs the package files, so it can't be guarded.
                """)
        let groups = machine.page(.apps, at: Self.moment).groups
        #expect(groups[0].text == "Choose an app, and what it asks before it starts.")
        let row = try #require(groups[0].rows.last)
        #expect(row.icon == .app("org.example.Chess"))
        #expect(row.buttons.map(\.spoken) == ["Guard “Chess”"])
        guard case .open(.app(let dialog))? = row.buttons.first?.act else {
            Issue.record("the button opens no dialog")
            return
        }
        #expect(dialog.app == Self.chess && dialog.gate == nil)
    }

    @Test("a guarded app says what stands before it, and whether that stops hands only")
    func guarded() {
        let gates = [
            Self.gate("app.supertux2", .any([.parentMode, .all([.allowance(Self.oneHour), Self.askGrownUp])])),
            Self.gate("app.pybik", .any([.parentMode, .challenge(ChallengeRule(.passcode))])),
        ]
        #expect(
            Self.text(Self.machine(.list([Self.supertux, Self.pybik, Self.chess]), gates)) == """
                Guarded apps
                Pybik | Guarded: the passcode | A child who was allowed to start it once can copy it. [Change]
                SuperTux | Guarded: a grown-up's yes, 1 hour a day [Change]

                Other apps
                Chess [Guard]
                """)
        // What the dialog can't say is said as on the page of gates, and what is not known is left out.
        let other = [Self.gate("app.supertux2", .parentMode), Self.gate("app.pybik", nil)]
        #expect(
            Self.text(Self.machine(.list([Self.supertux, Self.pybik]), other)) == """
                Guarded apps
                Pybik | Guarded | A child who was allowed to start it once can copy it. [Change]
                SuperTux | Guarded: only in parent mode [Change]

                Other apps
                There are no other apps.
                """)
    }

    @Test("after a change the row says that the device follows, or why it can't, and the list is read again until then")
    func following() {
        func row(_ app: AppFacts, isChosen: Bool) -> (text: String, isSettled: Bool) {
            let machine = Self.machine(
                .list([app]), isChosen ? [Self.gate("app.\(app.name)", .any([.parentMode, Self.askGrownUp]))] : [])
            return (Self.text(machine).split(separator: "\n").map(String.init)[1], machine.areAppsSettled)
        }
        var app = AppFacts("chess", title: "Chess")
        #expect(row(app, isChosen: false) == ("Chess [Guard]", true))
        #expect(row(app, isChosen: true) == ("Chess | Being set up… [Change]", false))
        app.isListed = true
        #expect(row(app, isChosen: false) == ("Chess | Being set up… [Change]", false))
        app.problem = "There is no app chess on this device."
        #expect(row(app, isChosen: true) == ("Chess | There is no app chess on this device. [Change]", true))
        (app.isGuarded, app.problem) = (true, "")
        #expect(row(app, isChosen: true) == ("Chess | Guarded: a grown-up's yes [Change]", true))
        app.problem = "Remove the file."
        #expect(row(app, isChosen: true) == ("Chess | Guarded: a grown-up's yes | Remove the file. [Change]", true))
        app.isListed = false
        #expect(row(app, isChosen: false) == ("Chess | Being turned off… | Remove the file.", false))
        app.isGuarded = false
        #expect(row(app, isChosen: false) == ("Chess | Remove the file. [Guard]", true))
    }

    @Test("what a later layer guards can't be changed here, and the row says so")
    func layers() {
        func text(_ layer: PolicyLayer) -> String {
            Self.text(Self.machine(.list([Self.supertux]), [Self.gate("app.supertux2", .parentMode, layer: layer)]))
        }
        for layer in [PolicyLayer.household, .device] {
            #expect(text(layer).contains("precedence") && !text(layer).contains("[Change]"), "\(layer)")
        }
        for layer in [PolicyLayer.shipped, .choices] { #expect(text(layer).contains("[Change]"), "\(layer)") }
    }

    @Test("a child sees which apps are guarded and by what, and nothing about how that could be passed")
    func child() {
        let gates = [Self.gate("app.pybik", .any([.parentMode, Self.askGrownUp]), layer: .device)]
        var pybik = Self.pybik
        pybik.problem = "Remove the file."
        let others = [
            Self.chess, Self.files, AppFacts("a", title: "A", isListed: true, problem: "Not held."),
            AppFacts("b", title: "B", isGuarded: true),
        ]
        #expect(
            Self.text(Self.machine(.list([pybik] + others), gates, isAdministrator: false)) == """
                Guarded apps
                Pybik | Guarded: a grown-up's yes
                """)
        #expect(
            Self.text(Self.machine(.list([Self.chess]), isAdministrator: false)) == "Guarded apps\nNo app is guarded.")
        #expect(
            Self.text(Self.machine(.packageMissing, isAdministrator: false)) == "Guarded apps\nNo app is guarded.")
    }

    @Test("without the package, or without an answer, one sentence says what to do")
    func noList() {
        #expect(
            Self.text(Self.machine(.packageMissing))
                == "\nInstall the package gate-apps to guard apps: `sudo apt install gate-apps`.")
        #expect(Self.machine(.packageMissing).areAppsSettled)
        #expect(Self.text(Self.machine(nil)) == "\nOne moment…")
        var machine = Self.machine(.list([AppFacts("chess", title: "Chess", isListed: true)]))
        #expect(!machine.areAppsSettled)
        let error = GateError(.unavailable, .unspecified, "gatectl is away.")
        machine.came(\.apps, .failure(error), generation: machine.generation)
        #expect(Self.text(machine) == "\ngatectl is away.")
        #expect(machine.areAppsSettled)
        machine.lost(error)
        #expect(machine.areAppsSettled && !machine.pages.contains(.apps))
    }

    @Test("words of the menu can't move, imitate or hide Gate's")
    func hostile() {
        let app = AppFacts(
            "chess", title: "Chess\n\u{202e}Guarded", isGuarded: true, isListed: true, problem: "One.\u{2066}Two.")
        let text = Self.text(Self.machine(.list([app]), [Self.gate("app.chess", .parentMode)]))
        #expect(!text.contains("\u{202e}") && !text.contains("\u{2066}"))
        #expect(text.split(separator: "\n").count == 4, "the title is one line")
    }
}
