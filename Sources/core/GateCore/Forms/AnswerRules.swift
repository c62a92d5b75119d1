import GateModel

// What is wrong with the answers to a question: with one of them, and with all of them together.

struct AnswerFlaw: Hashable {
    var code: FormIssue.Code
    /// A sentence for people, which does not quote the answer.
    var message: String
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

extension QuestionnaireItem {
    var maximumAnswerCount: Int { repeats ? min(constraints.maximumOccurs ?? .max, FormBounds.answers) : 1 }

    var maximumInstanceCount: Int { repeats ? min(constraints.maximumOccurs ?? .max, FormBounds.instances) : 1 }
}

extension CompiledItem {
    /// What is wrong with all answers of a question together: they are too many, one of them allows nothing beside it,
    /// or the same choice occurs twice. Whether there are enough of them is checked elsewhere, by `ResponseWalk`.
    func flaws(ofAll values: [FormValue]) -> [AnswerFlaw] {
        // If there are too many, nothing else is checked.
        if let flaw = countFlaw(values.count) { return [flaw] }
        return [exclusionFlaw(values), repetitionFlaw(values)].compactMap(\.self)
    }

    func countFlaw(_ count: Int) -> AnswerFlaw? {
        guard count > item.maximumAnswerCount else { return nil }
        let maximum = item.maximumAnswerCount
        return AnswerFlaw(
            .tooLong, "\(item.label) takes at most \(maximum.times("answer")).",
            ["maximum": "\(maximum)", "unit": "answers"])
    }

    private func exclusionFlaw(_ values: [FormValue]) -> AnswerFlaw? {
        guard values.count > 1 else { return nil }
        guard !exclusive.isEmpty, let option = values.lazy.compactMap(exclusive.option).first else { return nil }
        return AnswerFlaw(
            .businessRule,
            "\(item.label) has '\(option.value.displayText)', which can't be combined with other choices. Keep one or the other.",
            ["rule": "exclusive"])
    }

    private func repetitionFlaw(_ values: [FormValue]) -> AnswerFlaw? {
        guard values.count > 1 else { return nil }
        var seen: Set<[String?]> = []
        for case .coding(let coding) in values {
            let key = [coding.system, coding.code, coding.code == nil ? coding.display : nil]
            guard seen.insert(key).inserted else {
                return AnswerFlaw(
                    .businessRule, "\(item.label) has the same choice twice. Leave one out.", ["rule": "repeated"])
            }
        }
        return nil
    }
}
