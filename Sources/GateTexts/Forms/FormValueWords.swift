package import GateModel

/// Answers of a form as the person writes and reads them.
package enum FormValueWords {
    /// On one line: `Yes`, `01.05.1979`, `1,5`.
    ///
    /// - Parameter visible: makes the words of others harmless for where they are shown.
    package static func shown(_ value: FormValue, visible: (String) -> String) -> String {
        let habits = WritingHabits.ofPerson
        return switch value {
        case .boolean(let isTrue): isTrue ? localized("Yes") : localized("No")
        case .decimal, .quantity: habits.decimal(visible(value.displayText))
        case .date, .dateTime: habits.date(atStartOf: visible(value.displayText))
        case .integer, .time, .string, .uri, .coding, .reference, .attachment: visible(value.displayText)
        }
    }

    /// The text that was typed, without space at its ends, as a form's answers are written in files: dates year first, a point in
    /// numbers.
    package static func read(_ trimmed: String, for kind: QuestionnaireItem.Kind) -> String {
        switch kind {
        case .date, .dateTime: WritingHabits.ofPerson.iso(dateAtStartOf: trimmed)
        case .decimal, .quantity: WritingHabits.ofPerson.point(inDecimal: trimmed)
        case .boolean, .integer, .time, .string, .text, .url, .choice, .openChoice, .reference, .attachment, .group,
            .display:
            trimmed
        }
    }
}
