import GateModel
import GateScreens
import GateTexts
import Testing

@Suite("The window for grown-ups")
struct SettingsStateMachineTests {
    private static let start = BootTime(nanoseconds: 1_000_000_000_000)
    private static let moment = SettingsMoment(
        boot: start, wall: WallTime(unixMilliseconds: 1_773_144_000_000), clock: .utc,
        habits: WritingHabits(dateFormat: "%d.%m.%Y", decimalSeparator: ","), uid: 1000,
        userName: { $0 == 1000 ? "anna" : nil })

    private static func seconds(_ count: Int) -> BootTime { start.advanced(by: .seconds(count)) }

    private static func entry(
        _ kind: AuditEntry.Kind, uid: UInt32? = 1000, hoursAgo: Int64 = 0, number: UInt64 = 1, detail: String = ""
    ) -> AuditEntry {
        AuditEntry(
            number: number, time: WallTime(unixMilliseconds: 1_773_144_000_000 - hoursAgo * 3_600_000), kind: kind,
            actor: uid.map { AuditEntry.Actor(uid: $0, pid: 1) }, mode: .child, detail: detail)
    }

    private static func connected(
        _ mode: ModeState = .closed, isAdministrator: Bool = true
    ) -> SettingsStateMachine {
        var machine = SettingsStateMachine()
        _ = machine.told(mode: mode, signIn: .closed, entitlements: .closed, drafts: [])
        if isAdministrator { _ = machine.journalCame([], at: moment) } else { machine.journalRefused() }
        return machine
    }

    private static func buttons(_ page: SettingsPage) -> [SettingsButton] {
        page.groups.flatMap { group in
            group.buttons + group.rows.flatMap { $0.buttons + $0.details.flatMap(\.buttons) }
        }
    }

    private static func texts(_ page: SettingsPage) -> [String] {
        page.groups.flatMap { group in
            [group.title, group.text] + group.rows.flatMap { [$0.title, $0.text] + $0.details.map(\.title) }
        }
    }

    private static let lost = GateError(.unavailable, .unspecified, "There is no daemon.")

    @Test("the padlock offers the actions that change the mode (S-12)")
    func padlock() {
        func acts(_ mode: Mode) -> [SettingsAct] {
            let state = ModeState(mode: mode, deadline: mode == .child ? nil : Self.seconds(600))
            return Self.buttons(Self.connected(state).page(.padlock, at: Self.moment)).map(\.act)
        }
        #expect(acts(.child) == [.enterParentMode])
        #expect(acts(.verifying) == [.takeBack])
        #expect(acts(.parent) == [.lock, .extend])
        let parent = Self.connected(ModeState(mode: .parent, deadline: Self.seconds(600)))
        #expect(Self.texts(parent.page(.padlock, at: Self.moment)).contains("until 12:10"))
    }

