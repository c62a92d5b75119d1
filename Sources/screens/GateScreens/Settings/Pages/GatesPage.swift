import GateModel
import GateTexts

extension SettingsFacts {
    /// The gated actions with what is required now, and the kept grants, for which nobody is asked again for a while.
    func gatesGroups(_ moment: SettingsMoment) -> [SettingsGroup] {
        var groups: [SettingsGroup] = []
        if let rows = gates.rows(
            orNone: localized("The rules name no gates, so everything is denied."), { $0.map(row) })
        {
            groups.append(SettingsGroup("gates", title: localized("Gates"), rows: rows))
        }
        let grantRows = grants.rows(orNone: localized("There are none.")) { $0.map { row($0, moment) } }
        if let grantRows {
            groups.append(
                SettingsGroup(
                    "grants", title: localized("Not asked again"),
                    text: localized("For a while, these users are not asked again."), rows: grantRows))
        }
        return groups
    }

    private func row(_ gate: GateFacts) -> SettingsRow {
        let (name, title) = (gate.summary.name, gate.summary.titles.ofPerson)
        var lines: [String] = title.isEmpty || title == name ? [] : [name]
        if let outlook = gate.outlook { lines.append(Self.text(outlook)) }
        if let keep = gate.summary.keep {
            lines.append(localized("Not asked again for {time}.", ["time": DurationWords.text(keep)]))
        }
        return SettingsRow(name, title.isEmpty ? name : title, lines.joined(separator: "\n"))
    }

    private static func text(_ outlook: AuthorizationOutlook) -> String {
        switch outlook.outcome {
        case .granted: localized("Open now: nobody is asked.")
        case .personNeeded, .denied: RefusalText.sentence(outlook)
        }
    }

    private func row(_ grant: KeptGrantSummary, _ moment: SettingsMoment) -> SettingsRow {
        let title = gates.value?.first { $0.summary.name == grant.gatedAction }?.summary.titles.ofPerson ?? ""
        let user = moment.user(grant.uid)
        let text = localized("{user}, until {time}", ["user": user, "time": moment.text(grant.deadline)])
        let name = title.isEmpty ? grant.gatedAction : title
        let revoke = SettingsButton(
            localized("Ask again"), spoken: localized("Ask {user} again for {name}", ["user": user, "name": name]),
            .revokeGrant(uid: grant.uid, gatedAction: grant.gatedAction))
        return SettingsRow("\(grant.uid) \(grant.gatedAction)", name, text, buttons: [revoke])
    }
}
