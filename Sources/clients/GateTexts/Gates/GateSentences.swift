package import GateModel

/// What stands before a gated action, in sentences for parents. `GateWords` has shorter words, for lists.
package enum GateSentences {
    /// What a requirement asks, as a part of a sentence: `only in parent mode`, `a sum with three answers`.
    package static func asked(_ requirement: Requirement, _ names: RequirementWords.Names) -> String {
        requirement == .parentMode ? localized("only in parent mode") : RequirementWords(requirement).text(names)
    }

    package static func notAskedAgain(_ keep: Duration) -> String {
        localized("Not asked again for {time}.", ["time": DurationWords.text(keep)])
    }

    /// How likely somebody gets through who should not.
    package static func strength(_ strength: GateStrength) -> String {
        guard !strength.isWithoutQuestion else { return nothingToGuess }
        let guessed: String
        switch OddsWords.Chance(strength.guessed) {
        case .never: guessed = localized("Nobody gets through by guessing.")
        case .always where strength.programPasses:
            return ListText.sentences([
                localized("Somebody who only guesses always gets through within an hour; so does a program."),
                passcodeIsSafer,
            ])
        case .always:
            let always = localized("Somebody who only guesses always gets through within an hour.")
            return ListText.sentences([always, passcodeIsSafer])
        case .oneIn, .inHundred:
            guessed = localized(
                "Somebody who only guesses gets through within an hour with a chance of {odds}.",
                ["odds": OddsWords.chance(strength.guessed)])
        }
        guard strength.programPasses else { return guessed }
        return ListText.sentences([guessed, localized("A program always gets through.")])
    }

    /// What to do about a question that is always guessed.
    package static var passcodeIsSafer: String { localized("The passcode is safer.") }

    package static var nothingToGuess: String {
        localized(
            "There is nothing to guess: anyone who is signed in, has paid or comes at the right time gets through without a question."
        )
    }

    /// What a change would do, before it is agreed to: what stands before the action now, and what would stand there.
    ///
    /// - Parameters:
    ///   - visible: makes other people's words harmless for the place where they are shown.
    ///   - short: shorter words for a requirement; if it returns `nil`, the usual words are said.
    package static func proposal(
        _ changed: ChangedGate, visible: @escaping (String) -> String, short: (Requirement) -> String? = { _ in nil }
    ) -> [String] {
        [
            sentences(localized("Now: {text}.", ["text": asked(changed.before, visible, short)]), changed.before),
            sentences(localized("Then: {text}.", ["text": asked(changed.after, visible, short)]), changed.after),
        ]
    }

    private static func asked(
        _ rule: GateRule?, _ visible: @escaping (String) -> String, _ short: (Requirement) -> String?
    ) -> String {
        guard let rule else { return localized("nobody is let through") }
        guard let requirement = rule.requirement else { return GateWords.requirement(rule, visible: visible) }
        if let words = short(requirement) { return words }
        return asked(
            requirement,
            RequirementWords.Names(question: ChallengeWords.inSentence, entitlement: visible, form: visible))
    }

    private static func sentences(_ asked: String, _ rule: GateRule?) -> String {
        ListText.sentences([asked, rule.flatMap(again), rule?.strength.map(strength)].compactMap(\.self))
    }

    /// Whether it is asked again; `nil` if nothing is asked.
    private static func again(_ rule: GateRule) -> String? {
        if let keep = rule.gatedAction.keep { return notAskedAgain(keep) }
        return rule.requirement?.hasQuestion == true ? localized("Asked every time.") : nil
    }
}

extension Requirement {
    /// Whether a part of it is a question.
    fileprivate var hasQuestion: Bool {
        conditions.contains { if case .challenge = $0 { true } else { false } }
    }
}
