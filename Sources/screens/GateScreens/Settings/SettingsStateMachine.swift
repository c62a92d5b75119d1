package import GateModel
import GateTexts

/// Decides what gate-settings shows, and what may be pressed in it (S-12).
///
/// It knows what the daemon has told, and fails closed: without the daemon the device is in child mode, nothing is known, and nothing
/// can be pressed. What came of a question that was asked before the daemon was lost is passed over.
package struct SettingsStateMachine {
    /// Whether the daemon is there.
    private enum Link: Hashable {
        /// It has not answered yet. To `there` and `away`.
        case connecting
        /// It is there. To `away`.
        case there
        /// It is away; the sentence says why. To `there`.
        case away(String)
    }

    private var link = Link.connecting
    private var facts = SettingsFacts()
    /// The acts that are done just now.
    private var running: Set<SettingsAct> = []
    /// The sentence about the last act.
    private var message = ""
    /// Counts how often the daemon was lost.
    package private(set) var generation = 0

    package init() {}

    // MARK: The daemon

    /// The watch has told something; `nil`: that is what it was.
    ///
    /// - Returns: what is to be asked for.
    package mutating func told(
        mode: ModeState?, signIn: SignInState?, entitlements: EntitlementsState?, drafts: [FormSummary]?
    ) -> Set<SettingsPart> {
        let isNew = link != .there
        link = .there
        let before = (facts.mode.mode, facts.signIn, facts.entitlements)
        // What came of a question is over once the mode is another one.
        if let mode, mode.mode != facts.mode.mode { message = "" }
        if let mode { facts.mode = mode }
        if let signIn { facts.signIn = signIn }
        if let entitlements { facts.entitlements = entitlements }
        let hasFormChange = drafts.map { $0 != facts.drafts } ?? false
        if let drafts { facts.drafts = drafts }
        if isNew { return Set(SettingsPart.allCases) }
        var parts: Set<SettingsPart> = hasFormChange ? [.responses] : []
        if before != (facts.mode.mode, facts.signIn, facts.entitlements) {
            parts.formUnion(SettingsPart.changedByState)
        }
        return parts
    }

    /// The daemon is out of reach.
    package mutating func lost(_ error: GateError) {
        let filter = facts.journal.filter
        facts = SettingsFacts()
        facts.journal.filterChanged(to: filter)
        link = .away(RefusalText.sentence(error))
        running = []
        message = ""
        generation += 1
    }

    /// A part that was asked for came, or was refused.
    ///
    /// - Parameter generation: that of when it was asked for.
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

    /// The devices of the household have changed, or there is no household; or they can't be had.
    package mutating func householdCame(_ result: Result<HouseholdFacts, GateError>, generation: Int) {
        guard generation == self.generation else { return }
        switch result {
        case .success(let household): facts.householdCame(.known(household))
        case .failure(let error) where error.code == .unimplemented: facts.householdCame(.forbidden)
        case .failure(let error): facts.householdCame(.failed(RefusalText.sentence(error)))
        }
    }

    /// More of the journal came: this user is an administrator.
    ///
    /// - Returns: what is to be asked for again.
    package mutating func journalCame(_ entries: [AuditEntry], at moment: SettingsMoment) -> Set<SettingsPart> {
        facts.isAdministrator = true
        facts.journal.came(entries, at: moment)
        return entries.reduce(into: []) { $0.formUnion(SettingsPart.changed(by: $1.kind)) }
    }

    /// The journal can be had from its beginning again.
    package mutating func journalBegins() {
        let filter = facts.journal.filter
        facts.journal = JournalReading()
        facts.journal.filterChanged(to: filter)
    }

    /// The journal is not for this user.
    package mutating func journalRefused() {
        facts.isAdministrator = false
        journalBegins()
    }

    /// Whether this user is known to be no administrator.
    package var isOrdinary: Bool { facts.isAdministrator == false }

    // MARK: The person

    /// A button was pressed, or a dialog filled in.
    ///
    /// - Returns: whether to do it. Once at a time.
    package mutating func began(_ act: SettingsAct) -> Bool {
        guard link == .there else { return false }
        message = ""
        if case .turnJournal(let pages) = act {
            facts.journal.turned(by: pages)
            return false
        }
        return running.insert(act).inserted
    }

    /// An act has ended; without an error it is done.
    package mutating func ended(_ act: SettingsAct, _ error: GateError?) {
        guard running.remove(act) != nil, let error, error.code != .cancelled else { return }
        message = RefusalText.sentence(error)
    }

    /// The devices that a wish to all goes to.
    package var otherDevices: [HouseholdMember] { facts.otherDevices }

    /// A wish went to other devices.
    package mutating func wished(to devices: [HouseholdMember]) {
        for device in devices { facts.outcomes[device.id] = .asked }
    }

    /// Other devices have answered to a wish, or not.
    package mutating func answered(_ wish: DeviceWish, _ answers: CommandAnswers) {
        for answer in answers.answers {
            facts.outcomes[answer.id] =
                answer.isDone
                ? .done(wish, answer.mode)
                : answer.check == GuardianCheck.offline.rawValue
                    ? .unanswered : .refused(check: answer.check, message: answer.message)
        }
        for device in answers.unanswered { facts.outcomes[device.id] = .unanswered }
    }

    /// A wish went to nobody.
    package mutating func wishFailed(to devices: [HouseholdMember]) {
        for device in devices where facts.outcomes[device.id] == .asked { facts.outcomes[device.id] = nil }
    }

    package mutating func filterChanged(to filter: JournalFilter) { facts.journal.filterChanged(to: filter) }

    package mutating func messageRead() { message = "" }

    // MARK: What is seen

    /// A sentence above the pages.
    package struct Notice: Hashable, Sendable {
        package var text: String
        /// Whether it goes by a press: the daemon's absence does not.
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

    /// The pages that there are for this user now.
    package var pages: [SettingsPage.ID] {
        SettingsPage.ID.allCases.filter { id in
            switch id {
            case .padlock: true
            case .devices: link == .there && hasDevicesPage
            case .gates: facts.gates != .forbidden && link == .there
            case .people, .purchases, .forms, .policy: link == .there
            case .lockouts, .journal, .secrets: link == .there && facts.isAdministrator == true
            }
        }
    }

    /// Where there is no household, those who can make one hear of it.
    private var hasDevicesPage: Bool {
        switch facts.household {
        case .notYet, .forbidden: false
        case .known(.none): facts.isAdministrator == true
        case .known(.devices), .failed: true
        }
    }

    /// A page as it is now; the padlock where there is no such page.
    package func page(_ id: SettingsPage.ID, at moment: SettingsMoment) -> SettingsPage {
        let id = pages.contains(id) ? id : .padlock
        var page = SettingsPage(id, facts.groups(of: id, at: moment))
        for index in page.groups.indices { page.groups[index].enable { isEnabled($0) } }
        return page
    }

    private func isEnabled(_ act: SettingsAct) -> Bool { link == .there && !running.contains(act) }

    /// When something that is shown ends without anybody saying so; `nil`: never. What it is about is asked for again then.
    package func nextChange(after now: BootTime) -> BootTime? {
        let grants = (facts.grants.value ?? []).map(\.deadline)
        let lockouts = (facts.lockouts.value ?? []).compactMap(\.deadline)
        return (grants + lockouts).filter { $0 > now }.min()
    }
}

extension SettingsStateMachine {
    /// When a text on this page changes by itself, without anything to ask for; `nil`: never.
    package func nextRedraw(of page: SettingsPage.ID, at moment: SettingsMoment) -> BootTime? {
        page == .devices ? facts.nextHouseholdChange(moment) : nil
    }
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
