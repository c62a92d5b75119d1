import GateModel
import GateScripting
import Testing

@testable import GateCore

@Suite("Questions of arithmetic")
struct ArithmeticChallengeTests {
    typealias Operator = ArithmeticProblem.Operator
    typealias Difficulty = ChallengeSpecification.Difficulty

    @Test("there are 36 sums and 56 products, and as many turned round (F-09, F-10)")
    func countsOfProblems() {
        let counts: [Operator: Int] = [.plus: 36, .minus: 36, .times: 56, .dividedBy: 56]
        for `operator` in Operator.allCases {
            let problems = ArithmeticChallenge.problems(with: `operator`, .medium)
            #expect(problems.count == counts[`operator`])
            #expect(Set(problems).count == problems.count)
        }
    }

    @Test("there are 648 hard products, and as many hard quotients")
    func countsOfHardProblems() {
        for `operator` in [Operator.times, .dividedBy] {
            let problems = ArithmeticChallenge.problems(with: `operator`, .hard)
            #expect(problems.count == 648 && Set(problems).count == 648)
        }
    }

    @Test(
        "+ and × take single-digit numbers from 2, and make more than ten (F-09)", arguments: [Operator.plus, .times])
    func sumsAndProducts(with operator: Operator) {
        for problem in ArithmeticChallenge.problems(with: `operator`, .medium) {
            #expect((2...9).contains(problem.left) && (2...9).contains(problem.right) && problem.computed > 10)
        }
    }

    @Test(
        "− and ÷ take a two-digit number above ten and a single-digit one, and leave a single digit and no rest (F-10)",
        arguments: [Operator.minus, .dividedBy])
    func differencesAndQuotients(with operator: Operator) {
        for problem in ArithmeticChallenge.problems(with: `operator`, .medium) {
            #expect((11...99).contains(problem.left) && (2...9).contains(problem.right))
            #expect((2...9).contains(problem.computed))
            if `operator` == .dividedBy {
                #expect(problem.left % problem.right == 0)
            }
        }
    }

    @Test(
        "hard products multiply a two-digit number, not a multiple of ten, by a single digit; hard quotients undo that")
    func hardProblems() {
        for problem in ArithmeticChallenge.problems(with: .times, .hard) {
            #expect((11...99).contains(problem.left) && problem.left % 10 != 0 && (2...9).contains(problem.right))
        }
        for problem in ArithmeticChallenge.problems(with: .dividedBy, .hard) {
            #expect((2...9).contains(problem.right) && problem.left % problem.right == 0)
            #expect((11...99).contains(problem.computed) && problem.computed % 10 != 0)
        }
    }

    @Test("easy ones only add and take away, in the same numbers; hard ones only multiply and divide")
    func operatorsOfDifficulties() throws {
        let expected: [Difficulty: Set<Operator>] = [
            .easy: [.plus, .minus], .medium: Set(Operator.allCases), .hard: [.times, .dividedBy],
        ]
        for difficulty in Difficulty.allCases {
            var random = SeededGenerator(seed: 11)
            var seen: Set<Operator> = []
            for _ in 0..<200 {
                let (problem, _) = try choice(difficulty, from: &random)
                seen.insert(problem.operator)
                #expect(ArithmeticChallenge.problems(with: problem.operator, difficulty).contains(problem))
            }
            #expect(seen == expected[difficulty])
        }
        for `operator` in [Operator.plus, .minus] {
            let easy = ArithmeticChallenge.problems(with: `operator`, .easy)
            #expect(easy == ArithmeticChallenge.problems(with: `operator`, .medium))
        }
    }

    @Test("every problem has near misses enough for two wrong answers, none of them right or below 1 (F-11)")
    func nearMisses() {
        let usingThem: [(Operator, Difficulty)] = [(.times, .medium), (.times, .hard), (.dividedBy, .hard)]
        for (`operator`, difficulty) in usingThem {
            for problem in ArithmeticChallenge.problems(with: `operator`, difficulty) {
                let misses = ArithmeticChallenge.nearMisses(of: problem, difficulty)
                let result = problem.computed
                let areDistinct = misses.count == Set(misses).count && misses.allSatisfy { $0 >= 1 && $0 != result }
                let farthest = difficulty == .hard ? 30 : 10
                let areNear = misses.allSatisfy { abs($0 - result) <= farthest }
                if !areDistinct || misses.count < 2 || !areNear {
                    Issue.record("\(problem) has \(misses)")
                }
            }
        }
    }

