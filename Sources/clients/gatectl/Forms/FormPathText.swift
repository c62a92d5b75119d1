import ArgumentParser
import GateForms
import GateModel
import GateTexts

/// Paths of questions as people write them on the command line.
enum FormPathText {
    static func parse(_ text: String) throws(ValidationError) -> FormPath {
        guard let path = FormPath(text: text) else {
            throw ValidationError(
                "'\(text)' is no path. Write the linkId, behind those of the repeating items around it: driver[1]/name."
            )
        }
        return path
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
