import GateModel

extension QuestionnaireItem {
    /// The most answers of a question.
    var maximumAnswerCount: Int { repeats ? min(constraints.maximumOccurs ?? .max, FormBounds.answers) : 1 }

    /// The most instances of a group.
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
