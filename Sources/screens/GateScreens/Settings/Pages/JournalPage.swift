import GateModel
import GateTexts

extension SettingsFacts {
    func journalGroups(_ moment: SettingsMoment) -> [SettingsGroup] {
        let plot = MonthPlot(journal.figures.days(now: moment.wall, clock: moment.clock), moment)
        let table = SettingsRow("table", localized("As a table"), details: plot.table)
        let (entries, hasOlder) = journal.shown(moment)
        var buttons: [SettingsButton] = []
        if journal.page > 0 { buttons.append(SettingsButton(localized("Newer"), .turnJournal(by: -1))) }
        if hasOlder { buttons.append(SettingsButton(localized("Older"), .turnJournal(by: 1))) }
        let rows = entries.map { row($0, moment) }
        return [
            SettingsGroup(
                "plot", title: localized("The last 30 days"), rows: plot.table.isEmpty ? [] : [table], plot: plot),
            SettingsGroup(
                "entries", title: localized("Journal"),
                rows: rows.isEmpty ? SettingsWords.none(localized("There are no entries.")) : rows, buttons: buttons,
                filter: choices(moment)),
        ]
    }

    private func row(_ entry: AuditEntry, _ moment: SettingsMoment) -> SettingsRow {
        let who = entry.actor.map { moment.user($0.uid) } ?? "Gate"
        let text = ListText.facts([moment.text(entry.time), who]) + (entry.detail.isEmpty ? "" : "\n\(entry.detail)")
        return SettingsRow(
            "\(entry.number) \(entry.kind.rawValue) \(entry.detail)", JournalWords.text(entry.kind), text)
    }

    private func choices(_ moment: SettingsMoment) -> JournalFilterChoices {
        let users = journal.users
        return JournalFilterChoices(
            filter: journal.filter, subjects: JournalFilter.Subject.allCases.map(JournalWords.text),
            periods: JournalFilter.Period.allCases.map(JournalWords.text), users: users,
            userNames: [localized("Everybody")] + users.map { moment.user($0) },
            spokenSubject: localized("What entries are about"), spokenPeriod: localized("When"),
            spokenUser: localized("Whose entries"))
    }
}
