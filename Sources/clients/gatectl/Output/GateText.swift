import GateModel
import GateProtocol
import GateTexts

/// What stands before a gated action, in words.
enum GateText {
    /// What it requires: in English as the daemon says it, in other languages in their own words.
    static func requirement(_ gate: ListedGate) -> String {
        guard Localization.isTranslating, !gate.conditions.isEmpty else { return gate.gatedAction.requirement }
        return RequirementWords(gate.conditions).text()
    }

    static func keep(_ keep: Duration?) -> String {
        keep.map { localized("kept for {duration}", ["duration": DurationWords.short($0)]) } ?? localized("every time")
    }

    /// How likely somebody gets through who should not.
    static func strength(_ strength: GateStrength) -> String {
        guard !strength.isWithoutQuestion else { return localized("nothing to guess") }
        let guessed = localized(
            "guessed in an hour: {odds}", ["odds": OddsWords.chance(Double(strength.guessedPerMillion) / 1_000_000)])
        return strength.programPasses ? ListText.remarks([guessed, localized("a program gets through")]) : guessed
    }

    /// Where the policy says so.
    static func origin(_ origin: PolicyOrigin) -> String {
        switch origin.layer {
        case .choices: localized("chosen on this device")
        case .household: localized("the household's policy")
        case .shipped, .device, .unrecognized: VisibleText.line(origin.description)
        }
    }

    /// The same, after a line.
    static func bracketed(_ origin: PolicyOrigin) -> String { bracketed(self.origin(origin)) }

    static func bracketed(_ text: String) -> String { " [\(text)]" }

    /// What a change has done, or would do.
    static func change(_ response: SetGateResponse, of gatedAction: String, isDone: Bool) -> [String] {
        [
            ListText.pair(gatedAction, isDone ? localized("changed") : localized("nothing was changed")),
            ListText.pair(localized("before"), line(response.before)),
            ListText.pair(isDone ? localized("now") : localized("it would be"), line(response.after)),
        ]
    }

    private static func line(_ gate: ListedGate?) -> String {
        guard let gate else { return localized("denied") }
        let remarks = [
            VisibleText.line(requirement(gate)), keep(gate.gatedAction.keep), gate.strength.map(strength),
            gate.gatedAction.origin.map(origin),
        ]
        return ListText.remarks(remarks.compactMap(\.self))
    }
}