    @Test(
        "no answer gives itself away by its size: all three have as many digits (K-10)", arguments: Difficulty.allCases)
    func sizes(difficulty: Difficulty) throws {
        var random = SeededGenerator(seed: 300)
        for _ in 0..<10_000 {
            let (problem, choices) = try choice(difficulty, from: &random)
            if Set(choices.map { "\($0)".count }).count > 1 { Issue.record("\(problem): \(choices)") }
        }
    }

    @Test("the three answers of a sum, a difference or a small quotient do not show which one is right (K-10)")
    func posteriors() throws {
        var right: [String: [Int: Int]] = [:]
        var random = SeededGenerator(seed: 301)
        for _ in 0..<60_000 {
            let (problem, choices) = try choice(from: &random)
            guard problem.operator != .times else { continue }
            right["\(problem.operator) \(choices.sorted())", default: [:]][problem.computed, default: 0] += 1
        }
        #expect(right.count == 18)
        for (three, counts) in right {
            // 2 degrees of freedom; random numbers exceed this bound once in 100,000 runs.
            #expect(counts.count == 3 && chiSquare(counts.values) < 23, "\(three): \(counts)")
        }
    }

    @Test(
        "neither sizes nor gaps show which of the three answers of a product or quotient is right (K-10)",
        arguments: [Difficulty.medium, .hard], [Operator.times, .dividedBy])
    func sizesAndGaps(difficulty: Difficulty, operator: Operator) throws {
        var guesser = GapGuesser()
        var random = SeededGenerator(seed: 302)
        for _ in 0..<(difficulty == .hard ? 7_000 : 15_000) {
            let (problem, choices) = try choice(difficulty, from: &random)
            if problem.operator == `operator` { guesser.guess(problem.computed, among: choices) }
        }
        #expect(guesser.count > 3_000)
        for rank in 0..<3 { #expect((0.3...0.37).contains(guesser.share(of: "rank \(rank)"))) }
        // Without a clue it is a third; before the gaps were made alike, up to 54 of 100, or 80 with practice.
        for (way, right) in guesser.right { #expect(guesser.share(of: way) < 0.38, "\(way): \(right)") }
    }

    @Test("of 20,000 choices each has three different answers, exactly one of them right (F-11)")
    func threeAnswers() throws {
        let problems = Set(Operator.allCases.flatMap { ArithmeticChallenge.problems(with: $0, .medium) })
        let odd = try (0..<20_000 as Range<UInt64>).filter { seed in
            var random = SeededGenerator(seed: seed)
            let (problem, choices) = try choice(from: &random)
            let isProper = problems.contains(problem) && choices.count == 3 && Set(choices).count == 3
            return !isProper || choices.count { $0 == problem.computed } != 1
        }
        #expect(odd.isEmpty, "seeds")
    }

    @Test("operators, and the place of the right answer, are evenly spread")
    func evenlySpread() throws {
        var operators: [Operator: Int] = [:]
        var places: [Int: Int] = [:]
        var random = SeededGenerator(seed: 2026)
        for _ in 0..<40_000 {
            let (problem, choices) = try choice(from: &random)
            operators[problem.operator, default: 0] += 1
            places[choices.firstIndex(of: problem.computed) ?? 3, default: 0] += 1
        }
        // Random numbers exceed these bounds once in 100,000 runs, for 3 and 2 degrees of freedom.
        #expect(operators.count == 4 && chiSquare(operators.values) < 26)
        #expect(places.count == 3 && chiSquare(places.values) < 23)
    }

    @Test(
        "always choosing the smallest, the middle or the greatest answer is no better than guessing",
        arguments: Difficulty.allCases)
    func ranksAreEvenlySpread(difficulty: Difficulty) throws {
        var ranks: [Int: Int] = [:]
        var random = SeededGenerator(seed: 7)
        let count = difficulty == .hard ? 8_000 : 30_000
        for _ in 0..<count {
            let (problem, choices) = try choice(difficulty, from: &random)
            ranks[choices.sorted().firstIndex(of: problem.computed) ?? 3, default: 0] += 1
        }
        // A product of 12 has too few smaller neighbours with two digits; it is rare enough.
        for rank in 0..<3 {
            #expect((0.32...0.35).contains(Double(ranks[rank] ?? 0) / Double(count)), "rank \(rank)")
        }
    }

    @Test("the same seed draws the same choices as when the scripts were written")
    func drawnAsEver() throws {
        // Problems that the scripts in Tests/Scripts have met.
        var random = SeededGenerator(seed: 1)
        let drawn = try (0..<4).map { _ in
            let (problem, choices) = try choice(from: &random)
            return "\(problem): \(choices)"
        }
        #expect(drawn == ["8 × 3: [24, 16, 21]", "4 × 8: [28, 32, 24]", "13 − 9: [5, 3, 4]", "3 + 9: [11, 12, 13]"])
    }

    @Test("a sum to be typed has operands from 10 to 100, evenly spread, both ends included (F-20)")
    func entries() throws {
        var lefts: [Int: Int] = [:]
        var rights: [Int: Int] = [:]
        var random = SeededGenerator(seed: 90)
        for _ in 0..<91_000 {
            let problem = try entry(.medium, from: &random)
            lefts[problem.left, default: 0] += 1
            rights[problem.right, default: 0] += 1
            guard problem.operator == .plus else {
                Issue.record("\(problem)")
                return
            }
        }
        // 90 degrees of freedom, once in 100,000 runs.
        for operands in [lefts, rights] {
            #expect(Set(operands.keys) == Set(10...100))
            #expect(chiSquare(operands.values) < 158)
        }
    }

    @Test("an easy sum to be typed stays from 10 to 50; a hard one is a product")
    func entriesOfDifficulties() throws {
        var random = SeededGenerator(seed: 91)
        var easy: Set<Int> = []
        for _ in 0..<2_000 {
            let sum = try entry(.easy, from: &random)
            easy.formUnion([sum.left, sum.right])
            #expect(sum.operator == .plus)
            let product = try entry(.hard, from: &random)
            #expect(product.operator == .times && (11...99).contains(product.left) && (2...9).contains(product.right))
        }
        #expect(easy == Set(10...50))
    }

    @Test("typed problems are drawn from the same set that the odds are computed from", arguments: Difficulty.allCases)
    func entryProblems(difficulty: Difficulty) throws {
        let counts: [Difficulty: Int] = [.easy: 41 * 41, .medium: 91 * 91, .hard: 648]
        let problems = Set(ArithmeticChallenge.entryProblems(difficulty))
        #expect(problems.count == counts[difficulty])
        var random = SeededGenerator(seed: 92)
        for _ in 0..<1_000 {
            #expect(try problems.contains(entry(difficulty, from: &random)))
        }
    }

    @Test("the same seed asks the same questions", arguments: Challenge.Kind.allCases)
    func sameSeed(kind: Challenge.Kind) {
        var first = SeededGenerator(seed: 5)
        var second = SeededGenerator(seed: 5)
        for _ in 0..<100 {
            let question = SealedChallenge.make(ChallengeSpecification(kind), questions: [], using: &first)
            #expect(question == SealedChallenge.make(ChallengeSpecification(kind), questions: [], using: &second))
        }
        #expect(first == second)
    }

    @Test("a number counts with spaces around it, and in no other disguise (F-24)")
    func verdicts() {
        let sealed = SealedChallenge(
            .arithmeticEntry(ArithmeticProblem(left: 35, operator: .plus, right: 55)), solution: .number(90))
        for right in ["90", " 90", "90 ", "\t 90\t", "090"] {
            #expect(sealed.verdict(typed: right) == .right, "\(right)")
        }
        for wrong in ["91", "0", "900", "9", "99999999999999999999999999999999"] {
            #expect(sealed.verdict(typed: wrong) == .wrong, "\(wrong)")
        }
        let none = [
            "", " ", "90x", "x90", "9 0", "+90", "-90", "90.0", "90,0", "0x5a", "ninety", "a", "٩٠", "９０", "90\n",
            "90\0", "\u{a0}90", "90\u{301}",
        ]
        let sentence = "That is not a whole number. Try again."
        for nonsense in none {
            #expect(sealed.verdict(typed: nonsense) == .notAnAnswer(sentence), "\(nonsense)")
        }
        let others: [ChallengeAnswer] = [
            .secret(GateSecret("90".utf8)), .released, .swiped(SwipeGesture(.up, fingers: 90)),
        ]
        for other in others {
            #expect(sealed.verdict(on: other) == .notAnAnswer(sentence))
        }
    }

    @Test("a letter that stands for no choice is refused as such, not as a missing number")
    func unknownLetter() {
        let sealed = SealedChallenge(
            .arithmeticChoice(ArithmeticProblem(left: 7, operator: .plus, right: 5), choices: [11, 12, 13]),
            solution: .number(12))
        #expect(sealed.verdict(typed: "z") == .notAnAnswer("That is not one of the answers. Try again."))
        #expect(sealed.verdict(typed: "12") == .right && sealed.verdict(typed: "11") == .wrong)
    }

    @Test("no dump of a question shows its solution")
    func solutionIsHidden() {
        let problem = ArithmeticProblem(left: 4, operator: .times, right: 7)
        let sealed = SealedChallenge(.arithmeticEntry(problem), solution: .number(28))
        #expect(sealed.dumped.allSatisfy { !$0.contains("28") && !$0.contains("olution") })
    }

    private func choice(
        _ difficulty: Difficulty = .medium, from random: inout SeededGenerator
    ) throws -> (ArithmeticProblem, [Int]) {
        let specification = ChallengeSpecification(.arithmeticChoice, difficulty: difficulty)
        let sealed = SealedChallenge.make(specification, questions: [], using: &random)
        guard case .arithmeticChoice(let problem, let choices) = sealed.challenge else { throw OtherChallenge() }
        return (problem, choices)
    }

    /// A problem whose result the sealed challenge takes.
    private func entry(_ difficulty: Difficulty, from random: inout SeededGenerator) throws -> ArithmeticProblem {
        let specification = ChallengeSpecification(.arithmeticEntry, difficulty: difficulty)
        let sealed = SealedChallenge.make(specification, questions: [], using: &random)
        guard case .arithmeticEntry(let problem) = sealed.challenge,
            sealed.verdict(typed: "\(problem.computed)") == .right,
            sealed.verdict(typed: "\(problem.computed + 1)") == .wrong
        else { throw OtherChallenge() }
        return problem
    }
}

/// Not the challenge that a test is about.
struct OtherChallenge: Error {}

extension ArithmeticProblem {
    /// The result as a grown-up would work it out.
    fileprivate var computed: Int {
        switch `operator` {
        case .plus: left + right
        case .minus: left - right
        case .times: left * right
        case .dividedBy: left / right
        }
    }
}

extension SealedChallenge {
    /// The verdict on an answer that depends on no clock.
    func verdict(on answer: ChallengeAnswer) -> Verdict {
        verdict(
            on: answer, at: BootTime(nanoseconds: 1), wallTime: WallTime(unixMilliseconds: 1), pressedAt: nil)
    }

    func verdict(typed text: String) -> Verdict {
        verdict(on: .text(text))
    }

    /// All parts of the value that reflection can show.
    var dumped: [String] {
        var dumped = ""
        dump(self, to: &dumped)
        let children = Mirror(reflecting: self).children.map { "\($0.label ?? ""): \(String(reflecting: $0.value))" }
        return [dumped, "\(self)", String(reflecting: self), "\([self])"] + children
    }
}

extension SealedChallenge.Verdict {
    /// Whether the question stays open, with a sentence that says so.
    var staysOpen: Bool {
        guard case .notAnAnswer(let sentence) = self else { return false }
        return sentence.hasSuffix(". Try again.")
    }
}

/// The chi-square statistic of counts against equal counts.
func chiSquare(_ counts: some Collection<Int>) -> Double {
    let expected = Double(counts.reduce(0, +)) / Double(counts.count)
    return counts.reduce(0) { sum, count in
        let difference = Double(count) - expected
        return sum + difference * difference / expected
    }
}
