import GateModel
import GateTexts

/// Makes the rows of a page. Disabled items are not in the draft, and hidden ones are skipped.
struct FormRows {
    let fields: FormFields
    private let parts: FormParts
    private var contents: FormContents { fields.contents }

    init(_ fields: FormFields, _ parts: FormParts) {
        (self.fields, self.parts) = (fields, parts)
    }

    /// The rows of these items. `nodes` are their answers in the draft; `nil` for a group that is not in the draft
    /// before its first answer. `steps` are the beginning of the items' paths.
    func rows(
        _ items: [QuestionnaireItem], _ nodes: [QuestionnaireResponseItem]?, in steps: [FormPath.Step]
    ) -> [FormRow] {
        items.filter { !$0.isHidden }.flatMap { item -> [FormRow] in
            guard let nodes else { return future(item, in: steps) }
            let own = nodes.filter { $0.linkID == item.linkID }
            guard let first = own.first else { return [] }
            switch item.kind {
            case .display: return [row(FormPath(steps + [FormPath.Step(item.linkID)]), .text(item.shownName))]
            case .group: return rows(ofGroup: item, first, in: steps)
            case .boolean, .decimal, .integer, .date, .dateTime, .time, .string, .text, .url, .choice, .openChoice,
                .attachment, .reference, .quantity:
                return rows(ofQuestion: item, first, in: steps)
            }
        }
    }

    /// The rows of an item that is not in the draft yet, as far as it is certain that they will be asked.
    private func future(_ item: QuestionnaireItem, in steps: [FormPath.Step]) -> [FormRow] {
        guard item.enableWhen.isEmpty, !item.isReadOnly else { return [] }
        let path = FormPath(steps + [FormPath.Step(item.linkID)])
        switch item.kind {
        case .display: return [row(path, .text(item.shownName))]
        case .group:
            guard !item.repeats else { return [] }
            guard !item.isComposite else {
                return [row(path, .line(line(item, at: path, nil)))] + offer(item, at: path)
            }
            return [row(path, .heading(item.shownName))] + offer(item, at: path) + rows(item.items, nil, in: steps)
        case .boolean, .decimal, .integer, .date, .dateTime, .time, .string, .text, .url, .choice, .openChoice,
            .attachment, .reference, .quantity:
            return question(item, at: path)
        }
    }

    /// The button for earlier answers, below a group's title or a question's field. Empty if there are none.
    func offer(_ item: QuestionnaireItem, at path: FormPath, isSensitive: Bool = true) -> [FormRow] {
        guard !parts.parts(for: item).isEmpty else { return [] }
        let name = path.index.map { "\(item.shownName) \($0 + 1)" } ?? item.shownName
        return [row(path, .parts(FormPartsOffer(path: path, label: name, isSensitive: isSensitive)))]
    }

    private func row(_ path: FormPath, _ content: FormRow.Content) -> FormRow {
        FormRow(key: "\(content.name) \(path)", content: content)
    }

    // MARK: Questions

    private func question(_ item: QuestionnaireItem, at path: FormPath) -> [FormRow] {
        let field = fields.field(item, at: path)
        return [row(path, .field(field))] + offer(item, at: path, isSensitive: field.isSensitive)
    }

    private func rows(
        ofQuestion item: QuestionnaireItem, _ node: QuestionnaireResponseItem, in steps: [FormPath.Step]
    ) -> [FormRow] {
        let path = FormPath(steps + [FormPath.Step(item.linkID)])
        let below = node.answers.enumerated().flatMap { index, answer in
            rows(item.items, answer.items, in: steps + (item.repeats ? [FormPath.Step(item.linkID, index)] : []))
        }
        return question(item, at: path) + below
    }

    // MARK: Groups

    private func rows(
        ofGroup item: QuestionnaireItem, _ node: QuestionnaireResponseItem, in steps: [FormPath.Step]
    ) -> [FormRow] {
        let path = FormPath(steps + [FormPath.Step(item.linkID)])
        if item.repeats {
            let table = table(item, in: steps)
            return [row(path, .table(table))] + (table.added == nil ? [] : offer(item, at: path))
        }
        if item.isComposite { return [row(path, .line(line(item, at: path, node.items)))] + offer(item, at: path) }
        return [row(path, .heading(item.shownName))] + offer(item, at: path) + rows(item.items, node.items, in: steps)
    }

    private func line(
        _ item: QuestionnaireItem, at path: FormPath, _ nodes: [QuestionnaireResponseItem]?
    ) -> FormLine {
        FormLine(
            path: path, label: item.isRequired ? FormWords.required(item.shownName) : item.shownName,
            summary: fields.line(of: nodes ?? []), error: error(in: item, at: path.steps.dropLast().map { $0 }))
    }

    /// Whether any answer is different from the initial one.
    func isAnswered(_ nodes: [QuestionnaireResponseItem]) -> Bool {
        nodes.contains { node in
            let values = node.answers.compactMap(\.value)
            let initial = fields.items[node.linkID]?.initial ?? []
            return (!values.isEmpty && values != initial) || isAnswered(node.items)
                || node.answers.contains { isAnswered($0.items) }
        }
    }

    private func error(in group: QuestionnaireItem, at steps: [FormPath.Step]) -> String {
        for item in group.withAllItems {
            let error = contents.problems.keys.lazy
                .filter { $0.linkID == item.linkID && $0.steps.dropLast().starts(with: steps) }
                .map { self.fields.error(at: $0) }.first { !$0.isEmpty }
            if let error { return item.linkID == group.linkID ? error : ListText.pair(item.shownName, error) }
        }
        return ""
    }

    private func table(_ item: QuestionnaireItem, in steps: [FormPath.Step]) -> FormTable {
        let count = contents.count(of: item.linkID, in: steps)
        let rows = (0..<count).map { index in
            let path = FormPath(steps + [FormPath.Step(item.linkID, index)])
            return FormLine(
                path: path, label: "\(item.shownName) \(index + 1)",
                summary: fields.line(of: contents.groups[path]?.nodes ?? []), error: error(in: item, at: path.steps))
        }
        // A single instance in which nothing is answered is not shown as a row: the button to add opens it.
        let first = contents.groups[FormPath(steps + [FormPath.Step(item.linkID, 0)])]
        let isEmpty = count == 1 && !(first.map { isAnswered($0.nodes) } ?? false)
        let next = FormPath(steps + [FormPath.Step(item.linkID, isEmpty ? 0 : count)])
        return FormTable(
            label: item.isRequired ? FormWords.required(item.shownName) : item.shownName, rows: isEmpty ? [] : rows,
            added: item.isReadOnly || !(isEmpty || item.takesMore(after: count)) ? nil : next,
            takesRemoval: !item.isReadOnly,
            error: isEmpty
                ? error(in: item, at: steps + [FormPath.Step(item.linkID, 0)])
                : fields.error(at: FormPath(steps + [FormPath.Step(item.linkID)])))
    }
}

extension FormRow.Content {
    fileprivate var name: String {
        switch self {
        case .text: "text"
        case .heading: "heading"
        case .field(let field): "field.\(field.control.name)"
        case .line: "line"
        case .table: "table"
        case .section: "section"
        case .beginning: "beginning"
        case .parts: "parts"
        }
    }
}

extension FormControl {
    fileprivate var name: String {
        switch self {
        case .fixed: "fixed"
        case .yesNo: "yes-no"
        case .entry: "entry"
        case .paragraph: "paragraph"
        case .date: "date"
        case .choice: "choice"
        case .quantity: "quantity"
        case .documents: "documents"
        case .several: "several"
        }
    }
}
