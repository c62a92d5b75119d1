package import GateModel
import GateTexts

/// Decides what gate-settings shows, and what can be pressed in it.
///
/// It knows only what the daemon has reported, and fails closed: without the daemon, the device is in child mode,
/// nothing is known or can be pressed, and results of questions that were asked before are ignored.
package struct SettingsStateMachine {
    private enum Link: Hashable {
        /// The daemon has not answered yet. Can go to: there, away.
        case connecting
        /// The daemon can be reached. Can go to: away.
        case there
        /// The daemon can't be reached; the sentence says why. Can go to: there.
        case away(String)
    }

    private var link = Link.connecting
    private var facts = SettingsFacts()
    private var running: Set<SettingsAct> = []
    /// The sentence about the last act.
    private var message = ""
    /// How often the daemon was lost.
    package private(set) var generation = 0

    package init() {}

    // MARK: The daemon

    /// The watch has reported something; `nil` for a part that did not change.
    ///
    /// - Parameters:
    ///   - usage: today's use. The use of the last days is fetched then, too.
    ///   - ages: the apps that wait. All apps are fetched then, too.
    /// - Returns: the parts to fetch.
    package mutating func told(
        mode: ModeState?, signIn: SignInState?, entitlements: EntitlementsState?, drafts: [FormSummary]?,
        asks: [Ask]? = nil, usage: [UsedTime]? = nil, schedules: [ScheduleState]? = nil,
        ages: AgeState? = nil
    ) -> Set<SettingsPart> {
        let isNew = link != .there
        link = .there
        let before = (facts.mode.mode, facts.signIn, facts.entitlements)
        // In another mode, the message about the last question is obsolete.
        if let mode, mode.mode != facts.mode.mode { message = "" }
        if let mode { facts.mode = mode }
        if let signIn { facts.signIn = signIn }
        if let entitlements { facts.entitlements = entitlements }
        let hasFormChange = drafts.map { $0 != facts.drafts } ?? false
        if let drafts { facts.drafts = drafts }
        if let asks { facts.asks = asks }
        if let usage { facts.usageToday = usage }
        if let schedules { facts.schedules = schedules }
        if let ages { facts.waitingApps = ages.waiting }
        if isNew { return Set(SettingsPart.allCases) }
        var parts: Set<SettingsPart> = hasFormChange ? [.responses] : []
        if usage != nil { parts.insert(.usage) }
        if ages != nil { parts.insert(.ages) }
        if before != (facts.mode.mode, facts.signIn, facts.entitlements) {
            parts.formUnion(SettingsPart.changedByState)
        }
        return parts
    }

    /// The daemon can't be reached any longer.
    package mutating func lost(_ error: GateError) {
        let filter = facts.journal.filter
        facts = SettingsFacts()
        facts.journal.filterChanged(to: filter)
        link = .away(RefusalText.sentence(error))
        running = []
        message = ""
        generation += 1
    }

    /// A part was fetched, or refused.
    ///
    /// - Parameter generation: the value of `generation` when it was asked for.
    package mutating func came<Value>(
        _ part: WritableKeyPath<SettingsFacts, Known<Value>>, _ result: Result<Value, GateError>, generation: Int
    ) {
        guard generation == self.generation else { return }
        switch result {
        case .success(let value): facts[keyPath: part] = .known(value)
        case .failure(let error) where error.code == .permissionDenied || error.code == .unimplemented:
            facts[keyPath: part] = .forbidden
        case .failure(let error): facts[keyPath: part] = .failed(RefusalText.sentence(error))
        }
    }

    /// The household's devices have changed, or there is no household, or they could not be fetched.
    package mutating func householdCame(_ result: Result<HouseholdFacts, GateError>, generation: Int) {
        guard generation == self.generation else { return }
        switch result {
        case .success(let household): facts.householdCame(.known(household))
        case .failure(let error) where error.code == .unimplemented: facts.householdCame(.forbidden)
        case .failure(let error): facts.householdCame(.failed(RefusalText.sentence(error)))
        }
    }

    /// More entries of the journal came, so this user is an administrator.
    ///
    /// - Returns: the parts to fetch again.
    package mutating func journalCame(_ entries: [AuditEntry], at moment: SettingsMoment) -> Set<SettingsPart> {
        facts.isAdministrator = true
        facts.journal.came(entries, at: moment)
        return entries.reduce(into: []) { $0.formUnion(SettingsPart.changed(by: $1.kind)) }
    }

    /// The journal will be read from its beginning again.
    package mutating func journalBegins() {
        let filter = facts.journal.filter
        facts.journal = JournalReading()
        facts.journal.filterChanged(to: filter)
    }

    package mutating func journalRefused() {
        facts.isAdministrator = false
        journalBegins()
    }

    /// Whether this user is known to be no administrator.
    package var isOrdinary: Bool { facts.isAdministrator == false }

    /// Whether somebody has set this device up; `nil` if it is not known yet. It is not set up if parent mode asks for
    /// a secret and there is none, which `gatectl doctor` reports, too.
    package var isSetUp: Bool? {
        guard let secrets = facts.secrets.value, let policy = facts.policy.value else { return nil }
        return !secrets.isEmpty || !policy.summary.modeChallenges.contains(where: \.isSecret)
    }

    // MARK: The person

    /// A button was pressed, or a dialog filled in.
    ///
    /// - Returns: whether to do the act. False while the same act is being done, or without the daemon, and for turning
    ///   the journal's pages, which this machine does itself.
    package mutating func began(_ act: SettingsAct) -> Bool {
        guard link == .there else { return false }
        message = ""
        if case .turnJournal(let pages) = act {
            facts.journal.turned(by: pages)
            return false
        }
        return running.insert(act).inserted
    }

    /// - Parameter error: `nil` if the act was done.
    package mutating func ended(_ act: SettingsAct, _ error: GateError?) {
        guard running.remove(act) != nil, let error, error.code != .cancelled else { return }
        message = RefusalText.sentence(error)
    }

    package var otherDevices: [HouseholdMember] { facts.otherDevices }

    package mutating func actionSent(to devices: [HouseholdMember]) {
        for device in devices { facts.outcomes[device.id] = .asked }
    }

    /// Other devices have answered, or have not answered in time.
    package mutating func answered(_ action: DeviceAction, _ answers: CommandAnswers) {
        for answer in answers.answers {
            facts.outcomes[answer.id] =
                answer.isDone
                ? .done(action, answer.mode)
                : answer.check == GuardianCheck.offline.rawValue
                    ? .unanswered : .refused(check: answer.check, message: answer.message)
        }
        for device in answers.unanswered { facts.outcomes[device.id] = .unanswered }
    }

    /// Waiting for the answers of these devices has failed.
    package mutating func actionFailed(to devices: [HouseholdMember]) {
        for device in devices where facts.outcomes[device.id] == .asked { facts.outcomes[device.id] = nil }
    }

    package mutating func filterChanged(to filter: JournalFilter) { facts.journal.filterChanged(to: filter) }

    package mutating func messageRead() { message = "" }

    // MARK: The window

    /// The sentence above the pages.
    package struct Notice: Hashable, Sendable {
        package var text: String
        /// Whether the person can close it. They can't close the one about the daemon's absence.
        package var isClosable: Bool
    }

    package var notice: Notice? {
        switch link {
        case .away(let reason):
            Notice(
                text: localized("The device is in child mode. {reason}", ["reason": reason]), isClosable: false)
        case .connecting, .there: message.isEmpty ? nil : Notice(text: message, isClosable: true)
        }
    }

    package var pages: [SettingsPage.ID] {
        SettingsPage.ID.allCases.filter { id in
            switch id {
            case .padlock: true
            case .devices: link == .there && hasDevicesPage
            case .gates: facts.gates != .forbidden && link == .there
            case .time: facts.usage != .forbidden && link == .there
            case .ages: facts.ages != .forbidden && link == .there
            case .questions, .apps, .people, .purchases, .forms, .policy: link == .there
            case .lockouts, .journal, .secrets: link == .there && facts.isAdministrator == true
            }
        }
    }

    /// The number beside a page in the list: how many questions of other people, or of apps about them, wait there for
    /// this user's answer.
    package func count(of page: SettingsPage.ID, at moment: SettingsMoment) -> Int {
        if page == .ages { return facts.waitingApps.count }
        return page == .questions ? facts.asks.count { $0.state == .waiting && !$0.isAsked(by: moment.uid) } : 0
    }

    /// Without a household, only administrators see the page, because they can create one.
    private var hasDevicesPage: Bool {
        switch facts.household {
        case .notYet, .forbidden: false
        case .known(.none): facts.isAdministrator == true
        case .known(.devices), .failed: true
        }
    }

    /// The page as it is now. If this user has no such page, the padlock's.
    package func page(_ id: SettingsPage.ID, at moment: SettingsMoment) -> SettingsPage {
        let id = pages.contains(id) ? id : .padlock
        var page = SettingsPage(id, facts.groups(of: id, at: moment))
        for index in page.groups.indices { page.groups[index].enable { isEnabled($0) } }
        return page
    }

    private func isEnabled(_ act: SettingsAct) -> Bool { link == .there && !running.contains(act) }

    /// When something that is shown ends with time alone, and has to be fetched again; `nil` if nothing does.
    package func nextChange(after now: BootTime) -> BootTime? {
        let grants = (facts.grants.value ?? []).map(\.deadline)
        let lockouts = (facts.lockouts.value ?? []).compactMap(\.deadline)
        return (grants + lockouts).filter { $0 > now }.min()
    }
}

