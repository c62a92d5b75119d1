import GateForms
import GateModel
import GateTexts

/// Answers of a form as the person writes and reads them.
enum FormValueText {
    /// On one line: `Yes`, `01.05.1979`, `1,5`.
    static func shown(_ value: FormValue) -> String {
        let habits = WritingHabits.ofPerson
        return switch value {
        case .boolean(let isTrue): isTrue ? localized("Yes") : localized("No")
        case .decimal, .quantity: habits.decimal(VisibleText.line(value.displayText))
        case .date, .dateTime: habits.date(atStartOf: VisibleText.line(value.displayText))
        case .integer, .time, .string, .uri, .coding, .reference, .attachment: VisibleText.line(value.displayText)
        }
    }

    /// The text that was typed, as `FormAnswerText` reads it.
    static func read(_ text: String, for kind: QuestionnaireItem.Kind) -> String {
        let trimmed = FormAnswerText.trimmed(text)
        return switch kind {
        case .boolean: YesOrNo.read(trimmed).map { $0 ? "yes" : "no" } ?? text
        case .date, .dateTime: WritingHabits.ofPerson.iso(dateAtStartOf: trimmed)
        case .decimal, .quantity: WritingHabits.ofPerson.point(inDecimal: trimmed)
        case .integer, .time, .string, .text, .url, .choice, .openChoice, .reference, .attachment, .group,
            .display:
            text
        }
    }
}
