import GateModel
import GateTexts

extension SettingsFacts {
    func lockoutsGroups(_ moment: SettingsMoment) -> [SettingsGroup] {
        guard let rows = lockouts.rows(orNone: localized("There are no wrong answers."), { $0.map { row($0, moment) } })
        else {
            return []
        }
        let clear = SettingsButton(localized("Clear all"), .clearLockouts(uid: nil, gate: nil))
        return [
            SettingsGroup(
                "lockouts", title: localized("Wrong answers"),
                text: localized("After too many wrong answers a user has to wait."), rows: rows,
                buttons: lockouts.value?.isEmpty ?? true ? [] : [clear])
        ]
    }

    private func row(_ lockout: LockoutFacts, _ moment: SettingsMoment) -> SettingsRow {
        let summary = lockout.summary
        let (who, uid) = Self.who(summary.owner, moment)
        let place = summary.gate.map { self.place($0) } ?? localized("at a gate that this version does not know")
        let count = localized("{count} wrong answer", plural: "{count} wrong answers", count: summary.wrongAnswers)
        var lines = [ListText.facts([count, place])]
        if let limit = summary.limit { lines.append(localized("At {limit} it is locked.", ["limit": "\(limit)"])) }
        if let deadline = lockout.deadline {
            lines.append(localized("Locked out until {time}.", ["time": moment.text(deadline)]))
        }
        let id = "\(summary.owner) \(summary.gate?.text ?? "")"
        guard let gate = summary.gate else { return SettingsRow(id, who, lines.joined(separator: "\n")) }
        let clear = SettingsButton(
            localized("Clear"),
            spoken: localized("Clear the wrong answers: {user}, {place}", ["user": who, "place": place]),
            .clearLockouts(uid: uid, gate: gate))
        return SettingsRow(id, who, lines.joined(separator: "\n"), buttons: [clear])
    }

    private static func who(_ owner: LockoutSummary.Owner, _ moment: SettingsMoment) -> (String, UInt32?) {
        switch owner {
        case .user(let uid): (moment.user(uid), uid)
        case .withoutAccount: (localized("Users without an account"), nil)
        case .rangesOfRoot: (localized("Containers of the system"), nil)
        case .strangers: (localized("Everybody who never answered right"), nil)
        }
    }

    private func place(_ gate: Lockout.Gate) -> String {
        switch gate {
        case .mode: return localized("at parent mode")
        case .gatedAction(let name):
            let title = gates.value?.first { $0.summary.name == name }?.summary.titles.ofPerson ?? ""
            return localized("at “{name}”", ["name": title.isEmpty ? name : title])
        case .secret(.passcode): return localized("at the passcode")
        case .secret(.totp): return localized("at the authenticator's code")
        case .secretOfDevice(.passcode): return localized("at the passcode, on the whole device")
        case .secretOfDevice(.totp): return localized("at the authenticator's code, on the whole device")
        case .signIn(let account) where account.isEmpty || account.hasPrefix("#"):
            return localized("at unknown names")
        case .otherScreens: return localized("at other people's screens")
        case .signIn(let account): return localized("at the password of {name}", ["name": account])
        }
    }
}
