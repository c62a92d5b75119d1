import GateExpressions
import GateModel

extension QuestionnaireItem {
    /// The flaw of a text that violates its question's mask, length (in Unicode scalars) or pattern; `nil` if there is
    /// none. For a number or a date, its written form counts.
    func textFlaw(of value: FormValue) -> AnswerFlaw? {
        guard let text = value.lexicalText else { return nil }
        // Checked first, because a mask also determines the length.
        if let mask = constraints.textMask, case .string = value, !mask.matches(text) {
            let example = constraints.entryFormat ?? mask.picture
            return AnswerFlaw(
                .value, "\(label) is not written as it should be. Write it like \(example).",
                ["mask": mask.source, "example": example])
        }
        if let maximum = constraints.maximumLength, text.unicodeScalars.count > maximum {
            return AnswerFlaw(
                .tooLong, "\(label) takes at most \(maximum.times("character")).",
                ["maximum": "\(maximum)", "unit": "characters"])
        }
        if let minimum = constraints.minimumLength, text.unicodeScalars.count < minimum {
            return AnswerFlaw(
                .value, "\(label) takes at least \(minimum.times("character")).",
                ["minimum": "\(minimum)", "unit": "characters"])
        }
        // Matching takes time in proportion to text length times pattern size. So a pattern limits the length.
        if let pattern = constraints.textPattern, text.unicodeScalars.count > pattern.maximumTextLength {
            let maximum = pattern.maximumTextLength
            return AnswerFlaw(
                .tooLong, "\(label) takes at most \(maximum.times("character")).",
                ["maximum": "\(maximum)", "unit": "characters"])
        }
        if let pattern = constraints.textPattern, !pattern.matches(text) {
            let hint = constraints.entryFormat.map { "Write it like \($0)." } ?? "It has to match \(pattern.source)."
            let parameters = ["pattern": pattern.source, "example": constraints.entryFormat].compactMapValues(\.self)
            return AnswerFlaw(.value, "\(label) is not written as it should be. \(hint)", parameters)
        }
        return nil
    }

    /// The flaw of a value that is certainly outside the limits or has too many decimal places; `nil` if there is none,
    /// or if the value is not exact enough to tell.
    func limitFlaw(of value: FormValue) -> AnswerFlaw? {
        for limit in [constraints.minimum, constraints.maximum] {
            if let limit, let flaw = unitFlaw(of: value, by: limit) { return flaw }
        }
        if let minimum = constraints.minimum, let order = value.order(by: minimum), order < 0 {
            return .tooSmall(label, minimum.displayText)
        }
        if let maximum = constraints.maximum, let order = value.order(by: maximum), order > 0 {
            return .tooLarge(label, maximum.displayText)
        }
        if let maximum = constraints.maximumDecimalPlaces, let places = value.decimalPlaces, places > maximum {
            return AnswerFlaw(
                .value, "\(label) takes at most \(maximum.times("digit")) after the decimal point.",
                ["maximum-decimal-places": "\(maximum)"])
        }
        return nil
    }
}

extension QuestionnaireItem {
    /// A quantity whose unit can't be compared with the limit's unit would escape the limit, so that is a flaw.
    private func unitFlaw(of value: FormValue, by limit: FormValue) -> AnswerFlaw? {
        guard case .quantity(let quantity) = value, case .quantity(let limit) = limit, quantity.value != nil,
            !quantity.hasComparableUnit(to: limit)
        else { return nil }
        let unit = limit.unit ?? limit.code ?? ""
        let advice = unit.isEmpty ? "Give a number without a unit." : "Give it in \(unit)."
        return AnswerFlaw(
            .value, "The unit of \(label) can't be compared with that of its limit. \(advice)",
            unit.isEmpty ? [:] : ["units": unit])
    }
}

extension AnswerFlaw {
    static func tooSmall(_ label: String, _ least: String) -> AnswerFlaw {
        AnswerFlaw(.value, "\(label) has to be at least \(least).", ["minimum": least])
    }

    static func tooLarge(_ label: String, _ most: String) -> AnswerFlaw {
        AnswerFlaw(.value, "\(label) has to be at most \(most).", ["maximum": most])
    }
}

extension FormValue {
    fileprivate var decimalPlaces: Int? {
        switch self {
        case .decimal(let number): number.decimalPlaces
        case .quantity(let quantity): quantity.value?.decimalPlaces
        case .boolean, .integer, .date, .dateTime, .time, .string, .uri, .coding, .reference, .attachment: nil
        }
    }
}
