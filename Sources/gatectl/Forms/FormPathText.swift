import ArgumentParser
import GateForms
import GateModel
import GateTexts

/// Questions and answers as they stand on the command line.
enum FormPathText {
    static func parse(_ text: String) throws(ValidationError) -> FormPath {
        guard let path = FormPath(text: text) else {
            throw ValidationError(
                "'\(text)' is no path. Write the linkId, behind those of the repeating items around it: driver[1]/name."
            )
        }
        return path
    }

    /// Typed as the item says, dates and numbers as the person writes them or as ISO does. A question that takes one answer takes all words as one.
    ///
    /// - Throws: `INVALID_ARGUMENT` (`badAnswer`), saying how to write it.
    static func values(_ words: [String], of item: QuestionnaireItem) throws(GateError) -> [FormValue] {
        let texts = item.repeats || words.isEmpty ? words : [words.joined(separator: " ")]
        var values: [FormValue] = []
        for text in texts {
            values.append(try FormAnswerText(item: item).value(FormValueText.read(text, for: item.kind)))
        }
        return values
    }

    static func unknown(_ path: FormPath, in questionnaire: Questionnaire) -> GateError {
        let names = questionnaire.allItems.filter(\.kind.isQuestion).map(\.linkID)
        let nearest = NearestNames.of(path.linkID, among: names)
        let hint =
            nearest.isEmpty
            ? localized("`gatectl form show {form}` has all of them.", ["form": questionnaire.name])
            : localized("Did you mean {names}?", ["names": ListText.things(nearest.map(VisibleText.line))])
        let item = VisibleText.line(path.linkID)
        return GateError(
            .notFound, .unknown,
            saying: localized("This form has no item '{item}'. {hint}", ["item": item, "hint": hint]))
    }
}