    @Test("an ordinary user does not see the administrators' pages, and reads which command makes an administrator")
    func roles() {
        var ordinary = Self.connected(isAdministrator: false)
        #expect(
            ordinary.pages
                == [.padlock, .questions, .time, .apps, .ages, .gates, .people, .purchases, .forms, .policy])
        #expect(Self.texts(ordinary.page(.padlock, at: Self.moment)).contains { $0.contains("sudo gatectl setup") })
        let denied = GateError(.permissionDenied, .notPermitted, "Only administrators.")
        ordinary.came(\.people, .failure(denied), generation: ordinary.generation)
        ordinary.came(\.claims, .failure(denied), generation: ordinary.generation)
        #expect(ordinary.page(.people, at: Self.moment).groups.map(\.id) == ["session"])
        #expect(ordinary.page(.purchases, at: Self.moment).groups.map(\.id) == ["entitlements"])
        #expect(ordinary.page(.journal, at: Self.moment).id == .padlock)
        // Nothing is known of a household yet.
        #expect(Self.connected().pages == SettingsPage.ID.allCases.filter { $0 != .devices })
    }

    @Test("without the daemon the window shows child mode and nothing else, and everything returns with the daemon")
    func lost() {
        var machine = Self.connected(ModeState(mode: .parent, deadline: Self.seconds(600)))
        machine.came(\.secrets, .success([.passcode]), generation: machine.generation)
        let before = machine.generation
        machine.lost(Self.lost)
        let page = machine.page(.secrets, at: Self.moment)
        #expect(page.id == .padlock)
        #expect(machine.pages == [.padlock])
        #expect(Self.texts(page).contains("Child mode"))
        #expect(Self.buttons(page).allSatisfy { !$0.isEnabled })
        #expect(machine.notice?.text == "The device is in child mode. There is no daemon.")
        #expect(machine.notice?.isClosable == false)
        let isDone = machine.began(.lock)
        #expect(!isDone)
        // This answers a request from before the loss.
        machine.came(\.people, .success([GatePerson(name: "anna", kind: .grownUp)]), generation: before)
        let parts = machine.told(mode: .closed, signIn: .closed, entitlements: .closed, drafts: [])
        #expect(parts == Set(SettingsPart.allCases))
        #expect(machine.notice == nil)
        #expect(machine.page(.people, at: Self.moment).groups.map(\.id) == ["session"])
    }

    @Test("an action runs once at a time, and its outcome is shown")
    func acts() {
        var machine = Self.connected()
        let tries = [machine.began(.enterParentMode), machine.began(.enterParentMode)]
        #expect(tries == [true, false])
        #expect(Self.buttons(machine.page(.padlock, at: Self.moment)).allSatisfy { !$0.isEnabled })
        machine.ended(.enterParentMode, GateError(.failedPrecondition, .noPresenter, "Nobody shows questions here."))
        #expect(machine.notice?.text == "Nobody shows questions here.")
        #expect(Self.buttons(machine.page(.padlock, at: Self.moment)).allSatisfy { $0.isEnabled })
        let parent = ModeState(mode: .parent, deadline: Self.seconds(60))
        _ = machine.told(mode: parent, signIn: nil, entitlements: nil, drafts: nil)
        #expect(machine.notice == nil)
        let isDone = machine.began(.lock)
        #expect(isDone)
        #expect(machine.notice == nil)
        machine.ended(.lock, nil)
        #expect(machine.notice == nil)
    }

    @Test("entries of the journal and changes of state decide what is read again")
    func changes() {
        var machine = Self.connected()
        func changed(by kinds: AuditEntry.Kind...) -> Set<SettingsPart> {
            machine.journalCame(kinds.map { Self.entry($0) }, at: Self.moment)
        }
        func changed(with mode: ModeState?) -> Set<SettingsPart> {
            machine.told(mode: mode, signIn: nil, entitlements: nil, drafts: nil)
        }
        let cleared = changed(by: .lockoutCleared)
        #expect(cleared == [.lockouts, .gates])
        let several = changed(by: .registered, .granted)
        #expect(several == [.people, .grants])
        let reloaded = changed(by: .reloaded)
        #expect(reloaded == Set(SettingsPart.allCases))
        let shown = changed(by: .shown)
        #expect(shown.isEmpty)
        let entered = changed(with: ModeState(mode: .parent, deadline: Self.seconds(60)))
        #expect(entered == [.gates, .people, .grants, .ages])
        let same = changed(with: nil)
        #expect(same.isEmpty)
    }

    @Test("kept grants and lockouts are read again when they end, and nothing else sets a timer")
    func deadlines() {
        var machine = Self.connected()
        #expect(machine.nextChange(after: Self.start) == nil)
        let grant = KeptGrantSummary(uid: 1000, gatedAction: "link.open", deadline: Self.seconds(90))
        machine.came(\.grants, .success([grant]), generation: machine.generation)
        let lockout = LockoutSummary(
            owner: .user(1001), gate: .mode, wrongAnswers: 3, limit: nil, remaining: .seconds(30))
        machine.came(\.lockouts, .success([LockoutFacts(lockout, at: Self.start)]), generation: machine.generation)
        #expect(machine.nextChange(after: Self.start) == Self.seconds(30))
        #expect(machine.nextChange(after: Self.seconds(30)) == Self.seconds(90))
        #expect(machine.nextChange(after: Self.seconds(90)) == nil)
    }

    @Test("each grant can be ended and each counter of wrong answers cleared by itself")
    func ending() {
        var machine = Self.connected()
        let grant = KeptGrantSummary(uid: 1000, gatedAction: "link.open", deadline: Self.seconds(90))
        machine.came(\.grants, .success([grant]), generation: machine.generation)
        let gates = machine.page(.gates, at: Self.moment)
        #expect(Self.buttons(gates).map(\.act) == [.revokeGrant(uid: 1000, gatedAction: "link.open")])
        #expect(Self.texts(gates).contains("anna, until 12:01"))
        let lockout = LockoutSummary(
            owner: .user(1001), gate: .secret(.passcode), wrongAnswers: 3, limit: 10, remaining: .seconds(60))
        machine.came(\.lockouts, .success([LockoutFacts(lockout, at: Self.start)]), generation: machine.generation)
        let page = machine.page(.lockouts, at: Self.moment)
        #expect(
            Self.buttons(page).map(\.act) == [
                .clearLockouts(uid: nil, gate: nil), .clearLockouts(uid: 1001, gate: .secret(.passcode)),
            ])
        #expect(
            Self.texts(page).contains("3 wrong answers, at the passcode\nAt 10 it is locked.\nLocked out until 12:01."))
    }

    @Test("foreign texts are plain text, and hidden characters in them become visible")
    func foreignWords() {
        let row = SettingsRow("1", "a\u{202E}b\nc", "x\u{0}\ny")
        #expect(row.title == "a\u{FFFD}b\u{FFFD}c")
        #expect(row.text == "x\u{FFFD}\ny")
    }

    @Test("an action that can't be undone asks for confirmation first")
    func confirmations() {
        #expect(SettingsAct.removePerson("anna").confirmation?.title == "Remove anna?")
        #expect(SettingsAct.removeSecret(.passcode).confirmation != nil)
        #expect(SettingsAct.lock.confirmation == nil)
        #expect(SettingsAct.clearLockouts(uid: nil, gate: nil).confirmation == nil)
    }

    private static let summary = PolicySummary(
        files: ["/etc/gate/policy.yaml"],
        modeChallenges: [ChallengeForAge(fromAge: 0, challenge: .passcode, isForGrownUps: false)],
        lease: .seconds(900), maximumLease: .seconds(3600), answerTime: .seconds(60),
        lockout: PolicySummary.LockoutRule(after: 5, duration: .seconds(30), factor: 2, maximum: .seconds(3600)),
        signIn: PolicySummary.SignInRule(isRequired: false, session: .seconds(60), maximumSession: .seconds(60)),
        roles: [RoleHolders(role: .administrator, users: ["root"], groups: ["gate-admin"])], browser: nil)

    @Test("the policy's page shows the odds of guessing, or why they are missing")
    func policy() {
        var machine = Self.connected(isAdministrator: false)
        func texts(_ odds: PolicyFacts.Odds) -> [String] {
            machine.came(\.policy, .success(PolicyFacts(Self.summary, odds: odds)), generation: machine.generation)
            return Self.texts(machine.page(.policy, at: Self.moment))
        }
        let known = texts(
            .known([
                GateOdds(
                    gatedAction: nil, requirement: .challenge(ChallengeRule(.passcode)), guessed: 0.001, ages: [],
                    programPasses: false),
                GateOdds(
                    gatedAction: "link.open", requirement: .any([.parentMode, .form("consent")]), guessed: 0.97,
                    ages: [0...8, 12...150], programPasses: true),
                GateOdds(
                    gatedAction: "mail", requirement: .all([.signedIn, .entitlement("premium")]), guessed: nil,
                    ages: [], programPasses: true),
            ]))
        #expect(known.contains("The passcode\nGuessed within an hour: 1 in 1000."))
        #expect(
            known.contains(
                "Parent mode\nor consent is filled in\nGuessed within an hour: 97 in 100, at the age of 0 to 8 years, 12 years or more.\nA program gets through."
            ))
        #expect(
            known.contains { $0.hasPrefix("Somebody is signed in\n+ Paid for: premium\nThere is nothing to guess") })
        #expect(known.contains("root, the group gate-admin"))
        #expect(known.contains("After 5 wrong answers: a wait of 30 seconds, and 1 hour at most"))
        #expect(texts(.unreadable).contains { $0.contains("Only administrators see") })
        #expect(texts(.outdated).contains { $0.contains("changed since Gate read them") })
    }

    @Test("each draft of a form has a row of its own, with its label; and so has a response (F-74, F-84)")
    func labels() throws {
        var machine = Self.connected()
        let drafts = ["", "Anna, Golf"].enumerated().map { index, label in
            FormSummary(name: "car", holder: .user(1000), revision: 3, draftID: UInt64(index), label: label)
        }
        _ = machine.told(mode: nil, signIn: nil, entitlements: nil, drafts: drafts)
        let kept = ResponseSummary(
            id: 4, name: "car", version: nil, holder: .user(1000), status: .completed,
            savedAt: WallTime(unixMilliseconds: 0), label: "Ben, Polo")
        machine.came(\.responses, .success([kept]), generation: machine.generation)
        let groups = machine.page(.forms, at: Self.moment).groups
        let rows = try #require(groups.first { $0.id == "drafts" }).rows
        #expect(Set(rows.map(\.id)).count == 2)
        #expect(rows.map { $0.text.hasPrefix("Anna, Golf\n") } == [false, true])
        let responses = try #require(groups.first { $0.id == "responses" }).rows
        #expect(responses.contains { $0.text.contains("\nBen, Polo\n") })
    }

    @Test("gated actions and entitlements have titles in the person's language")
    func policyTitles() {
        var machine = Self.connected()
        func titles(_ name: String) -> LocalizedText {
            LocalizedText(name, [LocalizedText.Translation(language: "de", text: "\(name) auf Deutsch")])
        }
        let entitlement = Entitlement(id: "premium", title: titles("Premium"), source: nil)
        _ = machine.told(
            mode: nil, signIn: nil,
            entitlements: EntitlementsState(entitlements: [entitlement], isSubscriptionActive: false), drafts: nil)
        let form = QuestionnaireSummary(
            name: "consent", title: titles("Consent"), version: nil, url: nil, itemCount: 1, isForGrownUps: false)
        machine.came(\.forms, .success([form]), generation: machine.generation)
        let odds = GateOdds(
            gatedAction: "mail", requirement: .all([.form("consent"), .entitlement("premium")]), guessed: nil,
            ages: [], programPasses: true)
        machine.came(
            \.policy, .success(PolicyFacts(Self.summary, odds: .known([odds]))), generation: machine.generation)
        var german = Self.moment
        german.languages = ["de"]
        #expect(
            Self.texts(machine.page(.policy, at: german)).contains {
                $0.hasPrefix("Consent auf Deutsch is filled in\n+ Paid for: Premium auf Deutsch\n")
            })
    }
}
