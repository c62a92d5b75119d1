import GateExpressions
import GateModel

extension QuestionnaireItem {
    /// The mask of a text (F-77), its length, in Unicode scalars, and its pattern (F-43). Of a number or a date: of how it is written.
    func textFlaw(of value: FormValue) -> AnswerFlaw? {
        guard let text = value.lexicalText else { return nil }
        // It says of what length the text is, too.
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
        // Matching takes as long as the text is long, times what the pattern has: nobody is kept waiting for that.
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

    /// A value that is certainly outside violates a limit; of one that is not known exactly that can't be said (F-43).
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
                .value, "\(label) takes at most \(maximum.times("digit")) behind the point.",
                ["maximum-decimal-places": "\(maximum)"])
        }
        return nil
    }
}

extension QuestionnaireItem {
    /// A quantity whose unit can't be held against that of a limit could be anything.
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
        AnswerFlaw(.value, "\(label) is \(least) at the least.", ["minimum": least])
    }

    static func tooLarge(_ label: String, _ most: String) -> AnswerFlaw {
        AnswerFlaw(.value, "\(label) is \(most) at the most.", ["maximum": most])
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
