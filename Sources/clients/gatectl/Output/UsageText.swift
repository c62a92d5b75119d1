import GateModel
import GateTexts

/// The time that people have used, as lines for people.
enum UsageText {
    /// The columns of a list: the person, what was used, how much on which day, and what is left.
    static func columns(_ time: UsedTime, hasDays: Bool) -> [String] {
        let person = time.person.isEmpty ? "uid \(time.uid)" : VisibleText.line(time.person)
        let day =
            hasDays ? [time.isToday ? localized("today") : WritingHabits.ofPerson.date(atStartOf: "\(time.day)")] : []
        return [person, subject(time)] + day + [used(time), left(time)]
    }

    /// The name of the allowance or of the gated action.
    static func subject(_ time: UsedTime) -> String {
        switch time.subject {
        case .allowance(let name), .gatedAction(let name): VisibleText.line(name)
        }
    }

    private static func minutes(_ duration: Duration) -> String { DurationWords.short(DurationWords.minutes(duration)) }

    /// `55m`, or `55m (of it on Mia's tablet: 20m)`.
    private static func used(_ time: UsedTime) -> String {
        guard time.used > .zero else { return "–" }
        let elsewhere = time.elsewhere.map { other in
            localized(
                "of it on {device}: {time}", ["device": VisibleText.line(other.device), "time": minutes(other.used)])
        }
        return minutes(time.used) + (elsewhere.isEmpty ? "" : " (\(ListText.things(elsewhere)))")
    }

    private static func left(_ time: UsedTime) -> String {
        let left = time.left.map { left in
            guard left > .zero else { return localized("used up") }
            return localized("{time} left", ["time": minutes(left)])
        }
        let isRunning = time.isRunning ? localized("being used now") : nil
        return ListText.facts([left, isRunning].compactMap(\.self))
    }

    /// `mia  games  55m  5m left`
    static func line(_ time: UsedTime) -> String {
        columns(time, hasDays: false).filter { !$0.isEmpty }.joined(separator: "  ")
    }

    /// What `gatectl use` says when the time that is left has changed; `nil`: nothing.
    static func note(_ time: TimeLeft) -> String? {
        if time.isOver { return localized("The time is used up. The program is being closed.") }
        guard let left = time.left, left > .zero else { return nil }
        return localized("Time left: {duration}.", ["duration": DurationWords.text(left)])
    }
}
