import GateModel
import GateTexts

/// Makes the rows of the overview: each section with its answers, and with what is missing or wrong.
struct FormOverview {
    private let fields: FormFields
    private let questionnaire: Questionnaire
    private let isUntouched: Bool

    /// - Parameter isUntouched: whether nothing has been answered yet, so that missing answers are no mistakes.
    init(_ fields: FormFields, _ questionnaire: Questionnaire, isUntouched: Bool) {
        self.fields = fields
        self.questionnaire = questionnaire
        self.isUntouched = isUntouched
    }

    func rows(_ shown: [FormSections.Section]) -> [FormRow] {
        // Hidden questions are completed with the rest, so their answers are listed for the person to read.
        let hidden = questionnaire.items.filter { $0.isHidden }
        let rest = hidden.flatMap { answers([$0], fields.contents.nodes, under: []) }
        let sections = shown.enumerated().map { index, section in
            FormRow(
                key: "section \(section.name)",
                content: .section(
                    FormSectionSummary(
                        index: index, title: section.title,
                        answers: answers(section.items, fields.contents.nodes, under: []),
                        missing: problems(section) { isUntouched && $0 },
                        problems: problems(section) { !(isUntouched && $0) })))
        }
        return rules + sections
            + rest.enumerated().map { FormRow(key: "hidden \($0.offset)", content: .text($0.element)) }
    }

    /// The errors of the form as a whole, and the broken rules that are only warnings.
    private var rules: [FormRow] {
        let (wrong, remarks) = (fields.contents.ownProblems, fields.contents.remarks)
        return wrong.enumerated().map {
            FormRow(key: "problem \($0.offset)", content: .heading(FormFields.sentence($0.element)))
        }
            + remarks.enumerated().map {
                FormRow(key: "remark \($0.offset)", content: .text(FormFields.sentence($0.element)))
            }
    }

    /// Whether the answers of a group are one line. In a form for grown-ups each answer has its question beside it,
    /// because otherwise the text of one answer could look like several.
    private func isInOneLine(_ item: QuestionnaireItem) -> Bool {
        switch questionnaire.completedBy {
        case .anybody: item.isInOneLine ?? false
        case .grownUp: false
        }
    }

    private func answers(
        _ items: [QuestionnaireItem], _ nodes: [QuestionnaireResponseItem], under names: [String]
    ) -> [String] {
        items.flatMap { item -> [String] in
            let own = nodes.filter { $0.linkID == item.linkID }
            return own.enumerated().flatMap { index, node -> [String] in
                guard item.kind.isQuestion else {
                    let here = item.repeats ? names + ["\(item.shownName) \(index + 1)"] : names
                    guard isInOneLine(item) else { return answers(item.items, node.items, under: here) }
                    let line = fields.line(of: node.items, includesHidden: true)
                    let around = item.repeats ? here : names + [item.shownName]
                    return line.isEmpty ? [] : [around.reversed().reduce(line) { ListText.pair($1, $0) }]
                }
                let values = node.answers.compactMap(\.value)
                let shown = FormFields.list(values, of: item)
                let line = (names + [item.shownName]).reversed().reduce(shown) { ListText.pair($1, $0) }
                return (values.isEmpty ? [] : [line])
                    + node.answers.flatMap { answers(item.items, $0.items, under: names) }
            }
        }
    }

    /// - Parameter isWanted: called with whether an answer is only missing.
    private func problems(_ section: FormSections.Section, _ isWanted: (Bool) -> Bool) -> [String] {
        section.items.flatMap(\.withAllItems).flatMap { item in
            fields.contents.problems
                .filter { $0.key.linkID == item.linkID && isWanted($0.value.allSatisfy { $0.code == .required }) }
                .sorted { "\($0.key)" < "\($1.key)" }
                .map { path, _ in
                    let number = path.steps.dropLast().compactMap(\.index).map { " \($0 + 1)" }.joined()
                    return ListText.pair("\(item.shownName)\(number)", fields.error(at: path))
                }
        }
    }
}
