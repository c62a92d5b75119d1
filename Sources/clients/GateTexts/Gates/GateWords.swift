package import GateModel

/// What stands before a gated action, in words: for lists, and for the people who change it.
package enum GateWords {
    /// What the gated action requires: in English as the daemon words it, in other languages as Gate's catalogues do.
    ///
    /// - Parameter visible: makes other people's words harmless for the place where they are shown.
    package static func requirement(_ rule: GateRule, visible: @escaping (String) -> String = { $0 }) -> String {
        guard Localization.isTranslating, let requirement = rule.requirement else {
            return visible(rule.gatedAction.requirement)
        }
        return RequirementWords(requirement).text(visible: visible)
    }

    package static func keep(_ keep: Duration?) -> String {
        keep.map { localized("kept for {duration}", ["duration": DurationWords.short($0)]) } ?? localized("every time")
    }

    /// How much more time can be asked for; `nil` if none can.
    package static func moreTime(_ amounts: [AskChoice]) -> String? {
        guard !amounts.isEmpty else { return nil }
        let words = amounts.map { amount in
            switch amount {
            case .time(let duration): DurationWords.short(duration)
            case .today: localized("today")
            case .once, .always, .thisSite, .unrecognized: AskChoiceWords.label(amount)
            }
        }
        return localized("more time: {amounts}", ["amounts": ListText.things(words)])
    }

    /// How likely a person or a program gets through that should not.
    package static func strength(_ strength: GateStrength) -> String {
        guard !strength.isWithoutQuestion else { return localized("nothing to guess") }
        let guessed = localized("guessed in an hour: {odds}", ["odds": OddsWords.chance(strength.guessed)])
        return strength.programPasses ? ListText.remarks([guessed, localized("a program gets through")]) : guessed
    }

    /// Which part of the policy says what the gated action requires.
    package static func origin(_ origin: PolicyOrigin, visible: @escaping (String) -> String = { $0 }) -> String {
        switch origin.layer {
        case .choices: localized("chosen on this device")
        case .household: localized("the household's policy")
        case .shipped, .device, .unrecognized: visible(origin.description)
        }
    }

    /// What a change has done, or would do: what was changed, what stood before the action, and what stands there now.
    package static func change(
        _ changed: ChangedGate, of gatedAction: String, isDone: Bool, visible: @escaping (String) -> String = { $0 }
    ) -> [String] {
        [
            ListText.pair(gatedAction, isDone ? localized("changed") : localized("nothing was changed")),
            ListText.pair(localized("before"), line(changed.before, visible)),
            ListText.pair(isDone ? localized("now") : localized("it would be"), line(changed.after, visible)),
        ]
    }

    private static func line(_ rule: GateRule?, _ visible: @escaping (String) -> String) -> String {
        guard let rule else { return localized("denied") }
        let remarks = [
            requirement(rule, visible: visible), keep(rule.gatedAction.keep), moreTime(rule.gatedAction.moreTime),
            rule.strength.map(strength), rule.gatedAction.origin.map { origin($0, visible: visible) },
        ]
        return ListText.remarks(remarks.compactMap(\.self))
    }
}

extension GateStrength {
    /// How likely somebody who only guesses gets through within an hour, from 0 to 1.
    package var guessed: Double { Double(guessedPerMillion) / 1_000_000 }
}
