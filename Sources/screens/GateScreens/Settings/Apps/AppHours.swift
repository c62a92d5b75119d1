import GateModel
import GateTexts

/// The hours of an app, as two fields of a dialog say them: one span from Monday to Friday, and one at the weekend.
struct AppHours: Hashable {
    static let example = Schedule.Span(15 * 60, 19 * 60).text

    /// `nil`: it is closed on these days.
    private var weekdays: Schedule.Span?
    private var weekend: Schedule.Span?

    /// - Throws: `Mistake` if a text is no span, or both are empty.
    init(weekdays: String, weekend: String) throws(SettingsDialog.Mistake) {
        self.weekdays = try Self.span(weekdays)
        self.weekend = try Self.span(weekend)
        guard self.weekdays != nil || self.weekend != nil else { throw Self.mistake }
    }

    /// - Returns: `nil` if the fields can't say these hours.
    init?(_ schedule: Schedule) {
        guard schedule.days.count == 7, schedule.days.allSatisfy({ $0.count < 2 }),
            Set(schedule.days[0..<5]).count == 1, schedule.days[5] == schedule.days[6]
        else { return nil }
        (weekdays, weekend) = (schedule.days[0].first, schedule.days[5].first)
    }

    func schedule(_ name: String) -> Schedule {
        let (weekdays, weekend) = ([weekdays].compactMap(\.self), [weekend].compactMap(\.self))
        return Schedule(name, days: Array(repeating: weekdays, count: 5) + [weekend, weekend])
    }

    var texts: [SettingsDialog.Key: String] {
        [.weekdays: weekdays?.text ?? "", .weekend: weekend?.text ?? ""]
    }

    /// `15:00–19:00`, and as people write it besides: `15-19`, `15.30 - 19`. A span whose end is not later than its
    /// begin ends on the next day.
    private static func span(_ text: String) throws(SettingsDialog.Mistake) -> Schedule.Span? {
        let text = text.filter { !$0.isWhitespace }
        guard !text.isEmpty else { return nil }
        let parts = text.split(omittingEmptySubsequences: false) { "-–—".contains($0) }
        guard parts.count == 2, let begin = minutes(parts[0]), let end = minutes(parts[1]), begin != end,
            begin < Schedule.minutesOfDay
        else { throw mistake }
        return Schedule.Span(begin, end > begin ? end : end + Schedule.minutesOfDay)
    }

    /// From midnight.
    private static func minutes(_ text: Substring) -> Int? {
        let parts = text.split(omittingEmptySubsequences: false) { ":.：".contains($0) }
        guard parts.count < 3, let hours = parts.first.flatMap({ Int(wholeNumber: $0) }), hours <= 24,
            let minutes = parts.count == 1 ? 0 : Int(wholeNumber: parts[1]), minutes < 60
        else { return nil }
        let all = hours * 60 + minutes
        return all <= Schedule.minutesOfDay ? all : nil
    }

    private static var mistake: SettingsDialog.Mistake {
        .init(text: localized("Write the hours like {hours}.", ["hours": example]))
    }
}
