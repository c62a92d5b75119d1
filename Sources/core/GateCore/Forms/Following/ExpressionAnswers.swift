import GateExpressions
import GateModel

/// Why an expression gives a question no answer.
struct NoAnswer: Error {
    /// A sentence for the author of the form.
    let message: String
}

extension CompiledItem {
    /// - Throws: why the question can't have these results as answers.
    func answers(_ results: [ExpressionItem]) throws(NoAnswer) -> [FormValue] {
        var values: [FormValue] = []
        for result in results {
            guard let value = value(result) else {
                throw NoAnswer(message: "\(item.label) can't have \(result.typeName) as its answer.")
            }
            values.append(worded(value))
        }
        guard values.count <= item.maximumAnswerCount else {
            throw NoAnswer(message: "\(item.label) can't have \(values.count) answers.")
        }
        if let flaw = values.lazy.compactMap(flaw).first ?? flaws(ofAll: values).first {
            throw NoAnswer(message: flaw.message)
        }
        return values
    }

    /// `nil` if the result's type does not fit the question.
    private func value(_ result: ExpressionItem) -> FormValue? {
        if case .node(let node) = result, let value = (node as? FormValueNode)?.formValue { return taken(value) }
        switch (item.kind, result.value) {
        case (.decimal, .integer(let number)?): return .decimal(FormDecimal(Int(number)))
        case (.decimal, .decimal(let number)?): return number.formDecimal.map { .decimal($0) }
        case (.url, .string(let text)?): return .uri(text)
        case (.dateTime, .date(let date)?): return .dateTime(FormDateTime(date))
        case (.quantity, .quantity(let quantity)?): return quantity.formValue
        case (_, .boolean(let isTrue)?): return .boolean(isTrue)
        case (_, .string(let text)?): return .string(text)
        case (_, .integer(let number)?): return .integer(number)
        case (_, .date(let date)?): return .date(date)
        case (_, .dateTime(let moment)?): return FormDateTime(moment.text).map { .dateTime($0) }
        case (_, .time(let time)?): return FormTime(time.text).map { .time($0) }
        // A whole number that was calculated as a decimal.
        case (.integer, .decimal(let number)?): return Int32(number.text).map { .integer($0) }
        case (_, .decimal), (_, .quantity), (_, nil): return nil
        }
    }

    private func taken(_ value: FormValue) -> FormValue {
        switch (item.kind, value) {
        case (.decimal, .integer(let number)): .decimal(FormDecimal(Int(number)))
        case (.dateTime, .date(let date)): .dateTime(FormDateTime(date))
        case (.string, .uri(let text)), (.text, .uri(let text)): .string(text)
        case _: value
        }
    }
}

extension ExpressionQuantity {
    /// `nil` for a unit that answers can't have.
    fileprivate var formValue: FormValue? {
        switch unit {
        case .calendar: nil
        case .ucum("1"): .quantity(FormQuantity(value: value.formDecimal))
        case .ucum(let code):
            .quantity(
                FormQuantity(
                    value: value.formDecimal, unit: code, system: ExpressionVocabulary.constant("ucum"), code: code))
        }
    }
}
