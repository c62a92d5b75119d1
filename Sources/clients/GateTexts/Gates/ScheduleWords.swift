package import GateModel

/// Schedules in words.
package enum ScheduleWords {
    /// When the schedule is open, like `Monday to Friday 15:00–19:00; Saturday, Sunday 9:00–20:00`.
    package static func text(_ schedule: Schedule) -> String {
        let groups = schedule.dayGroups.map { group in
            return "\(text(group.days)) \(ListText.things(group.spans.map(\.text)))"
        }
        return groups.isEmpty ? localized("at no time") : ListText.remarks(groups)
    }

    /// Weekdays, like `Monday to Friday` or `Saturday, Sunday`. Each run has weekdays in a row.
    package static func text(_ runs: [ClosedRange<Int>]) -> String {
        ListText.things(
            runs.flatMap { run in
                run.count > 2
                    ? [localized("{first} to {last}", ["first": days[run.lowerBound], "last": days[run.upperBound]])]
                    : run.map { days[$0] }
            })
    }

    /// The full name of a weekday, from 0 for Monday.
    package static func day(_ weekday: Int) -> String { days[weekday] }

    /// The full names of the weekdays, Monday first.
    private static var days: [String] {
        [
            localized("Monday"), localized("Tuesday"), localized("Wednesday"), localized("Thursday"),
            localized("Friday"), localized("Saturday"), localized("Sunday"),
        ]
    }

    /// The sentence about a refusal because a schedule is closed, or the time of an allowance is used up. `parameters`
    /// are those of the error. `isOnDesktop`: somebody reads it in a window, and has no terminal.
    static func closed(_ parameters: [String: String], isOnDesktop: Bool = false) -> String {
        let closed = opening(parameters)
        guard parameters["more-time"] != nil, let gate = parameters["gated-action"] else { return closed }
        let more =
            isOnDesktop
            ? localized("To ask for more time, open Gate and go to Questions.")
            : localized("Ask for more time: `gatectl more-time {gate}`.", ["gate": gate])
        return "\(closed) \(more)"
    }

    private static func opening(_ parameters: [String: String]) -> String {
        let isAllowance = parameters["allowance"] != nil
        guard let day = parameters["day"], let time = parameters["time"] else {
            return isAllowance
                ? localized("There is no time for this, and none within two weeks.")
                : localized("This is closed, and does not open within two weeks.")
        }
        if isAllowance, let elsewhere = parameters["elsewhere"].flatMap({ Int64($0) }) {
            return localized(
                "The time for this is used up, {duration} of it on {devices}. There is more {day} at {time}.",
                [
                    "duration": DurationWords.text(.milliseconds(elsewhere)), "devices": parameters["devices"] ?? "",
                    "day": self.day(day), "time": time,
                ])
        }
        if isAllowance {
            return localized(
                "The time for this is used up. There is more {day} at {time}.", ["day": self.day(day), "time": time])
        }
        return localized("This is closed now. It opens {day} at {time}.", ["day": self.day(day), "time": time])
    }

    /// The day in a refusal's parameters, like `tomorrow` or `Monday`, in the person's language.
    static func day(_ day: String) -> String {
        switch day {
        case "today": localized("today")
        case "tomorrow": localized("tomorrow")
        case _:
            Schedule.weekdayNames.firstIndex { $0.lowercased() == day }.map { days[$0] }
                ?? WritingHabits.ofPerson.date(atStartOf: day)
        }
    }
}
