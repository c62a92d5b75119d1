import GateModel
import GateTexts

extension SettingsFacts {
    /// The person who is signed in, and the accounts.
    func peopleGroups(_ moment: SettingsMoment) -> [SettingsGroup] {
        var groups = [SettingsGroup("session", title: localized("Signed in"), rows: [sessionRow(moment)])]
        let change = SettingsButton(localized("Change a password"), .open(.changePassword))
        groups[0].buttons =
            (signIn.session == nil
                ? [SettingsButton(localized("Log in"), .open(.logIn), look: .suggested)]
                : [
                    SettingsButton(localized("Log out"), .logOut)
                ]) + [change]
        if let rows = accounts.rows(orNone: localized("There are none."), { $0.map { row($0, moment) } }) {
            groups.append(
                SettingsGroup(
                    "accounts", title: localized("Accounts"), rows: rows,
                    buttons: [SettingsButton(localized("Register a person"), .open(.register))]))
        }
        return groups
    }

    private func sessionRow(_ moment: SettingsMoment) -> SettingsRow {
        guard let session = signIn.session else {
            let text = signIn.needsAuthentication ? localized("Somebody has to sign in.") : ""
            return SettingsRow("session", localized("Nobody is signed in"), text)
        }
        let until = localized("until {time}", ["time": moment.text(session.deadline)])
        return SettingsRow(
            "session", session.name, session.isChild ? ListText.things([localized("a child"), until]) : until)
    }

    private func row(_ account: GateAccount, _ moment: SettingsMoment) -> SettingsRow {
        let name = account.name
        var lines = [PeopleWords.kind(of: account, moment)]
        if !account.isConfirmed { lines.append(localized("Not confirmed: the age does not count yet.")) }
        let isOthers = isAdministrator == true
        var details = [
            SettingsRow(
                "password", localized("New password"),
                buttons: [
                    SettingsButton(
                        localized("Change"), spoken: localized("A new password for {name}", ["name": name]),
                        .open(.resetPassword(name)))
                ]),
            SettingsRow(
                "remove", localized("Account"),
                buttons: [
                    SettingsButton(
                        localized("Remove"), spoken: localized("Remove {name}", ["name": name]), .removeAccount(name),
                        look: .destructive)
                ]),
        ]
        if isOthers, !account.isConfirmed {
            details.insert(
                SettingsRow(
                    "confirm", localized("Date of birth"),
                    buttons: [
                        SettingsButton(
                            localized("Confirm"), spoken: localized("Confirm {name}", ["name": name]),
                            .open(.confirmAccount(account)))
                    ]), at: 0)
        }
        // In parent mode, people who are no administrators manage only children's accounts.
        let isGrownUps = account.kind == .grownUp
        return SettingsRow(
            name, name, lines.joined(separator: "\n"), details: isGrownUps && !isOthers ? [] : details)
    }
}

enum PeopleWords {
    /// `A child, born 2015-03-02`
    static func kind(of account: GateAccount, _ moment: SettingsMoment? = nil) -> String {
        switch account.kind {
        case .grownUp: return localized("A grown-up")
        case .child(let born):
            let habits = moment?.habits ?? .ofPerson
            let date = habits.date(atStartOf: "\(born)")
            guard let moment, let age = account.age(on: moment.clock.day(moment.wall)) else {
                return localized("A child, born {date}", ["date": date])
            }
            return localized(
                "A child, {count} year old, born {date}", plural: "A child, {count} years old, born {date}", count: age,
                ["date": date])
        }
    }
}
