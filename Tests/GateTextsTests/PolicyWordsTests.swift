import GateModel
import Testing

@testable import GateTexts

@Suite("A policy and lists in words")
struct PolicyWordsTests {
    @Test("a requirement is written in one line, with brackets where it would be ambiguous")
    func requirement() {
        let ages: RequirementWords = .challenge([
            ChallengeForAge(fromAge: 0, challenge: .quiz, isForGrownUps: false),
            ChallengeForAge(fromAge: 12, challenge: .passcode, isForGrownUps: true),
        ])
        #expect(
            RequirementWords.any([.parentMode, ages, .all([.signedIn, .entitlement("premium"), .form("consent")])])
                .text()
                == "parent mode, (quiz; from 12 years: passcode (answered on a grown-up's screen)) or "
                + "(somebody is signed in, somebody has bought premium and consent is filled in)")
        #expect(RequirementWords(.parentMode).text() == "parent mode")
    }

    @Test("the hours of a schedule are told by weekdays (Z-01)")
    func schedule() {
        let (day, night) = (Schedule.Span(540, 720), Schedule.Span(1200, 1500))
        let schedule = Schedule("s", days: [[day], [day], [day], [], [night], [day, night], [day, night]])
        let words = RequirementWords(.during(schedule))
        #expect(
            words.text()
                == "Monday to Wednesday 9:00–12:00; Friday 20:00–1:00; Saturday, Sunday 9:00–12:00, 20:00–1:00")
        let short = RequirementWords(.during(Schedule("s", days: [[day], [], [day], [], [], [], []])))
        #expect(short.text() == "Monday, Wednesday 9:00–12:00")
        #expect(RequirementWords.all([words, .parentMode]).text() == "(\(words.text())) and parent mode")
        #expect(RequirementWords.any([short, .parentMode]).text() == "Monday, Wednesday 9:00–12:00 or parent mode")
        #expect(ScheduleWords.text(Schedule("s")) == "at no time")
        #expect(
            ScheduleWords.text(Schedule("s", days: Array(repeating: [day], count: 7))) == "Monday to Sunday 9:00–12:00")
    }

    @Test("the time of an allowance is told by weekdays and week (Z-02)")
    func allowance() {
        let games = Allowance(
            "games", secondsOfDays: [3600, 3600, 3600, 3600, 3600, 7200, 7200], secondsOfWeek: 25_200)
        let words = RequirementWords(.allowance(games))
        #expect(words.text() == "time is left (Monday to Friday 1h; Saturday, Sunday 2h; 7h a week)")
        #expect(RequirementWords.any([.parentMode, words]).text() == "parent mode or \(words.text())")
        #expect(RequirementWords(.allowance(Allowance("none"))).text() == "at no time")
    }

    @Test("a refusal says when there is more time (Z-02)")
    func usedUp() {
        func sentence(_ parameters: [String: String]) -> String {
            ScheduleWords.closed(parameters.merging(["allowance": "games"]) { first, _ in first })
        }
        #expect(
            sentence(["day": "monday", "time": "4:00"]) == "The time for this is used up. There is more Monday at 4:00."
        )
        #expect(sentence([:]) == "There is no time for this, and none within two weeks.")
        // Where the person can ask for more, it says how (Z-04).
        #expect(
            sentence(["more-time": "15m today", "gated-action": "game.play"])
                == "There is no time for this, and none within two weeks. "
                + "Ask for more time: `gatectl more-time game.play`.")
        #expect(
            sentence(["day": "monday", "time": "4:00", "elsewhere": "2400000", "devices": "Tablet, Television"])
                == "The time for this is used up, 40 minutes of it on Tablet, Television. There is more Monday at 4:00."
        )
        #expect(
            sentence(["day": "monday", "time": "4:00", "elsewhere": "x"])
                == "The time for this is used up. There is more Monday at 4:00.")
    }

    @Test("a list has the separators of the language, and a single item has none")
    func lists() {
        #expect(ListText.alternatives(["a", "b", "c"]) == "a, b or c")
        #expect(ListText.together(["a", "b"]) == "a and b")
        #expect(ListText.alternatives(["a"]) == "a" && ListText.together([]).isEmpty)
        #expect(ListText.remarks(["at least 4 characters", "in kg"]) == "at least 4 characters; in kg")
        #expect(ListText.facts(["a child", "11 years old"]) == "a child, 11 years old")
        #expect(ListText.pair("a", "b") == "a: b" && ListText.noted("a", "b") == "a (b)")
    }
}
