import GateModel

extension QuestionnaireItem {
    /// The flaw of a value that is empty, malformed or too long for its type; `nil` if there is none.
    func contentFlaw(of value: FormValue) -> AnswerFlaw? {
        switch value {
        case .string(let text):
            if text.isEmpty { return empty }
            guard text.utf8.count <= FormBounds.textByteCount else { return tooLong }
            // FHIR's strings can't contain other control characters.
            guard text.utf8.allSatisfy({ $0 >= 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }) else {
                return AnswerFlaw(
                    .value, "\(label) has control characters in it. Leave them out.", ["rule": "control-characters"])
            }
            guard kind == .string, text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return nil }
            return AnswerFlaw(.value, "\(label) takes one line. Leave out the line break.", ["rule": "line-break"])
        case .uri(let text):
            if text.isEmpty { return empty }
            guard text.utf8.count <= FormBounds.textByteCount else { return tooLong }
            return AddressText.isAddress(text)
                ? nil
                : AnswerFlaw(
                    .value, "\(label) takes a whole address without spaces, like https://example.org/.",
                    ["type": "url"])
        case .coding(let coding):
            return coding.code == nil && coding.display == nil ? empty : nil
        case .quantity(let quantity):
            if quantity.value == nil {
                return AnswerFlaw(.value, "\(label) needs a number with its unit.", ["type": "quantity"])
            }
            let comparators: Set = ["<", "<=", ">=", ">"]
            return quantity.comparator.map(comparators.contains) ?? true
                ? nil
                : AnswerFlaw(
                    .value, "\(label) may have <, <=, >= or > before its number, or nothing.", ["type": "quantity"])
        case .reference(let reference):
            return referenceFlaw(of: reference)
        case .boolean, .decimal, .integer, .date, .dateTime, .time, .attachment: return nil
        }
    }

    private func referenceFlaw(of reference: FormReference) -> AnswerFlaw? {
        if reference.reference == nil, reference.display == nil { return empty }
        if let text = reference.reference, !AddressText.isReference(text) {
            return AnswerFlaw(
                .value, "\(label) takes a reference, like Patient/17, or a whole address.", ["type": "reference"])
        }
        let types = constraints.referenceTypes
        guard let type = reference.leadsTo, !types.isEmpty, !types.contains(type) else { return nil }
        let list = types.joined(separator: ", ")
        return AnswerFlaw(.value, "\(label) refers to one of these: \(list).", ["resource-types": list])
    }

    private var empty: AnswerFlaw {
        AnswerFlaw(.value, "\(label) has an empty answer. Leave it out instead.", ["rule": "empty"])
    }

    private var tooLong: AnswerFlaw {
        AnswerFlaw(
            .tooLong, "\(label) takes a text of at most 1 MiB.",
            ["maximum": "\(FormBounds.textByteCount)", "unit": "bytes"])
    }
}
