import GateModel
import GateTexts

/// The page before a form that can be begun in several ways, with a large button for each.
struct FormStart: Hashable {
    let beginnings: FormBeginnings
    private let texts: [String]

    /// - Parameter now: the time by the device's clock.
    init(_ beginnings: FormBeginnings, now: LocalTime) {
        self.beginnings = beginnings
        texts = beginnings.all.map { FormBeginningWords.text($0, now: now, shown: \.foreignLine) }
    }

    /// The way on this button; `nil` if there is no such button.
    func beginning(_ index: Int) -> FormBeginning? {
        beginnings.all.indices.contains(index) ? beginnings.all[index] : nil
    }

    func picture(_ title: String) -> FormPicture {
        FormPicture(
            title: title, position: "", steps: [], heading: FormBeginningWords.question, page: "start",
            rows: texts.enumerated().map { FormRow(key: "start \($0)", content: .beginning($0, $1)) }, back: "",
            next: "", takesNext: false, forward: .wentOn, isEditable: true, note: "")
    }
}
