import GateScripting
import Testing

@Suite("A script that is played")
struct PlayedScriptTests {
    @Test("a script that is played differently than written reports the line and what was printed instead")
    func difference() throws {
        let script = try Script(parsing: "mode\n----\nchild\n\n# Wrong.\nmode\n----\nparent\n")
        var dialogue = try CoreDialogue(world: script.world)
        let played = try script.played(with: &dialogue)
        let difference = try #require(script.difference(from: played))
        #expect(difference.contains("line 5") && difference.contains("parent") && difference.contains("child"))
        #expect(played.text == "mode\n----\nchild\n\n# Wrong.\nmode\n----\nchild\n")
    }

    @Test("a script that names a question that was never asked stops there")
    func unknownChallenge() throws {
        let script = try Script(parsing: "answer 5 1\n----\n")
        var dialogue = try CoreDialogue(world: script.world)
        #expect(throws: UnknownChallenge.self) { try script.played(with: &dialogue) }
    }

    @Test("a script whose question two screens could get stops there, because with real programs chance would decide")
    func contestedPresentation() throws {
        let script = try Script(
            parsing: """
                people ben 1002, mara 1003 presenter, theo 1004 presenter, root 0 administrator

                policy
                mode: {challenge: arithmetic-choice}

                present as mara
                present as theo
                ask toggle as ben
                ----

                """)
        var dialogue = try CoreDialogue(world: script.world)
        #expect(throws: ContestedPresentation(id: 1, presenters: ["mara", "theo"])) {
            try script.played(with: &dialogue)
        }
    }
}
