import GateModel
import GateScripting
import Testing

@Suite("Reading dialogues")
struct ScriptParserTests {
    @Test("a dialogue has a world, and exchanges of commands and what they print")
    func wholeScript() throws {
        let script = try Script(
            parsing: """
                # A story.
                people mum 7 administrator, kid 8, tv 9 presenter
                seed 42

                challenge arithmetic-entry

                # She forgets something.
                toggle as mum
                answer 1 " 90 "
                ----
                challenge 1: 35 + 55 = ?

                mode
                ----

                """)
        let mum = Person(name: "mum", uid: 7, roles: [.app, .presenter, .grownUpPresenter, .administrator])
        #expect(script.world.people.map(\.name) == ["mum", "kid", "tv"])
        #expect(script.world.people.map(\.roles) == [mum.roles, .app, [.app, .presenter]])
        #expect(script.world.seed == 42)
        #expect(try script.world.configuration.modeChallenge == ChallengeRule(.arithmeticEntry))
        guard case .dialogue(let first) = script.paragraphs[2], case .dialogue(let second) = script.paragraphs[3] else {
            Issue.record("these are no exchanges: \(script.paragraphs)")
            return
        }
        #expect(first.line == 7 && first.commands == [.toggle(mum), .answer(challenge: 1, " 90 ", by: nil)])
        #expect(first.expected == ["challenge 1: 35 + 55 = ?"])
        #expect(second.commands == [.mode] && second.expected.isEmpty)
    }

    @Test("every verb is understood")
    func verbs() throws {
        let people = ScriptWorld.ordinary.people
        let (anna, ben, root) = (people[0], people[1], people[2])
        let verbs: [(String, ScriptCommand)] = [
            ("toggle as anna", .toggle(anna)),
            ("answer 3 b", .answer(challenge: 3, "b", by: nil)),
            ("answer 3 56 as ben", .answer(challenge: 3, "56", by: ben)),
            ("answer 3 fifty six", .answer(challenge: 3, "fifty six", by: nil)),
            ("dismiss 3", .dismiss(challenge: 3)),
            ("hang-up 3", .hangUp(challenge: 3)),
            ("cancel as ben", .cancel(ben)),
            ("lock as ben", .lock(ben)),
            ("extend as anna", .extend(nil, anna)),
            ("extend 5m as anna", .extend(.seconds(300), anna)),
            ("override child because it is late", .override(.child, nil, reason: "it is late", root)),
            ("override parent for 1h as ben because he can", .override(.parent, .seconds(3600), reason: "he can", ben)),
            ("mode", .mode),
            ("advance 1m30s", .advance(.seconds(90))),
            ("restart", .restart),
            ("reboot", .reboot),
            ("audit", .audit),
            ("watch as ben", .watch(ben)),
            ("check link.open as ben", .check("link.open", ben)),
            ("authorize share as ben", .authorize(AuthorizationRequest(gatedAction: "share", details: ""), ben)),
            (
                "authorize share as ben by anna for a b.jpg",
                .authorize(AuthorizationRequest(gatedAction: "share", details: "a b.jpg", redeemer: 1001), ben)
            ),
            ("redeem share as anna for x", .redeem(AuthorizationRequest(gatedAction: "share", details: "x"), anna)),
            ("ask toggle as ben", .ask(.toggle, ben)),
            (
                "ask share as ben for x",
                .ask(.authorize(AuthorizationRequest(gatedAction: "share", details: "x")), ben)
            ),
            ("result as ben", .result(ben)),
            ("present as anna", .present(anna)),
            ("screen as anna", .screen(anna)),
            ("leave as anna", .leave(anna)),
            ("press 3", .press(challenge: 3)),
            ("grants as root", .grants(root)),
            ("revoke share as ben", .revoke("share", ben)),
            ("passcode 2468", .passcode("2468")),
            ("authenticator", .authenticator),
        ]
        for (text, command) in verbs {
            guard case .dialogue(let exchange) = try Script(parsing: "\(text)\n----\n").paragraphs.first else {
                Issue.record("\(text) is no exchange")
                continue
            }
            #expect(exchange.commands == [command], "\(text)")
        }
    }

    @Test(
        "what can't be read is told with its line, and what would be right",
        arguments: [
            ("mode\n----\n\nfly as anna\n----\n", 4, "nothing is called \"fly\"; there are: toggle, answer,"),
            ("toggle as carl\n----\n", 1, "nobody is called \"carl\"; there are: anna, ben, root"),
            ("toggle\n----\n", 1, "\"toggle\" needs \"as\" and a name"),
            ("mode\n----\n\nmode\n", 4, "no line \"----\""),
            ("# only talk\n----\n", 1, "nothing is done above the line \"----\""),
            (
                "sead 5\n", 1,
                "before the first dialogue come people, seed, challenge, policy and questions, not \"sead\""
            ),
            ("# x\nseed five\n", 2, "a seed is a whole number, not \"five\""),
            ("challenge riddle\n", 1, "there are: arithmetic-choice, arithmetic-entry"),
            ("people anna\n", 1, "\"anna\" is nobody"),
            ("people anna 5 queen\n", 1, "a role is administrator, presenter or grown-up-presenter, not \"queen\""),
            ("advance soon\n----\n", 1, "\"advance\" needs a duration such as 90s, 15m or 1h30m"),
            ("answer b\n----\n", 1, "\"answer\" needs the number of a challenge"),
            ("check\n----\n", 1, "\"check\" needs the name of a gated action"),
            ("answer 1\n----\n", 1, "\"answer\" needs the challenge's number and the answer"),
            ("override holiday because sun\n----\n", 1, "\"override\" needs a mode: child or parent"),
            ("override child\n----\n", 1, "\"override\" ends with \"because\" and why"),
            ("mode please\n----\n", 1, "\"please\" is too much after \"mode\""),
            ("people anna 5\n\noverride child because x\n----\n", 3, "nobody in this world is an administrator"),
        ])
    func errors(text: String, line: Int, message: String) {
        let error = #expect(throws: ScriptError.self) { try Script(parsing: text) }
        #expect(error?.line == line)
        #expect(error?.message.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test("a paragraph that is a file is taken as it stands, with its indentation")
    func files() throws {
        let text = "policy\nmode:\n  lease: 5m\n  challenge: totp\n\nmode\n----\nchild\n"
        let script = try Script(parsing: text)
        #expect(script.world.policy == "mode:\n  lease: 5m\n  challenge: totp\n")
        #expect(try script.world.configuration.lease == .seconds(300))
        #expect(script.text == text)
    }

    @Test("a dialogue that goes otherwise than written is told with its line, and what was said instead")
    func difference() throws {
        let script = try Script(parsing: "mode\n----\nchild\n\n# Wrong.\nmode\n----\nparent\n")
        var dialogue = try CoreDialogue(world: script.world)
        let played = try script.played(with: &dialogue)
        let difference = try #require(script.difference(from: played))
        #expect(difference.contains("line 5") && difference.contains("parent") && difference.contains("child"))
        #expect(played.text == "mode\n----\nchild\n\n# Wrong.\nmode\n----\nchild\n")
    }

    @Test("a script that speaks of a question that nobody was asked ends there")
    func unknownChallenge() throws {
        let script = try Script(parsing: "answer 5 1\n----\n")
        var dialogue = try CoreDialogue(world: script.world)
        #expect(throws: UnknownChallenge.self) { try script.played(with: &dialogue) }
    }
}
