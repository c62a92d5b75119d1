import GateModel

extension QuestionnaireItem {
    /// Whether the value says anything, as its type has to.
    func contentFlaw(of value: FormValue) -> AnswerFlaw? {
        switch value {
        case .string(let text):
            if text.isEmpty { return empty }
            guard text.utf8.count <= FormBounds.textByteCount else { return tooLong }
            // FHIR's string has no other control characters.
            return text.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
                ? nil
                : AnswerFlaw(
                    .value, "\(label) has control characters in it. Leave them out.", ["rule": "control-characters"])
        case .uri(let text):
            if text.isEmpty { return empty }
            guard text.utf8.count <= FormBounds.textByteCount else { return tooLong }
            return text.unicodeScalars.contains(where: \.properties.isWhitespace)
                ? AnswerFlaw(.value, "\(label) takes a web address, which has no spaces in it.", ["type": "url"]) : nil
        case .coding(let coding):
            return coding.code == nil && coding.display == nil ? empty : nil
        case .quantity(let quantity):
            if quantity.value == nil {
                return AnswerFlaw(.value, "\(label) needs a number with its unit.", ["type": "quantity"])
            }
            let comparators: Set = ["<", "<=", ">=", ">"]
            return quantity.comparator.map(comparators.contains) ?? true
                ? nil
                : AnswerFlaw(.value, "\(label) is compared by <, <=, >= or >, or by nothing.", ["type": "quantity"])
        case .reference(let reference):
            return reference.reference == nil && reference.display == nil ? empty : nil
        case .boolean, .decimal, .integer, .date, .dateTime, .time, .attachment: return nil
        }
    }

    private var empty: AnswerFlaw {
        AnswerFlaw(.value, "\(label) has an answer that says nothing. Leave it out instead.", ["rule": "empty"])
    }

    private var tooLong: AnswerFlaw {
        AnswerFlaw(
            .tooLong, "\(label) takes a text of at most 1 MiB.",
            ["maximum": "\(FormBounds.textByteCount)", "unit": "bytes"])
    }
}
