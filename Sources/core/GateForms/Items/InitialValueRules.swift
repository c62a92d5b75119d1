import GateModel

/// Checks initial values and options by the same rules as answers. An initial value that is no valid answer would be
/// dropped silently when the form is opened.
extension QuestionnaireItem {
    func mistake(inInitial value: FormValue) -> String? {
        value.contentMistake ?? writingMistake(in: value) ?? offerMistake(in: value) ?? limitMistake(in: value)
            ?? textMistake(in: value)
    }

    func mistake(inAllInitial values: [FormValue]) -> String? {
        guard values.count > 1 else { return nil }
        if options.contains(where: { option in option.isExclusive && values.contains { $0.isSame(as: option.value) } })
        {
            return "An exclusive option is among several initial values. Let it be the only one."
        }
        var seen: Set<FormValue> = []
        for case .coding(let coding) in values where !seen.insert(FormValue.coding(coding).key).inserted {
            return "The same initial value is there twice. Keep one of them."
        }
        return nil
    }

    private func writingMistake(in value: FormValue) -> String? {
        switch value {
        case .string(let text) where kind == .string && text.utf8.contains { $0 == 0x0A || $0 == 0x0D }:
            return "A string is one line. Make it a text, or leave out the line break."
        case .uri(let text) where !AddressText.isAddress(text):
            return "The initial value is no whole address, like https://example.org/."
        case .reference(let reference):
            if let text = reference.reference, !AddressText.isReference(text) {
                return "The initial value is no reference, like Patient/17."
            }
            guard let type = reference.leadsTo, !constraints.referenceTypes.isEmpty else { return nil }
            return constraints.referenceTypes.contains(type)
                ? nil
                : "The initial value refers to another type of resource than 'questionnaire-referenceResource' allows."
        case .boolean, .decimal, .integer, .date, .dateTime, .time, .string, .uri, .coding, .quantity, .attachment:
            return nil
        }
    }

    private func offerMistake(in value: FormValue) -> String? {
        if case .quantity(let quantity) = value {
            return constraints.units.isEmpty || constraints.units.contains(where: quantity.isIn)
                ? nil : "The unit of the initial value is not one of those that are offered."
        }
        guard kind == .choice || kind == .openChoice else { return nil }
        if kind == .openChoice, value.fhirElement == "valueString" { return nil }
        guard options.isEmpty else {
            return options.contains { $0.value.isSame(as: value) }
                ? nil : "The initial value is not one of those that are offered."
        }
        return nil
    }

    private func limitMistake(in value: FormValue) -> String? {
        if let least = constraints.minimum, let order = value.compare(least), order < 0 {
            return "The initial value is less than 'minValue'."
        }
        if let most = constraints.maximum, let order = value.compare(most), order > 0 {
            return "The initial value is more than 'maxValue'."
        }
        if let most = constraints.maximumDecimalPlaces, let places = value.decimalPlaces, places > most {
            return "The initial value has more digits after the decimal point than 'maxDecimalPlaces' allows."
        }
        return nil
    }

    private func textMistake(in value: FormValue) -> String? {
        guard let text = value.lexicalText else { return nil }
        let length = text.unicodeScalars.count
        if let least = constraints.minimumLength, length < least {
            return "The initial value is shorter than 'minLength'."
        }
        if let most = constraints.maximumLength, length > most {
            return "The initial value is longer than 'maxLength'."
        }
        if let mask = constraints.textMask, !mask.matches(text) {
            return "The initial value does not fit the 'mask'. Write it whole, like \(mask.picture)."
        }
        guard let pattern = constraints.textPattern else { return nil }
        guard length <= pattern.maximumTextLength else {
            return "With this 'regex', a value has at most \(pattern.maximumTextLength) characters. Shorten it."
        }
        return pattern.matches(text) ? nil : "The initial value does not match the regular expression."
    }
}

extension FormValue {
    /// Why a value can't be kept, whatever it answers: it says nothing, or is too long. `nil` if it can.
    var contentMistake: String? {
        switch self {
        case .string(let text), .uri(let text):
            return text.utf8.count <= FormsLimits.textBytes
                ? nil : "A value has at most \(FormsLimits.textBytes >> 20) MiB. Shorten it."
        case .coding(let coding):
            return coding.code == nil && coding.display == nil
                ? "A coding to choose needs a 'code' or a 'display'. Add one." : nil
        case .reference(let reference):
            return reference.reference == nil && reference.display == nil
                ? "A reference needs its target, as 'reference', or what people read, as 'display'. Add one." : nil
        case .quantity(let quantity): return quantity.value == nil ? "A quantity needs a 'value'. Add it." : nil
        case .boolean, .decimal, .integer, .date, .dateTime, .time, .attachment: return nil
        }
    }

    /// What tells options apart: for a coding its system and code, or its display if it has no code.
    var key: FormValue {
        guard case .coding(let coding) = self else { return self }
        return .coding(
            FormCoding(system: coding.system, code: coding.code, display: coding.code == nil ? coding.display : nil))
    }

    fileprivate var decimalPlaces: Int? {
        switch self {
        case .decimal(let number): number.decimalPlaces
        case .quantity(let quantity): quantity.value?.decimalPlaces
        case .boolean, .integer, .date, .dateTime, .time, .string, .uri, .coding, .reference, .attachment: nil
        }
    }
}

extension FormQuantity {
    /// Whether this unit is the offered one, by its code and system, or by its text if it has no code.
    fileprivate func isIn(_ offered: FormCoding) -> Bool {
        if let code { return code == offered.code && system == offered.system }
        return unit != nil && (unit == offered.display || unit == offered.code)
    }
}
