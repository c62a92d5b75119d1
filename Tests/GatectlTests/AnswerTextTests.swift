import GateModel
import Testing

@testable import gatectl

private let problem = ArithmeticProblem(left: 7, operator: .times, right: 8)
private let choice = Challenge.arithmeticChoice(problem, choices: [54, 56, 63])
private let entry = Challenge.arithmeticEntry(problem)

@Suite("What was typed, as an answer")
struct AnswerTextTests {
    @Test(
        "a letter stands for its choice, everything else for itself",
        arguments: [
            ("a", "54"), ("b", "56"), ("C", "63"), (" b ", "56"), ("56", "56"), (" 56\t", "56"), ("90x", "90x"),
            ("d", "d"), ("ab", "ab"), ("-5", "-5"),
        ])
    func choiceAnswers(line: String, answer: String) {
        #expect(AnswerText.answer(line, to: choice) == answer)
    }

    @Test("where nothing is to choose a letter is no answer of ours", arguments: [("a", "a"), (" 56 ", "56")])
    func entryAnswers(line: String, answer: String) {
        #expect(AnswerText.answer(line, to: entry) == answer)
    }

    @Test("an empty line is no answer", arguments: ["", "   ", "\t", "\u{a0}"])
    func blank(line: String) {
        #expect(AnswerText.answer(line, to: choice) == nil)
        #expect(AnswerText.answer(line, to: entry) == nil)
    }

    @Test("it says what is asked for")
    func request() {
        #expect(AnswerText.request(for: choice) == "a, b or c")
        #expect(AnswerText.request(for: entry) == "your answer")
    }
}
