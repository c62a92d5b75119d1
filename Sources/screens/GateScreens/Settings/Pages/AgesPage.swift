import GateModel
import GateTexts

// The page of the apps that ask how old a person is. The daemon lists them for those who may see the people; grown-ups
// and administrators choose whether an app gets the range.

extension SettingsFacts {
    func agesGroups(_ moment: SettingsMoment) -> [SettingsGroup] {
        guard let ages = ages.value else {
            return ages.rows(orNone: "", { _ in [] }).map { [SettingsGroup("settings", rows: $0)] } ?? []
        }
        let waiting = ages.apps.filter(\.isWaiting)
        var groups = [settingsGroup(ages, moment)]
        if !waiting.isEmpty {
            groups.append(
                SettingsGroup("waiting", title: localized("Waiting"), rows: waiting.map { waitingRow($0, moment) }))
        }
        // The daemon sends the apps of one person together.
        for app in ages.apps where !app.isWaiting {
            let row = SettingsRow(
                app.rowID, app.quotedName, AgeWords.choice(app), details: choices(AgeChoice.onPage, for: app, moment))
            if groups.last?.id == app.groupID {
                groups[groups.count - 1].rows.append(row)
            } else {
                groups.append(SettingsGroup(app.groupID, title: app.person.foreignLine, rows: [row]))
            }
        }
        if groups.count > 1 {
            groups[1].text = localized("Each app has the name that it gives itself. Nobody has checked it.")
        } else if ages.settings.isOn {
            groups.append(
                SettingsGroup("none", rows: SettingsWords.none(localized("No app has asked for an age range."))))
        }
        return groups
    }

    private func settingsGroup(_ ages: AgeFacts, _ moment: SettingsMoment) -> SettingsGroup {
        let (settings, ranges) = (ages.settings, AgeWords.ranges(ages.settings))
        let other = AgeSettings(isOn: !settings.isOn, gates: settings.gates)
        let turn =
            settings.isOn
            ? SettingsButton(localized("Turn off"), spoken: localized("Turn age ranges off"), .setAges(other))
            : SettingsButton(
                localized("Turn on"), spoken: localized("Turn age ranges on"), .setAges(other), look: .suggested)
        let change = SettingsButton(
            localized("Change"), spoken: localized("Change the age ranges"), .open(.ages(settings)))
        let kept =
            ages.apps.isEmpty ? "" : localized("What was chosen for each app counts again when this is turned on.")
        return SettingsGroup(
            "settings",
            // The second range has both bounds if there are more than two.
            text: localized(
                "Apps may ask how old your child is. They hear only “{range}”, never the birthday.",
                ["range": ranges.dropFirst().first ?? ""]),
            rows: [
                SettingsRow(
                    "on",
                    settings.isOn ? localized("Apps can be told an age range") : localized("Apps are told no ages"),
                    settings.isOn ? localized("A new app is told nothing until a grown-up has answered.") : kept,
                    buttons: isGrownUp(moment) ? [turn] : []),
                SettingsRow(
                    "ranges", ListText.things(ranges),
                    localized("A child's range changes only on 1 January and 1 July."),
                    buttons: isGrownUp(moment) ? [change] : []),
            ])
    }

    /// A no takes one act and a yes takes two, as on the page of questions.
    private func waitingRow(_ app: AgeApp, _ moment: SettingsMoment) -> SettingsRow {
        SettingsRow(
            app.rowID, app.quotedName, localized("Asks how old {name} is.", ["name": app.person.foreignLine]),
            buttons: isGrownUp(moment) ? [button(.notNow, for: app)] : [],
            details: choices([.always, .forNow, .never], for: app, moment))
    }

    /// A row for each choice that the app does not have. Empty for a user who can't choose.
    private func choices(_ choices: [AgeChoice], for app: AgeApp, _ moment: SettingsMoment) -> [SettingsRow] {
        guard isGrownUp(moment) else { return [] }
        return choices.filter { $0 != app.choice }.map { choice in
            SettingsRow(choice.rawValue, meaning(of: choice, moment), buttons: [button(choice, for: app)])
        }
    }

    private func button(_ choice: AgeChoice, for app: AgeApp) -> SettingsButton {
        let label = choice.label
        return SettingsButton(
            label,
            spoken: localized(
                "{choice}: “{app}”, {name}",
                ["choice": label, "app": app.app.foreignQuotation, "name": app.person.foreignLine]),
            .chooseAge(choice, app: app.app, person: app.person))
    }

    private func meaning(of choice: AgeChoice, _ moment: SettingsMoment) -> String {
        let today = moment.clock.day(moment.wall)
        let (month, day) = today.month <= 6 ? (6, 30) : (12, 31)
        let date: KeyValuePairs = [
            "date": CivilDate(year: today.year, month: month, day: day).map { moment.text($0) } ?? ""
        ]
        return switch choice {
        case .always: localized("It is told the age range from now on.")
        case .forNow: localized("It is told the age range until {date}. Then a grown-up is asked again.", date)
        case .notNow: localized("It is told nothing until {date}. Then a grown-up is asked again.", date)
        case .never: localized("It is told nothing from now on.")
        case .ask: localized("It is told nothing, and a grown-up is asked when it asks again.")
        }
    }
}

extension AgeChoice {
    fileprivate static let onPage: [AgeChoice] = [.always, .forNow, .notNow, .never, .ask]

    fileprivate var label: String {
        switch self {
        case .always: localized("Always")
        case .forNow: localized("Now only")
        case .notNow: localized("Not now")
        case .never: localized("Never")
        case .ask: localized("Ask again")
        }
    }
}

extension AgeApp {
    /// The name that the app gives itself, marked as a word that Gate did not write.
    var quotedName: String { localized("“{app}”", ["app": app.foreignQuotation]) }
    fileprivate var rowID: String { "\(person)\n\(app)" }
    fileprivate var groupID: String { "of \(person)" }
}
