import GateModel
import GateScreens
import GateTexts

/// The issues of a response, one line each.
enum FormIssueText {
    /// `error QuestionnaireResponse.item[2] (birth): This has to be answered.`
    static func line(_ issue: FormIssue) -> String {
        let item = issue.linkID.map { " (\(VisibleText.line($0)))" } ?? ""
        return "\(issue.severity.rawValue) \(VisibleText.line(issue.path))\(item): \(VisibleText.line(issue.message))"
    }

    /// For the person who fills in the form: `Date of birth: This has to be answered.` The names are by linkId.
    static func sentence(_ issue: FormIssue, names: [String: String]) -> String {
        let sentence = VisibleText.line(RefusalText.sentence(issue))
        return issue.linkID.map { ListText.pair(names[$0] ?? VisibleText.line($0), sentence) } ?? sentence
    }

    static func hasErrors(_ issues: [FormIssue]) -> Bool {
        issues.contains { $0.severity == .error }
    }
}

extension Questionnaire {
    /// The names of the items at these paths, as people read them. An unknown path stays as it is.
    func names(ofCleared paths: [String]) -> [String] {
        let names = itemNames
        return paths.map { path in FormPath(text: path).flatMap { names[$0.linkID] } ?? VisibleText.line(path) }
    }

    var itemNames: [String: String] {
        allItems.reduce(into: [:]) { names, item in names[item.linkID] = QuestionnaireText.name(of: item) }
    }

    /// All items in order, each before the items in it.
    var allItems: [QuestionnaireItem] { items.flatMap(\.withAllItems) }

    func item(_ linkID: String) -> QuestionnaireItem? { allItems.first { $0.linkID == linkID } }
}
