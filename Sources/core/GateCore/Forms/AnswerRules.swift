import GateModel

/// Something that is wrong with an answer.
struct AnswerFlaw: Hashable {
    var code: FormIssue.Code
    /// A sentence for people, which does not quote the answer.
    var message: String
    /// The values that the sentence mentions.
    var parameters: [String: String]

    init(_ code: FormIssue.Code, _ message: String, _ parameters: [String: String] = [:]) {
        self.code = code
        self.message = message
        self.parameters = parameters
    }
}

extension CompiledItem {
    /// Checks one value against its question, wherever it comes from: set, suggested, initial, or in a response.
    /// Returns the first flaw, in this order: type, content, offered options, limits; `nil` if there is none.
    func flaw(of value: FormValue) -> AnswerFlaw? {
        typeFlaw(of: value) ?? item.contentFlaw(of: value) ?? offerFlaw(of: value) ?? item.textFlaw(of: value)
            ?? item.limitFlaw(of: value) ?? item.attachmentFlaw(of: value)
    }

    // MARK: - Type

    private func typeFlaw(of value: FormValue) -> AnswerFlaw? {
        guard !takes(value) else { return nil }
        return AnswerFlaw(
            .value, "\(item.label) takes \(item.takenTypeName), not \(value.typeName).", ["type": item.kind.rawValue])
    }

    private func takes(_ value: FormValue) -> Bool {
        switch item.kind {
        case .group, .display: false
        case .boolean: value.fhirElement == "valueBoolean"
        case .decimal: value.fhirElement == "valueDecimal"
        case .integer: value.fhirElement == "valueInteger"
        case .date: value.fhirElement == "valueDate"
        case .dateTime: value.fhirElement == "valueDateTime"
        case .time: value.fhirElement == "valueTime"
        case .string, .text: value.fhirElement == "valueString"
        case .url: value.fhirElement == "valueUri"
        case .choice: isOfOptionType(value)
        case .openChoice: value.fhirElement == "valueString" || isOfOptionType(value)
        case .attachment: value.fhirElement == "valueAttachment"
        case .reference: value.fhirElement == "valueReference"
        case .quantity: value.fhirElement == "valueQuantity"
        }
    }

    /// A choice takes values of the types of its options; without options, codings.
    private func isOfOptionType(_ value: FormValue) -> Bool {
        offered.isEmpty ? value.fhirElement == "valueCoding" : offered.elements.contains(value.fhirElement)
    }
}

extension QuestionnaireItem {
    fileprivate var takenTypeName: String {
        switch kind {
        case .group, .display: "no answer"
        case .boolean: "a yes or no"
        case .decimal: "a decimal number"
        case .integer: "a whole number"
        case .date: "a date"
        case .dateTime: "a date and time"
        case .time: "a time"
        case .string, .text: "a text"
        case .url: "a web address"
        case .choice: "one of its choices"
        case .openChoice: "one of its choices or a text"
        case .attachment: "an attachment"
        case .reference: "a reference"
        case .quantity: "a quantity"
        }
    }
}

extension FormValue {
    /// The value as it is written; `nil` for types that are more than one text.
    var lexicalText: String? {
        switch self {
        case .string(let text), .uri(let text): text
        case .integer(let number): String(number)
        case .decimal(let number): number.text
        case .date(let date): date.text
        case .dateTime(let moment): moment.text
        case .time(let time): time.text
        case .boolean, .coding, .quantity, .reference, .attachment: nil
        }
    }
}
