import GateModel
import GateTexts

extension SettingsFacts {
    /// The gated actions with what is required now, and the kept grants, for which nobody is asked again for a while.
    func gatesGroups(_ moment: SettingsMoment) -> [SettingsGroup] {
        var groups: [SettingsGroup] = []
        if let rows = gates.rows(
            orNone: localized("There are no gates in the rules, so everything is denied."),
            { gates in gates.map { row($0, moment, namesakes: gates) } })
        {
            groups.append(SettingsGroup("gates", title: localized("Gates"), rows: rows))
        }
        let grantRows = grants.rows(orNone: localized("Everybody is asked at the moment.")) {
            $0.map { row($0, moment) }
        }
        if let grantRows {
            groups.append(
                SettingsGroup(
                    "grants", title: localized("Not asked again"),
                    text: localized("For a while, these users are not asked again."), rows: grantRows))
        }
        return groups
    }

    /// - Parameter namesakes: all gates. If several have the same title, each shows its name, too.
    private func row(_ gate: GateFacts, _ moment: SettingsMoment, namesakes: [GateFacts]) -> SettingsRow {
        let (name, title) = (gate.summary.name, gate.summary.readableTitle)
        let details = details(gate, moment)
        let isAmbiguous = namesakes.count(where: { $0.summary.readableTitle == title }) > 1
        var lines = title != name && (details.isEmpty || isAmbiguous) ? [name] : []
        lines += asked(gate, moment)
        if let keep = gate.summary.keep { lines.append(GateSentences.notAskedAgain(keep)) }
        return SettingsRow(name, title, lines.joined(separator: "\n"), details: details)
    }

    /// The requirement of a gate in words, and what is missing for it now.
    private func asked(_ gate: GateFacts, _ moment: SettingsMoment) -> [String] {
        let outlook = gate.outlook.map(Self.text)
        guard let requirement = gate.rule?.requirement else { return [outlook].compactMap(\.self) }
        let names = RequirementWords.Names(
            question: ChallengeWords.inSentence, entitlement: { title(ofEntitlement: $0, moment) },
            form: { title(ofForm: $0, moment) })
        let asked = GateSentences.asked(requirement, names).withFirstLetterLarge
        return switch gate.outlook?.need {
        case .challenge, .parentMode: [asked]
        // The requirement "somebody has bought Premium" would read as a fact. The outlook says that it is still
        // missing.
        case .signIn, .entitlement, .form: [outlook].compactMap(\.self)
        case .wait, .unrecognized, nil: [asked, outlook].compactMap(\.self)
        }
    }

    /// What stands before a gate, how safe that is, its name, where it is written, and the buttons that change it.
    private func details(_ gate: GateFacts, _ moment: SettingsMoment) -> [SettingsRow] {
        guard let rule = gate.rule else { return [] }
        let requirement = rule.requirement.map { text($0, moment) } ?? rule.gatedAction.requirement
        var rows = [SettingsRow("requirement", localized("What it asks"), requirement)]
        if let strength = rule.strength {
            rows.append(SettingsRow("strength", localized("How safe it is"), GateSentences.strength(strength)))
        }
        if gate.summary.readableTitle != gate.summary.name {
            rows.append(SettingsRow("name", localized("Name in the rules"), gate.summary.name))
        }
        let origin = gate.summary.origin
        rows.append(
            SettingsRow(
                "origin", localized("Where this is written"),
                origin.map { GateWords.origin($0) } ?? localized("built in"),
                buttons: buttons(gate, moment)))
        if let reason = Self.reasonAgainstChanging(gate.summary) {
            rows.append(SettingsRow("fixed", localized("It can't be changed here"), reason))
        }
        return rows
    }

    private func buttons(_ gate: GateFacts, _ moment: SettingsMoment) -> [SettingsButton] {
        guard isGrownUp(moment), Self.reasonAgainstChanging(gate.summary) == nil else { return [] }
        let title: KeyValuePairs = ["name": gate.summary.readableTitle]
        let change = SettingsButton(
            localized("Change"), spoken: localized("Change what “{name}” asks", title), .open(.gate(gate)))
        guard gate.summary.origin?.layer == .choices else { return [change] }
        return [
            change,
            SettingsButton(
                localized("Reset"), spoken: localized("Reset “{name}”", title),
                .checkGate(ChosenGate(gate.summary, nil))),
        ]
    }

    /// Whether this user is an administrator, or a confirmed grown-up in the session of their own user.
    func isGrownUp(_ moment: SettingsMoment) -> Bool {
        isAdministrator == true
            || people.value?.contains { $0.kind == .grownUp && $0.isConfirmed && $0.user?.uid == moment.uid } == true
    }

    /// Why a choice of this device's grown-ups would not count; `nil` if it would.
    static func reasonAgainstChanging(_ summary: GatedActionSummary) -> String? {
        guard summary.name != GatedAction.change else {
            return localized("It protects all changes of Gate, so only a file in /etc/gate can change it.")
        }
        return switch summary.origin?.layer {
        case .household: localized("The household's rules take precedence. Change this gate there.")
        case .device: localized("A file in /etc/gate takes precedence. Change this gate there.")
        case .shipped, .choices, .unrecognized, nil: nil
        }
    }

    private static func text(_ outlook: AuthorizationOutlook) -> String {
        switch outlook.outcome {
        case .granted: localized("Open now: nobody is asked.")
        case .personNeeded, .denied: RefusalText.sentence(outlook)
        }
    }

    private func row(_ grant: KeptGrantSummary, _ moment: SettingsMoment) -> SettingsRow {
        let gate = gates.value?.first { $0.summary.name == grant.gatedAction }?.summary
        let user = moment.user(grant.uid)
        let text = localized("{user}, until {time}", ["user": user, "time": moment.text(grant.deadline)])
        let name = gate?.readableTitle ?? grant.gatedAction
        let revoke = SettingsButton(
            localized("Ask again"), spoken: localized("Ask {user} again for {name}", ["user": user, "name": name]),
            .revokeGrant(uid: grant.uid, gatedAction: grant.gatedAction))
        return SettingsRow("\(grant.uid) \(grant.gatedAction)", name, text, buttons: [revoke])
    }
}

extension String {
    /// The text, beginning with a capital letter where the script has them.
    fileprivate var withFirstLetterLarge: String { prefix(1).uppercased() + dropFirst() }
}
