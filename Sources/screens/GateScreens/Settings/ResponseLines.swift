package import GateModel
import GateTexts

/// The content of a response, with the texts of the form in the answered version, or else of the response.
package struct ResponseLines {
    private static let maximumRows = 500

    package private(set) var rows: [SettingsRow] = []
    /// The items of the form, by their linkId. Empty if the form has another version, or was removed.
    private var items: [String: QuestionnaireItem] = [:]
    private let languages: [String]

    /// - Parameters:
    ///   - form: the newest version of the form with that name; `nil` if it was removed.
    ///   - languages: the person's languages as BCP 47 tags, the preferred one first.
    package init(
        _ response: QuestionnaireResponse, _ summary: ResponseSummary, form: Questionnaire?, for languages: [String]
    ) {
        self.languages = languages
        if let form, form.name == summary.name, form.version == summary.version { know(form.items) }
        for item in response.items { add(item) }
    }

    private mutating func know(_ items: [QuestionnaireItem]) {
        for item in items {
            self.items[item.linkID] = item
            know(item.items)
        }
    }

    private mutating func add(_ answered: QuestionnaireResponseItem) {
        guard rows.count < Self.maximumRows else { return }
        let item = items[answered.linkID]
        let texts = [item?.texts?.text(for: languages), answered.text].compactMap { $0?.foreignLine }
        let values = answered.answers.compactMap(\.value).map { FormValueWords.shown($0, of: item, visible: Self.line) }
        rows.append(
            SettingsRow(
                "\(rows.count)", texts.first { !$0.isEmpty } ?? answered.linkID, values.joined(separator: "\n")))
        for item in answered.items + answered.answers.flatMap(\.items) { add(item) }
    }

    /// The text in one line, because each answer has a line of its own.
    private static func line(_ text: String) -> String {
        text.split { $0.isNewline }.joined(separator: " ").foreignLine
    }
}
