import GatePolicy
import Testing

@Suite("Mistakes in question banks")
struct QuestionBankTests {
    private static let good = "en: {question: Q, right: R, wrong: [a, b, c]}"

    @Test(
        "a question without an id, a text, a right answer or three wrong ones in each language is refused",
        arguments: [
            ("{\(good)}", "2:3: A question needs 'id'."),
            (
                "{id: Water, \(good)}",
                "2:8: 'id' is a lower-case word of letters, digits and hyphens, like water-boils, not 'Water'."
            ),
            ("{id: a}", "2:3: The question has no text. Give it one for each language, under 'en', 'de' and so on."),
            ("{id: a, english: {}, \(good)}", "2:11: 'english' is no key of a question. There are: id, difficulty."),
            (
                "{id: a, dificulty: easy, \(good)}",
                "2:11: 'dificulty' is no key of a question. Did you mean 'difficulty'? There are: id, difficulty."
            ),
            ("{id: a, difficulty: 3, \(good)}", "2:23: '3' is no difficulty. There are: easy, medium, hard."),
            ("{id: a, en: {right: R, wrong: [a, b, c]}}", "2:15: The text in 'en' needs 'question'."),
            ("{id: a, en: {question: Q, wrong: [a, b, c]}}", "2:15: The text in 'en' needs 'right'."),
            ("{id: a, en: {question: Q, right: R}}", "2:15: The text in 'en' needs 'wrong'."),
            (
                "{id: a, en: {question: Q, right: R, wrong: [a, b]}}",
                "2:46: 'wrong' is a list of 3 wrong answers, not 2."
            ),
            ("{id: a, en: {question: Q, right: R, wrong: a}}", "2:46: 'wrong' is a list of 3 wrong answers, not 'a'."),
            (
                "{id: a, en: {question: Q, right: R, wrong: [a, R, c]}}",
                "2:50: 'R' is among the answers twice. Change one of them."
            ),
            (
                "{id: a, en: {question: Q, right: R, wrong: [a, b, a]}}",
                "2:53: 'a' is among the answers twice. Change one of them."
            ),
            ("a", "2:3: Write the keys of a question here (id, difficulty), not 'a'."),
        ])
    func questions(question: String, problem: String) {
        #expect(PolicyReader.problems("questions:\n- \(question)\n") == [problem])
    }

    @Test("an id that a second question has is refused, also in another file")
    func duplicates() {
        let first = PolicySource(name: "questions.d/a.yaml", text: "questions: [{id: a, \(Self.good)}]")
        let second = PolicySource(name: "questions.d/b.yaml", text: "questions: [{id: a, \(Self.good)}]")
        let error = #expect(throws: PolicyError.self) { try PolicyReader.read([first, second]) }
        #expect(
            error?.description
                == "questions.d/b.yaml:1:18: There is a question 'a' already: questions.d/a.yaml:1. Give this one another id."
        )
    }

    @Test("a question that lacks a language of others in its file is refused")
    func languages() {
        #expect(
            PolicyReader.problems(
                """
                questions:
                - {id: a, \(Self.good), de: {question: F, right: R, wrong: [a, b, c]}}
                - {id: b, \(Self.good)}
                """) == ["3:3: The question 'b' is missing in de, although others of this file have it. Add it."])
    }
}
