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

    /// An answer to this question: where it is one of its options, in the words of that.
    ///
    /// - Parameter item: `nil`: the question is not known.
    static func shown(_ value: FormValue, of item: QuestionnaireItem?) -> String {
        item?.options.first { $0.value == value }.map { shown($0) } ?? shown(value)
    }

    /// An option, in the language of the person where it is in that.
    static func shown(_ option: QuestionnaireAnswerOption) -> String {
        option.translations.isEmpty ? shown(option.value) : VisibleText.line(option.texts.ofPerson)
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