extension SettingsStateMachine {
    /// When a text on this page changes with time alone, without anything to fetch; `nil` if none does.
    package func nextRedraw(of page: SettingsPage.ID, at moment: SettingsMoment) -> BootTime? {
        if page == .questions { return facts.nextQuestionsChange(moment) }
        return page == .devices ? facts.nextHouseholdChange(moment) : nil
    }

    /// Whether the device has done what the policy says of each app. Until then the list of apps has to be read again.
    package var areAppsSettled: Bool { facts.areAppsSettled }
}

extension SettingsGroup {
    fileprivate mutating func enable(_ isEnabled: (SettingsAct) -> Bool) {
        for index in buttons.indices {
            buttons[index].isEnabled = buttons[index].isEnabled && isEnabled(buttons[index].act)
        }
        for index in rows.indices { rows[index].enable(isEnabled) }
    }
}

extension SettingsRow {
    fileprivate mutating func enable(_ isEnabled: (SettingsAct) -> Bool) {
        for index in buttons.indices {
            buttons[index].isEnabled = buttons[index].isEnabled && isEnabled(buttons[index].act)
        }
        for index in details.indices { details[index].enable(isEnabled) }
    }
}

extension SettingsFacts {
    fileprivate func groups(of id: SettingsPage.ID, at moment: SettingsMoment) -> [SettingsGroup] {
        switch id {
        case .padlock: padlockGroups(moment)
        case .questions: questionsGroups(moment)
        case .time: timeGroups(moment)
        case .apps: appsGroups(moment)
        case .ages: agesGroups(moment)
        case .devices: devicesGroups(moment)
        case .gates: gatesGroups(moment)
        case .people: peopleGroups(moment)
        case .purchases: purchasesGroups(moment)
        case .forms: formsGroups(moment)
        case .lockouts: lockoutsGroups(moment)
        case .journal: journalGroups(moment)
        case .secrets: secretsGroups()
        case .policy: policyGroups(moment)
        }
    }
}
