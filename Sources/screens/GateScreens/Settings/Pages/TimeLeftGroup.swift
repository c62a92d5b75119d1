import GateModel
import GateTexts

// How much time this user has left today, above the questions. A child sees here what more time can be asked for.

extension SettingsFacts {
    /// `nil` if nothing limits this user's time.
    func timeLeftGroup(_ moment: SettingsMoment) -> SettingsGroup? {
        let gates = (gates.value ?? []).map { TimedGate($0.summary, $0.rule?.requirement, outlook: $0.outlook) }
        let mine = usageToday.filter { $0.uid == moment.uid && $0.isToday }
        let allowances = mine.compactMap { time -> SettingsRow? in
            guard case .allowance(let name) = time.subject, let left = time.left else { return nil }
            return row(
                "allowance \(name)", TimeLeftWords.name(ofAllowance: name.foreignLine),
                [TimeLeftWords.today(left), time.isRunning ? localized("being used now") : ""],
                gates.filter { $0.allowances.contains(name) }, moment)
        }
        // The hours of a schedule are the same for everybody. So they are shown only to a child who can ask for more
        // time.
        let timetables = gates.filter { $0.allowances.isEmpty && $0.offersMoreTime && !isGrownUp(moment) }.map { gate in
            row("gate \(gate.name)", gate.title(for: moment.languages), [hours(of: gate, moment)], [gate], moment)
        }
        let rows = allowances + timetables
        return rows.isEmpty ? nil : SettingsGroup("time", title: localized("Time today"), rows: rows)
    }

    private func row(
        _ id: String, _ title: String, _ words: [String], _ gates: [TimedGate], _ moment: SettingsMoment
    ) -> SettingsRow {
        let mine = asks.filter { $0.isMoreTime && $0.isAsked(by: moment.uid) }
        // For these, asking again would only return the same ask.
        let found = mine.filter { $0.isStillAnswer(at: moment.wall) }
        let offers = gates.filter { gate in
            gate.offersMoreTime && !found.contains { $0.gatedAction == gate.name }
        }
        let extra = gates.flatMap { gate in
            mine.filter { $0.gatedAction == gate.name && $0.state == .allowed }.compactMap(\.ends)
                .map { localized("more time until {time}", ["time": moment.text($0)]) }
        }
        let buttons = offers.map { gate in
            let words = TimeLeftWords.more(gate.title(for: moment.languages))
            return SettingsButton(
                offers.count == 1 ? localized("More time") : words, spoken: words, .askMoreTime(gate.name))
        }
        return SettingsRow(id, title, ListText.facts((words + extra).filter { !$0.isEmpty }), buttons: buttons)
    }

    /// `open until 19:00`
    private func hours(of gate: TimedGate, _ moment: SettingsMoment) -> String {
        let needed = schedules.filter { gate.schedules.contains($0.name) }
        let closed = needed.filter { !$0.isOpen }
        let ends = (closed.isEmpty ? needed : closed).compactMap(\.until)
        guard let end = closed.isEmpty ? ends.min() : ends.max() else {
            return closed.isEmpty ? localized("open now") : localized("closed now")
        }
        let time: KeyValuePairs = ["time": moment.text(end)]
        return closed.isEmpty ? localized("open until {time}", time) : localized("closed until {time}", time)
    }
}
