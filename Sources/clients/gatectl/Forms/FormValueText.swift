import GateModel
import GateTexts

/// Answers of a form, as people read and write them on a terminal.
enum FormValueText {
    /// On one line: `Yes`, `01.05.1979`, `1,5`.
    static func shown(_ value: FormValue) -> String { FormValueWords.shown(value, visible: VisibleText.line) }

    /// The answer to the question `item`, which is `nil` if it is not known. If the answer is one of the question's
    /// options, that option's words are shown.
    static func shown(_ value: FormValue, of item: QuestionnaireItem?) -> String {
        FormValueWords.shown(value, of: item, visible: VisibleText.line)
    }

    /// An option, in the person's language if the form has that.
    static func shown(_ option: QuestionnaireAnswerOption) -> String {
        FormValueWords.shown(option, visible: VisibleText.line)
    }
}
