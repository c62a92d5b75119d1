import GateModel
import GateTexts
import Testing

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
                + "(somebody is signed in, premium is paid for and consent is filled in)")
        #expect(RequirementWords(.parentMode).text() == "parent mode")
    }

    @Test("a list has the separators of the language, and a single item has none")
    func lists() {
        #expect(ListText.alternatives(["a", "b", "c"]) == "a, b or c")
        #expect(ListText.together(["a", "b"]) == "a and b")
        #expect(ListText.alternatives(["a"]) == "a" && ListText.together([]).isEmpty)
        #expect(ListText.remarks(["at least 4 characters", "in kg"]) == "at least 4 characters; in kg")
        #expect(ListText.pair("a", "b") == "a: b" && ListText.noted("a", "b") == "a (b)")
    }
}
