import GateModel

/// Words about time that is left, or over, for the person who uses it.
package enum TimeLeftWords {
    /// The name of an allowance as people read it: `Games` for "games", `School days` for "school-days".
    package static func name(ofAllowance name: String) -> String {
        let words = String(name.map { $0 == "-" || $0 == "." ? " " : $0 })
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    /// `5 minutes left: Games`. In whole minutes, rounded up, and at least one.
    package static func warning(_ left: Duration, _ what: String) -> String {
        let seconds = (left.millisecondsRoundedUp + 999) / 1000
        return localized(
            "{count} minute left: {what}", plural: "{count} minutes left: {what}",
            count: Int(max(1, (seconds + 59) / 60)), ["what": what])
    }

    /// - Parameter isForToday: whether there is no more time today.
    package static func over(_ what: String, isForToday: Bool) -> String {
        isForToday
            ? localized("Time is over for today: {what}", ["what": what])
            : localized("Time is over for now: {what}", ["what": what])
    }

    /// When there is time again, like `Again tomorrow at 9:00.`; `nil` if the refusal does not say.
    ///
    /// - Parameter parameters: those of a refusal because a schedule is closed or the time is used up.
    package static func again(_ parameters: [String: String]) -> String? {
        guard let day = parameters["day"], let time = parameters["time"] else { return nil }
        return localized("Again {day} at {time}.", ["day": ScheduleWords.day(day), "time": time])
    }

    /// How much of an allowance is left today, like `35 minutes left today`.
    package static func today(_ left: Duration) -> String {
        guard left > .zero else { return localized("used up for today") }
        return localized("{time} left today", ["time": DurationWords.text(DurationWords.minutes(left))])
    }

    /// `More time: Play a game`
    package static func more(_ what: String) -> String { localized("More time: {what}", ["what": what]) }
}
