import GateModel

extension QuestionnaireItem {
    /// The length of a text, in Unicode scalars, and its pattern (F-43). Of a number or a date: of how it is written.
    func textFlaw(of value: FormValue) -> AnswerFlaw? {
        guard let text = value.lexicalText else { return nil }
        if let maximum = constraints.maximumLength, text.unicodeScalars.count > maximum {
            return AnswerFlaw(
                .tooLong, "\(label) takes at most \(maximum.times("character")).", ["maximum": "\(maximum)"])
        }
        if let minimum = constraints.minimumLength, text.unicodeScalars.count < minimum {
            return AnswerFlaw(
                .value, "\(label) takes at least \(minimum.times("character")).", ["minimum": "\(minimum)"])
        }
        // Matching takes as long as the text is long, times what the pattern has: nobody is kept waiting for that.
        if let pattern = constraints.textPattern, text.unicodeScalars.count > pattern.maximumTextLength {
            let maximum = pattern.maximumTextLength
            return AnswerFlaw(
                .tooLong, "\(label) takes at most \(maximum.times("character")).", ["maximum": "\(maximum)"])
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
        if let minimum = constraints.minimum, let order = value.compare(minimum), order < 0 {
            return .tooSmall(label, minimum.displayText)
        }
        if let maximum = constraints.maximum, let order = value.compare(maximum), order > 0 {
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
