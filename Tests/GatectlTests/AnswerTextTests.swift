import GateModel
import Testing

@testable import gatectl

private let problem = ArithmeticProblem(left: 7, operator: .times, right: 8)
private let choice = Challenge.arithmeticChoice(problem, choices: [54, 56, 63])
private let entry = Challenge.arithmeticEntry(problem)
private let quiz = Challenge.quiz([
    QuizText(language: "de", question: "Was?", choices: ["Rot", "Blau", "Grün", "Gelb"]),
    QuizText(language: "en", question: "What?", choices: ["Red", "Blue", "Green", "Yellow"]),
])

private func input(_ line: String, to challenge: Challenge, isPressed: Bool = false) -> PersonInput? {
    AnswerText.input(GateSecret(line.utf8), to: challenge, isPressed: isPressed)
}

@Suite("Reading a typed line as an answer")
struct AnswerTextTests {
    @Test(
        "a letter chooses its choice, and any other text is the answer itself",
        arguments: [
            ("a", "54"), ("b", "56"), ("C", "63"), (" b ", "56"), ("56", "56"), (" 56\t", "56"), ("90x", "90x"),
            ("d", "d"), ("ab", "ab"), ("-5", "-5"),
        ])
    func choiceAnswers(line: String, answer: String) {
        #expect(input(line, to: choice) == .answer(.text(answer)))
        let shapes = Challenge.shapes(ShapesProblem(left: [], operator: .plus, right: []), choices: [54, 56, 63])
        #expect(input(line, to: shapes) == .answer(.text(answer)))
    }

    @Test("without choices a letter is the answer itself", arguments: [("a", "a"), (" 56 ", "56")])
    func entryAnswers(line: String, answer: String) {
        #expect(input(line, to: entry) == .answer(.text(answer)))
    }

    @Test(
        "a quiz is answered by its choice's number, whether a letter, a number or its text in any language was typed",
        arguments: [
            ("a", "1"), ("D", "4"), ("2", "2"), ("blue", "2"), ("GRÜN", "3"), ("five", "five"), ("e", "e"),
        ])
    func quizAnswers(line: String, answer: String) {
        #expect(input(line, to: quiz) == .answer(.text(answer)))
    }

    @Test(
        "permission is given by a letter or a word",
        arguments: [("y", "yes"), ("N", "no"), ("yes", "yes"), ("no", "no"), ("perhaps", "perhaps")])
    func confirmAnswers(line: String, answer: String) {
        #expect(input(line, to: .confirm) == .answer(.text(answer)))
    }

    @Test("a secret is taken as it was typed, spaces and all")
    func secrets() {
        #expect(input(" 24 68 ", to: .passcode) == .answer(.secret(GateSecret(" 24 68 ".utf8))))
        #expect(input("a", to: .totp) == .answer(.secret(GateSecret("a".utf8))))
        #expect(input("", to: .passcode) == nil)
    }

    @Test("a hold begins and ends with \"press\" and \"release\", and on a terminal with the space bar")
    func hold() {
        let hold = Challenge.hold(.seconds(3))
        #expect(input("press", to: hold) == .pressed)
        #expect(input("release", to: hold) == .answer(.released))
        #expect(input(" ", to: hold) == .pressed)
        #expect(input(" ", to: hold, isPressed: true) == .answer(.released))
        #expect(input("push", to: hold) == .answer(.text("push")))
    }

    @Test("a swipe and a date are passed on to the daemon as typed")
    func words() {
        #expect(input(" left 3 ", to: .swipe(SwipeGesture(.left, fingers: 3))) == .answer(.text("left 3")))
        #expect(input("2004-02-29", to: .birthdate(.gregorian)) == .answer(.text("2004-02-29")))
    }

    @Test("an empty line is no answer", arguments: ["", "   ", "\t", "\u{a0}"])
    func blank(line: String) {
        for challenge in [choice, entry, quiz, .confirm, .birthdate(.minguo)] {
            #expect(input(line, to: challenge) == nil)
        }
    }

    @Test("the prompt says what to type")
    func request() {
        #expect(AnswerText.request(for: choice) == "a, b or c")
        #expect(AnswerText.request(for: quiz) == "a, b, c or d")
        #expect(AnswerText.request(for: entry) == "your answer")
        #expect(AnswerText.request(for: .birthdate(.buddhist)) == "a date, like 2522-05-01")
    }

    @Test("a choice needs a single key")
    func singleKeys() {
        #expect(AnswerText.singleKeys(for: choice) == Set("abcABC".utf8))
        #expect(AnswerText.singleKeys(for: quiz) == Set("abcdABCD1234".utf8))
        #expect(AnswerText.singleKeys(for: .confirm) == Set("ynYN".utf8))
        for challenge in [entry, .passcode, .totp, .birthdate(.gregorian)] {
            #expect(AnswerText.singleKeys(for: challenge).isEmpty)
        }
    }
}
