import GateModel

extension QuestionnaireReading {
    /// Reads the parts of the text by which drafts are told apart, in order: answers to questions, and results of
    /// expressions.
    mutating func label(_ extensions: FoundExtensions, in scope: ExpressionScope) -> [Questionnaire.LabelPart] {
        let found = extensions[.label] ?? []
        guard found.count <= FormsLimits.labelParts else {
            wrong(
                found[0].position, found[0].value.place,
                "A label has at most \(FormsLimits.labelParts) parts. Leave some out.")
            return []
        }
        var parts: [Questionnaire.LabelPart] = []
        for label in found {
            guard let part = part(of: label, in: scope) else { continue }
            guard !parts.contains(part) else {
                wrong(label.position, label.value.place, "The label has this part twice. Leave one of them out.")
                continue
            }
            parts.append(part)
        }
        return parts
    }

    private mutating func part(of label: FoundExtension, in scope: ExpressionScope) -> Questionnaire.LabelPart? {
        switch label.type {
        case "Expression":
            guard let (source, node) = source(of: label.value, label.position),
                reads(of: source, node, label.position, in: scope) != nil
            else { return nil }
            return .result(of: source)
        case "String":
            guard let linkID = label.value.text else { return nil }
            guard let entry = directory[linkID] else {
                dangles(linkID, label.value, label.position)
                return nil
            }
            if let kind = entry.kind, !kind.isQuestion {
                wrong(
                    label.position, label.value.place,
                    "'\(linkID.shortened)' is a \(kind.rawValue) and has no answer. Name a question.")
                return nil
            }
            return .answers(to: linkID)
        default:
            wrong(
                label.position, label.value.place,
                "'label' is the linkId of a question, as 'valueString', or a 'valueExpression', not 'value\(label.type)'."
            )
            return nil
        }
    }
}
