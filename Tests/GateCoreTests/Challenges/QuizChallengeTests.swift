import GateModel
import GateScripting
import Testing

@testable import GateCore

@Suite("Questions of general knowledge")
struct QuizChallengeTests {
    typealias Difficulty = ChallengeSpecification.Difficulty

    @Test("the four choices stand in the same order in all languages, and one of them is right (F-14)")
    func sameOrder() throws {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<200 {
            let sealed = make(.easy, [Self.recorder], from: &random)
            let texts = try texts(sealed)
            #expect(texts.map(\.language) == ["en", "de"])
            #expect(texts.map(\.question) == ["What did a video recorder do?", "Was tat ein Videorekorder?"])
            #expect(Set(texts[0].choices) == ["recorded films", "washed", "cooked", "drove"])
            let right = try #require(texts[0].choices.firstIndex(of: "recorded films"))
            #expect(texts[1].choices[right] == "zeichnete Filme auf")
            let pairs = Dictionary(uniqueKeysWithValues: zip(texts[0].choices, texts[1].choices))
            #expect(pairs["washed"] == "wusch" && pairs["cooked"] == "kochte" && pairs["drove"] == "fuhr")
            for number in 1...4 {
                #expect(sealed.verdict(typed: "\(number)") == (number == right + 1 ? .right : .wrong))
            }
        }
    }

    @Test("the right choice is at each place equally often, and so is each question")
    func evenlySpread() throws {
        let bank = (0..<10).map { Self.question("q\($0)", .easy) }
        var places: [Int: Int] = [:]
        var questions: [String: Int] = [:]
        var random = SeededGenerator(seed: 2)
        for _ in 0..<20_000 {
            let text = try texts(make(.easy, bank, from: &random))[0]
            places[text.choices.firstIndex(of: "right") ?? 4, default: 0] += 1
            questions[text.question, default: 0] += 1
        }
        // Once in 100,000 runs, for 3 and 9 degrees of freedom.
        #expect(places.count == 4 && chiSquare(places.values) < 26)
        #expect(questions.count == 10 && chiSquare(questions.values) < 40)
    }

    @Test("if the bank has no question of a difficulty, an easier one is asked, else a harder one")
    func otherDifficulties() throws {
        let bank = Difficulty.allCases.map { Self.question($0.rawValue, $0) }
        let cases: [(wanted: Difficulty, has: [Difficulty], asked: Difficulty)] = [
            (.easy, [.easy, .medium, .hard], .easy), (.easy, [.medium, .hard], .medium), (.easy, [.hard], .hard),
            (.medium, [.easy, .medium, .hard], .medium), (.medium, [.easy, .hard], .easy), (.medium, [.hard], .hard),
            (.hard, [.easy, .medium, .hard], .hard), (.hard, [.easy, .medium], .medium), (.hard, [.easy], .easy),
        ]
        var random = SeededGenerator(seed: 3)
        for (wanted, has, asked) in cases {
            let questions = bank.filter { has.contains($0.difficulty) }
            for _ in 0..<20 {
                #expect(try texts(make(wanted, questions, from: &random))[0].question == asked.rawValue)
            }
        }
    }

    @Test("without questions in the bank, a sum to be typed is asked", arguments: Difficulty.allCases)
    func emptyBank(difficulty: Difficulty) {
        var random = SeededGenerator(seed: 4)
        var same = SeededGenerator(seed: 4)
        let sealed = make(difficulty, [], from: &random)
        let sum = SealedChallenge.make(
            ChallengeSpecification(.arithmeticEntry, difficulty: difficulty), questions: [], using: &same)
        #expect(sealed == sum && sealed.challenge.kind == .arithmeticEntry)
    }

    @Test("a language in which a question does not have four choices is skipped")
    func unusableQuestions() throws {
        var random = SeededGenerator(seed: 5)
        var broken = Self.recorder
        broken.texts[0].wrong = []
        #expect(try texts(make(.easy, [broken], from: &random)).map(\.language) == ["de"])
        broken.texts[1].wrong.append("flog")
        #expect(make(.easy, [broken], from: &random).challenge.kind == .arithmeticEntry)
        broken.texts = []
        #expect(make(.easy, [broken], from: &random).challenge.kind == .arithmeticEntry)
    }

    @Test("the answer is the number of a choice, strictly (F-24); anything else leaves the question open")
    func verdicts() {
        let sealed = SealedChallenge(.quiz([]), solution: .choice(2, of: 4))
        #expect(sealed.verdict(typed: " 2\t") == .right)
        for wrong in ["1", "3", "4"] {
            #expect(sealed.verdict(typed: wrong) == .wrong)
        }
        for nonsense in ["", "0", "5", "2x", "two", "b", "recorded films", "99999999999999999999"] {
            #expect(
                sealed.verdict(typed: nonsense)
                    == .notAnAnswer("Answer with the number of a choice, from 1 to 4. Try again."))
        }
        #expect(sealed.verdict(on: .secret(GateSecret("2".utf8))).staysOpen && sealed.verdict(on: .released).staysOpen)
    }

    @Test("no dump shows which choice is right")
    func solutionIsHidden() throws {
        // Two questions that look the same are the same in everything visible, whichever choice is right.
        var random = SeededGenerator(seed: 6)
        let challenge = make(.easy, [Self.recorder], from: &random).challenge
        let seen = (1...4).map { SealedChallenge(challenge, solution: .choice($0, of: 4)).dumped }
        #expect(Set(seen).count == 1)
        #expect(seen[0].allSatisfy { !$0.contains("olution") })
    }

    private func make(
        _ difficulty: Difficulty, _ questions: [QuizQuestion], from random: inout SeededGenerator
    ) -> SealedChallenge {
        SealedChallenge.make(
            ChallengeSpecification(.quiz, difficulty: difficulty), questions: questions, using: &random)
    }

    private func texts(_ sealed: SealedChallenge) throws -> [QuizText] {
        guard case .quiz(let texts) = sealed.challenge, !texts.isEmpty else { throw OtherChallenge() }
        return texts
    }

    private static let recorder = QuizQuestion(
        id: "video-recorder", difficulty: .easy,
        texts: [
            .init(
                language: "en", question: "What did a video recorder do?", right: "recorded films",
                wrong: ["washed", "cooked", "drove"]),
            .init(
                language: "de", question: "Was tat ein Videorekorder?", right: "zeichnete Filme auf",
                wrong: ["wusch", "kochte", "fuhr"]),
        ])

    private static func question(_ id: String, _ difficulty: Difficulty) -> QuizQuestion {
        QuizQuestion(
            id: id, difficulty: difficulty,
            texts: [.init(language: "en", question: id, right: "right", wrong: ["one", "two", "three"])])
    }
}
