import GateModel
import GateTexts

extension SettingsFacts {
    func peopleGroups(_ moment: SettingsMoment) -> [SettingsGroup] {
        var groups = [SettingsGroup("session", title: localized("Signed in"), rows: [sessionRow(moment)])]
        let change = SettingsButton(localized("Change a password"), .open(.changePassword))
        groups[0].buttons =
            (signIn.session == nil
                ? [SettingsButton(localized("Sign in"), .open(.logIn), look: .suggested)]
                : [
                    SettingsButton(localized("Sign out"), .logOut)
                ]) + [change]
        if let rows = people.rows(orNone: localized("Nobody is on the list."), { $0.map { row($0, moment) } }) {
            groups.append(
                SettingsGroup(
                    "people", title: localized("People"), rows: rows,
                    buttons: [
                        SettingsButton(ScreenWords.addPerson, .open(.person(nil))),
                        SettingsButton(localized("Add a person with a password"), .open(.register)),
                    ]))
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
            "session", session.name, session.isChild ? ListText.facts([localized("a child"), until]) : until)
    }

    private func row(_ person: GatePerson, _ moment: SettingsMoment) -> SettingsRow {
        let name = person.name
        var lines = [PeopleWords.kind(of: person, moment)]
        if let user = person.user { lines.append(localized("User {user}", ["user": user.name])) }
        if !person.isConfirmed { lines.append(localized("Not confirmed: the age does not count yet.")) }
        // Outside parent mode only administrators see the list, and grown-ups, who need the passcode for changes.
        let isByAdministrator = isAdministrator == true
        let mayChange = isByAdministrator || mode.mode != .parent
        var details: [SettingsRow] = []
        if mayChange {
            details.append(
                SettingsRow(
                    "change", PeopleWords.kind(of: person),
                    buttons: [
                        SettingsButton(
                            localized("Change"), spoken: localized("Change {name}", ["name": name]),
                            .open(.person(person)))
                    ]))
        }
        if person.kind != .shared, isByAdministrator || mode.mode == .parent {
            details.append(
                SettingsRow(
                    "password", localized("New password"),
                    buttons: [
                        SettingsButton(
                            localized("Change"), spoken: localized("A new password for {name}", ["name": name]),
                            .open(.resetPassword(name)))
                    ]))
        }
        details.append(
            SettingsRow(
                "remove", localized("On the list"),
                buttons: [
                    SettingsButton(
                        localized("Remove"), spoken: localized("Remove {name}", ["name": name]), .removePerson(name),
                        look: .destructive)
                ]))
        if isByAdministrator, !person.isConfirmed {
            details.insert(
                SettingsRow(
                    "confirm", localized("Date of birth"),
                    buttons: [
                        SettingsButton(
                            localized("Confirm"), spoken: localized("Confirm {name}", ["name": name]),
                            .open(.confirmPerson(person)))
                    ]), at: 0)
        }
        // In parent mode, those who are no administrators manage only children who have no Unix user.
        let isForAdministrators =
            switch person.kind {
            case .child: person.user != nil
            case .grownUp, .shared: true
            }
        return SettingsRow(
            name, name, lines.joined(separator: "\n"), details: isForAdministrators && !mayChange ? [] : details)
    }
}

enum PeopleWords {
    /// `A child, born 2015-03-02`
    static func kind(of person: GatePerson, _ moment: SettingsMoment? = nil) -> String {
        switch person.kind {
        case .grownUp: return RoleWords.grownUp
        case .shared: return RoleWords.shared
        case .child(nil): return RoleWords.child
        case .child(let born?):
            let habits = moment?.habits ?? .ofPerson
            let date = habits.date(atStartOf: "\(born)")
            guard let moment, let age = person.age(on: moment.clock.day(moment.wall)) else {
                return localized("A child, born {date}", ["date": date])
            }
            return localized(
                "A child, {count} year old, born {date}", plural: "A child, {count} years old, born {date}", count: age,
                ["date": date])
        }
    }
}
