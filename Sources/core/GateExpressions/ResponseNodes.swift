package import GateModel

// Expressions walk through a response as it is, without a copy.

extension QuestionnaireResponse: ExpressionNode {
    package var typeName: String? { "QuestionnaireResponse" }

    package var children: [(name: String, item: ExpressionItem)] {
        let texts = [("questionnaire", questionnaire), ("status", status.rawValue)].texts
        let moment = authored.flatMap { CalendarMoment(text: $0) }.map {
            ("authored", ExpressionItem.value(.dateTime($0)))
        }
        return texts + (moment.map { [$0] } ?? []) + items.map { ("item", .node($0)) }
    }

    package func children(named name: String) -> [ExpressionItem] {
        name == "item" ? items.map { .node($0) } : children.filter { $0.name == name }.map(\.item)
    }
}

extension QuestionnaireResponseItem: ExpressionNode {
    package var children: [(name: String, item: ExpressionItem)] {
        [("linkId", linkID), ("text", text)].texts + answers.map { ("answer", .node($0)) }
            + items.map { ("item", .node($0)) }
    }

    package func children(named name: String) -> [ExpressionItem] {
        switch name {
        case "linkId": [.value(.string(linkID))]
        case "text": text.map { [.value(.string($0))] } ?? []
        case "answer": answers.map { .node($0) }
        case "item": items.map { .node($0) }
        case _: []
        }
    }
}

extension QuestionnaireResponseAnswer: ExpressionNode {
    package var children: [(name: String, item: ExpressionItem)] {
        (value.map { [("value", $0.expressionItem)] } ?? []) + items.map { ("item", .node($0)) }
    }
}

extension FormValue {
    package var expressionItem: ExpressionItem {
        switch self {
        case .boolean(let isTrue): .value(.boolean(isTrue))
        case .integer(let number): .value(.integer(number))
        case .date(let date): .value(.date(date))
        case .string(let text), .uri(let text): .value(.string(text))
        case .decimal, .dateTime, .time, .coding, .quantity, .reference, .attachment: .node(FormValueNode(self))
        }
    }
}

/// An answer that has elements, or that may have more digits than expressions can calculate with.
package struct FormValueNode: ExpressionNode {
    /// The original answer, for callers that get this node as a result.
    package let formValue: FormValue

    init(_ formValue: FormValue) {
        self.formValue = formValue
    }

    package var primitiveValue: ExpressionValue? {
        switch formValue {
        case .decimal(let number): ExactDecimal(number).map { .decimal($0) }
        case .dateTime(let moment): CalendarMoment(moment).map { .dateTime($0) }
        case .time(let time): ClockTime(time).map { .time($0) }
        case .quantity(let quantity): quantity.expressionQuantity.map { .quantity($0) }
        case .boolean, .integer, .date, .string, .uri, .coding, .reference, .attachment: nil
        }
    }

    package var children: [(name: String, item: ExpressionItem)] {
        switch formValue {
        case .coding(let coding):
            return [
                ("system", coding.system), ("version", coding.version), ("code", coding.code),
                ("display", coding.display),
            ].texts
        case .quantity(let quantity):
            let number = quantity.value.map { [("value", FormValue.decimal($0).expressionItem)] } ?? []
            return number
                + [
                    ("comparator", quantity.comparator), ("unit", quantity.unit), ("system", quantity.system),
                    ("code", quantity.code),
                ].texts
        case .reference(let reference):
            return [("reference", reference.reference), ("type", reference.type), ("display", reference.display)].texts
        case .attachment(let attachment):
            let size = ("size", ExpressionItem.value(.integer(Int32(clamping: attachment.byteCount))))
            return [("contentType", attachment.mediaType), ("title", attachment.title)].texts + [size]
        case .boolean, .decimal, .integer, .date, .dateTime, .time, .string, .uri: return []
        }
    }
}

extension FormQuantity {
    /// `nil` without an exact number. The unit is the code, or else the unit's text.
    fileprivate var expressionQuantity: ExpressionQuantity? {
        guard comparator == nil, let number = value.flatMap({ ExactDecimal($0) }) else { return nil }
        return ExpressionQuantity(number, .ucum(code ?? unit ?? "1"))
    }
}

extension [(String, String?)] {
    fileprivate var texts: [(name: String, item: ExpressionItem)] {
        compactMap { name, text in text.map { (name, .value(.string($0))) } }
    }
}
