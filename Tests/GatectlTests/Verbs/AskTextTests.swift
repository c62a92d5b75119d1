import ArgumentParser
import GateClient
import GateModel
import GateTexts
import Testing

@testable import gatectl

@Suite("Questions that wait, as lines on a terminal (W-03, W-04)")
struct AskTextTests {
    private func ask(
        _ state: Ask.State, ends: WallTime? = WallTime(unixMilliseconds: 0), choices: [AskChoice] = [],
        choice: AskChoice? = nil
    ) -> Ask {
        Ask(
            id: 12, uid: 1002, person: "mia", gatedAction: "link.open", titles: "Open a web page",
            details: "https://a.org/x", state: state, ends: ends, choices: choices, choice: choice)
    }

    @Test("a question that waits says what may be chosen, with the words that `gatectl allow` takes")
    func waiting() {
        let time = WallTimeText.local(WallTime(unixMilliseconds: 0))
        let text = AskText.state(ask(.waiting, choices: [.once, .thisSite, .time(.seconds(1800))]))
        #expect(text == "waits until \(time); choices: once this-site 30m")
        #expect(AskText.state(ask(.waiting)) == "waits until \(time)")
        #expect(
            AskText.columns(ask(.refused)) == [
                "12", "mia", "Open a web page", "https://a.org/x", "refused; can be asked again from \(time)",
            ])
    }

    @Test("a question of another device names it, and an action without a title is called by its name")
    func elsewhere() {
        var elsewhere = ask(.waiting)
        elsewhere.device = "Mia's  tablet"
        elsewhere.titles = ""
        #expect(AskText.columns(elsewhere).prefix(3) == ["12", "mia (Mia's<2 spaces>tablet)", "link.open"])
        #expect(AskText.words(elsewhere) == "mia (Mia's<2 spaces>tablet): link.open, https://a.org/x")
    }

    @Test("times are those of the device's clock, in whole minutes")
    func times() throws {
        let evening = try WallTimeText.parse("2027-01-31T18:30:00Z").unixMilliseconds
        let offset = WallTime(unixMilliseconds: evening).secondsEastOfUTC
        let text = WallTimeText.local(WallTime(unixMilliseconds: evening - Int64(offset) * 1000 + 59_999))
        #expect(text == "2027-01-31 18:30")
    }

    @Test("what was allowed says how much, for which site, and until when")
    func allowed() {
        let time = WallTimeText.local(WallTime(unixMilliseconds: 0))
        #expect(AskText.state(ask(.allowed, choice: .once)) == "allowed once, until \(time)")
        #expect(AskText.state(ask(.allowed, choice: .today)) == "allowed today, until \(time)")
        #expect(
            AskText.state(ask(.allowed, choice: .time(.seconds(5400))))
                == "allowed for 1 hour 30 minutes, until \(time)")
        #expect(AskText.state(ask(.allowed, ends: nil, choice: .always)) == "allowed always")
        #expect(AskText.state(ask(.allowed, ends: nil, choice: .thisSite)) == "always allowed on https://a.org")
        for choice in [AskChoice.unrecognized, nil] {
            #expect(AskText.state(ask(.allowed, choice: choice)) == "allowed, until \(time)")
        }
    }

    @Test("\"not until tomorrow\" and an answer that another device has not taken are said in words (W-03, W-07)")
    func refused() throws {
        let time = WallTimeText.local(WallTime(unixMilliseconds: 0))
        var refused = ask(.refused)
        refused.isUntilTomorrow = true
        #expect(AskText.state(refused) == "not until tomorrow, \(time)")
        var closed = ask(.closed)
        closed.refusal = "It was answered.\u{1b}[2J"
        #expect(AskText.state(closed).hasPrefix("over; your answer did not count: It was answered."))
        #expect(!AskText.state(closed).contains("\u{1b}"))
        var waiting = ask(.waiting, choices: [.once])
        waiting.refusal = "It offers these: once."
        #expect(
            AskText.state(waiting)
                == "waits until \(time); choices: once; your answer did not count: It offers these: once.")
        #expect(try #require(Gatectl.parseAsRoot(["refuse", "12"]) as? RefuseVerb).untilTomorrow == false)
        #expect(try #require(Gatectl.parseAsRoot(["refuse", "12", "--until-tomorrow"]) as? RefuseVerb).untilTomorrow)
    }

    @Test("a yes says that any program of the user can make use of it")
    func reach() {
        #expect(AskChoiceWords.reach("mia") == "Any program that mia runs can use it.")
        let choices = AskChoice.named + [.time(.seconds(1800))]
        #expect(
            choices.map(AskChoiceWords.label) == ["Once", "Today", "Always", "Always on this site", "For 30 minutes"])
    }

    @Test("the choice is read as the policy writes it")
    func parsing() throws {
        for (word, choice) in [
            ("once", .once), ("today", .today), ("always", .always), ("this-site", .thisSite),
            ("30m", .time(.seconds(1800))), ("1h30m", .time(.seconds(5400))),
        ] as [(String, AskChoice)] {
            #expect(try #require(Gatectl.parseAsRoot(["allow", "12", word]) as? AllowVerb).choice == choice)
        }
        #expect(try #require(Gatectl.parseAsRoot(["allow", "12"]) as? AllowVerb).choice == nil)
        for words in [["allow", "12", "ever"], ["allow", "12", "once", "today"], ["refuse", "12", "once"]] {
            #expect(throws: (any Error).self) { try Gatectl.parseAsRoot(words) }
        }
    }
}
