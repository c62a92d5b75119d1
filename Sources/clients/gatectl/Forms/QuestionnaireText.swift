import GateModel
import GateTexts

/// An outline of a form: its items, one below the other, with their types and rules.
struct QuestionnaireText {
    let questionnaire: Questionnaire

    /// The most options that are listed. The others are only counted.
    private static let maximumOptions = 20

    init(_ questionnaire: Questionnaire) {
        self.questionnaire = questionnaire
    }

    var lines: [String] {
        let title = VisibleText.line(questionnaire.titles.ofPerson)
        var lines = [
            "\(title)  (\(questionnaire.name)\(questionnaire.version.map { " \(VisibleText.line($0))" } ?? ""))"
        ]
        if let url = questionnaire.url { lines.append(VisibleText.line(url)) }
        if let description = questionnaire.descriptions?.ofPerson { lines.append(VisibleText.line(description)) }
        switch questionnaire.completedBy {
        case .grownUp: lines.append(localized("Only a grown-up completes it."))
        case .anybody: break
        }
        lines += FormRulesText.texts(questionnaire.invariants)
        lines.append("")
        for item in questionnaire.items { add(item, depth: 0, to: &lines) }
        return lines
    }

    private func add(_ item: QuestionnaireItem, depth: Int, to lines: inout [String]) {
        let indent = String(repeating: "  ", count: depth)
        let rules = FormRulesText(item: item).forOutline()
        let text = Self.text(of: item)
        lines.append(
            "\(indent)\(VisibleText.line(item.linkID))  \(item.kind.rawValue)\(text.isEmpty ? "" : "  \(text)")"
                + (rules.isEmpty ? "" : "  " + localized("({text})", ["text": ListText.remarks(rules)])))
        for option in item.options.prefix(Self.maximumOptions) {
            lines.append("\(indent)    - \(Self.line(option))")
        }
        if item.options.count > Self.maximumOptions {
            let count = "\(item.options.count - Self.maximumOptions)"
            lines.append("\(indent)    - " + localized("and {count} more", ["count": count]))
        }
        for item in item.items { add(item, depth: depth + 1, to: &lines) }
    }

    static func text(of item: QuestionnaireItem) -> String {
        [item.prefixes, item.texts].compactMap { $0?.ofPerson }.map(VisibleText.line).filter { !$0.isEmpty }.joined(
            separator: " ")
    }

    /// The item's text as people read it, or its linkId if it has none.
    static func name(of item: QuestionnaireItem) -> String {
        let text = text(of: item)
        return text.isEmpty ? VisibleText.line(item.linkID) : text
    }

    private static func line(_ option: QuestionnaireAnswerOption) -> String {
        let display = FormValueText.shown(option)
        var notes: [String] = []
        switch option.value {
        case .coding(let coding):
            if let code = coding.code, code != coding.display { notes.append(VisibleText.line(code)) }
        case .boolean, .decimal, .integer, .date, .dateTime, .time, .string, .uri, .quantity, .reference, .attachment:
            break
        }
        if option.isInitiallySelected { notes.append(localized("at first")) }
        if option.isExclusive { notes.append(localized("nothing else with it")) }
        return notes.isEmpty ? display : "\(display)  " + localized("({text})", ["text": ListText.remarks(notes)])
    }
}
