import GateModel
import GateTexts
import Testing

@Suite("What stands before a gate, in sentences for parents")
struct GateSentencesTests {
    private static func rule(
        _ requirement: Requirement?, keep: Duration? = nil, strength: GateStrength? = nil
    ) -> GateRule {
        GateRule(
            gatedAction: GatedActionSummary(
                name: "calls.video", title: LocalizedText("Call by video"), requirement: "as the daemon says it",
                keep: keep, origin: PolicyOrigin(layer: .choices, file: "choices", line: 1)),
            strength: strength, requirement: requirement)
    }

    private static func proposal(_ before: GateRule?, _ after: GateRule?) -> [String] {
        GateSentences.proposal(ChangedGate(before: before, after: after, revision: nil), visible: { "<\($0)>" })
    }

    @Test("a change is said in sentences that a parent reads, without names of the policy")
    func proposal() {
        let always = GateStrength(guessedPerMillion: 1_000_000, programPasses: true, isWithoutQuestion: false)
        let sum = Requirement.challenge(ChallengeRule(.arithmeticChoice))
        let guessed =
            "Somebody who only guesses always gets through within an hour; so does a program. The passcode is safer."
        #expect(
            Self.proposal(Self.rule(.parentMode, strength: always), Self.rule(sum, strength: always)) == [
                "Now: only in parent mode. \(guessed)",
                "Then: a sum with three answers. Asked every time. \(guessed)",
            ])
        #expect(
            Self.proposal(nil, Self.rule(.any([.parentMode, sum]), keep: .seconds(60))) == [
                "Now: nobody is let through.",
                "Then: parent mode or a sum with three answers. Not asked again for 1 minute.",
            ])
        #expect(
            Self.proposal(Self.rule(.all([.entitlement("premium"), .form("consent")])), Self.rule(nil)) == [
                "Now: somebody has bought <premium> and <consent> is filled in.", "Then: <as the daemon says it>.",
            ])
    }

    @Test(
        "how safe a gate is, is said in whole sentences",
        arguments: [
            (0, false, "Nobody gets through by guessing."),
            (4700, false, "Somebody who only guesses gets through within an hour with a chance of 1 in 210."),
            (
                500_000, true,
                "Somebody who only guesses gets through within an hour with a chance of 50 in 100. "
                    + "A program always gets through."
            ),
            (1_000_000, false, "Somebody who only guesses always gets through within an hour. The passcode is safer."),
        ])
    func strength(perMillion: Int, programPasses: Bool, words: String) {
        func strength(isWithoutQuestion: Bool) -> GateStrength {
            GateStrength(
                guessedPerMillion: perMillion, programPasses: programPasses, isWithoutQuestion: isWithoutQuestion)
        }
        #expect(GateSentences.strength(strength(isWithoutQuestion: false)) == words)
        #expect(GateSentences.strength(strength(isWithoutQuestion: true)) == GateSentences.nothingToGuess)
    }
}
