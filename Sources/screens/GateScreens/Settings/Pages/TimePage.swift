import GateModel
import GateTexts

// The page of the time that people have used. The daemon lists everybody's time for grown-ups, and only their own for
// other users. The numbers are those of `gatectl usage --days 7`.

extension SettingsFacts {
    func timeGroups(_ moment: SettingsMoment) -> [SettingsGroup] {
        guard let times = usage.value, !times.isEmpty else {
            guard let rows = usage.rows(orNone: localized("No time was used."), { _ in [] }) else { return [] }
            let text = localized("Gate counts the time of programs that are started through it.")
            return [SettingsGroup("none", title: localized("The last 7 days"), text: text, rows: rows)]
        }
        // The daemon sends the days of one thing together.
        var things: [[UsedTime]] = []
        for time in times {
            if let last = things.last?.last, last.uid == time.uid, last.subject == time.subject {
                things[things.count - 1].append(time)
            } else {
                things.append([time])
            }
        }
        return things.map { group($0, moment) }
    }

    /// The time that a person has used of one thing. If they have not used it in these days, the group has no bars.
    ///
    /// - Parameter days: not empty.
    private func group(_ days: [UsedTime], _ moment: SettingsMoment) -> SettingsGroup {
        let (uid, subject) = (days[0].uid, days[0].subject)
        let person = days[0].person.foreignLine
        let name = person.isEmpty ? moment.user(uid) : person
        let today = days.first { $0.isToday }
        let isUsed = days.contains { $0.used > .zero }
        let plot = WeekPlot(
            days, today: today?.day ?? max(moment.clock.day(moment.wall), days.map(\.day).max() ?? days[0].day),
            allowance: allowance(subject), moment)
        return SettingsGroup(
            // A group is drawn with or without bars, and can't get them later. So a group with bars has another id.
            "\(uid) \(subject) \(isUsed)",
            title: localized("{name}: {what}", ["name": name, "what": title(of: subject, moment)]),
            text: TimeWords.today(today), week: isUsed ? plot : nil)
    }

    private func title(of subject: UsedTime.Subject, _ moment: SettingsMoment) -> String {
        switch subject {
        case .allowance(let name): return TimeLeftWords.name(ofAllowance: name.foreignLine)
        case .gatedAction(let name):
            let gate = gates.value?.first { $0.summary.name == name }
            let title = gate?.summary.titles.text(for: moment.languages).foreignLine ?? ""
            return title.isEmpty ? name.foreignLine : title
        }
    }

    /// The allowance as the rules of the gates have it; `nil` if they are not known, or nothing limits the time.
    private func allowance(_ subject: UsedTime.Subject) -> Allowance? {
        guard case .allowance(let name) = subject else { return nil }
        for gate in gates.value ?? [] {
            for case .allowance(let allowance) in gate.rule?.requirement?.conditions ?? [] where allowance.name == name
            {
                return allowance
            }
        }
        return nil
    }
}

/// The time of today, in words.
private enum TimeWords {
    /// - Parameter time: `nil`: nothing was used today, and nothing limits it.
    static func today(_ time: UsedTime?) -> String {
        guard let time else { return localized("Not used today.") }
        let isRunning = time.isRunning ? [localized("It is being used now.")] : []
        return ListText.sentences([text(time)] + isRunning)
    }

    private static func text(_ time: UsedTime) -> String {
        let used = DurationWords.text(DurationWords.minutes(time.used))
        let left = time.left.map { DurationWords.text(DurationWords.minutes($0)) } ?? ""
        switch (time.used > .zero, time.left.map { $0 > .zero }) {
        case (false, nil): return localized("Not used today.")
        case (false, true?): return localized("Not used today, {left} left.", ["left": left])
        case (false, false?): return localized("There is no time for this today.")
        case (true, nil): return localized("{used} used today.", ["used": used])
        case (true, true?): return localized("{used} used today, {left} left.", ["used": used, "left": left])
        case (true, false?): return localized("{used} used today, nothing left.", ["used": used])
        }
    }
}
