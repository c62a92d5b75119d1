import GateModel
import GateTexts

/// Answers of a form as the person writes and reads them on a terminal.
enum FormValueText {
    /// On one line: `Yes`, `01.05.1979`, `1,5`.
    static func shown(_ value: FormValue) -> String { FormValueWords.shown(value, visible: VisibleText.line) }

    /// An answer to this question: where it is one of its options, in the words of that.
    ///
    /// - Parameter item: `nil`: the question is not known.
    static func shown(_ value: FormValue, of item: QuestionnaireItem?) -> String {
        FormValueWords.shown(value, of: item, visible: VisibleText.line)
    }

    /// An option, in the language of the person where it is in that.
    static func shown(_ option: QuestionnaireAnswerOption) -> String {
        FormValueWords.shown(option, visible: VisibleText.line)
    }
}
