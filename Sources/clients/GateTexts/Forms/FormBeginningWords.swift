package import GateModel

/// The ways to begin filling in a form, like `Continue with Anna, Golf (yesterday)`.
package enum FormBeginningWords {
    package static var question: String { localized("How do you want to begin?") }

    /// `shown` makes a label harmless for the place where it is shown, since people and programs wrote it.
    package static func text(
        _ beginning: FormBeginning, now: LocalTime, shown: (String) -> String
    ) -> String {
        switch beginning {
        case .new: return localized("Start a new one")
        case .draft(let draft):
            let name =
                draft.label.isEmpty ? localized("draft {number}", ["number": "\(draft.draftID)"]) : shown(draft.label)
            let text = localized("Continue with {label}", ["label": name])
            return draft.openedAt.map { ListText.noted(text, day($0, now: now)) } ?? text
        case .response(let kept):
            let text =
                kept.label.isEmpty
                ? localized("Start from response {number}", ["number": "\(kept.id)"])
                : localized("Start from {label}", ["label": shown(kept.label)])
            return ListText.noted(text, day(kept.savedAt, now: now))
        }
    }

    /// The day of a time: `today`, `yesterday`, or the date.
    static func day(_ time: WallTime, now: LocalTime) -> String {
        let here = LocalTime(time, minutesEastOfUTC: now.minutesEastOfUTC).day
        let (before, _) = now.time.unixMilliseconds.subtractingReportingOverflow(86_400_000)
        let yesterday = LocalTime(WallTime(unixMilliseconds: before), minutesEastOfUTC: now.minutesEastOfUTC).day
        if here == now.day { return localized("today") }
        if here == yesterday { return localized("yesterday") }
        return WritingHabits.ofPerson.date(atStartOf: "\(here)")
    }
}
