import GateModel
import GateScripting
import Testing

@testable import GateCore

@Suite("Questions of arithmetic")
struct ArithmeticChallengeTests {
    typealias Operator = ArithmeticProblem.Operator

    @Test("there are 36 sums and 56 products, and as many turned round (F-09, F-10)")
    func countsOfProblems() {
        let counts: [Operator: Int] = [.plus: 36, .minus: 36, .times: 56, .dividedBy: 56]
        for `operator` in Operator.allCases {
            let problems = ArithmeticChallenge.problems(with: `operator`)
            #expect(problems.count == counts[`operator`])
            #expect(Set(problems).count == problems.count)
        }
    }

    @Test(
        "+ and × take single-digit numbers from 2, and make more than ten (F-09)", arguments: [Operator.plus, .times])
    func sumsAndProducts(with operator: Operator) {
        for problem in ArithmeticChallenge.problems(with: `operator`) {
            #expect((2...9).contains(problem.left) && (2...9).contains(problem.right) && problem.solved > 10)
        }
    }

    @Test(
        "− and ÷ take a two-digit number above ten and a single-digit one, and leave a single digit and no rest (F-10)",
        arguments: [Operator.minus, .dividedBy])
    func differencesAndQuotients(with operator: Operator) {
        for problem in ArithmeticChallenge.problems(with: `operator`) {
            #expect((11...99).contains(problem.left) && (2...9).contains(problem.right))
            #expect((2...9).contains(problem.solved))
            if `operator` == .dividedBy {
                #expect(problem.left % problem.right == 0)
            }
        }
    }

    @Test("every problem has near misses enough for two wrong answers, none of them right or below 1 (F-11)")
    func nearMisses() {
        for `operator` in Operator.allCases {
            for problem in ArithmeticChallenge.problems(with: `operator`) {
                let misses = ArithmeticChallenge.nearMisses(of: problem)
                #expect(misses.count == Set(misses).count && misses.allSatisfy { $0 >= 1 && $0 != problem.solved })
                #expect(misses.filter { $0 > problem.solved }.count >= 2)
                #expect(misses.filter { $0 < problem.solved }.count >= (problem.solved == 2 ? 1 : 2))
                #expect(misses.allSatisfy { abs($0 - problem.solved) <= 10 }, "\(problem) is not near \(misses)")
            }
        }
    }

    @Test("of 20,000 choices each has three different answers, exactly one of them right (F-11)")
    func threeAnswers() throws {
        let problems = Set(Operator.allCases.flatMap(ArithmeticChallenge.problems(with:)))
        let odd = try (0..<20_000 as Range<UInt64>).filter { seed in
            let (problem, choices) = try choice(seed)
            let isProper = problems.contains(problem) && choices.count == 3 && Set(choices).count == 3
            return !isProper || choices.filter { $0 == problem.solved }.count != 1
        }
        #expect(odd.isEmpty, "seeds")
    }

    @Test("operators, and the place of the right answer, are evenly spread")
    func evenlySpread() throws {
        var operators: [Operator: Int] = [:]
        var places: [Int: Int] = [:]
        var problems: [ArithmeticProblem: Int] = [:]
        var random = SeededGenerator(seed: 2026)
        for _ in 0..<40_000 {
            let (problem, choices) = try choice(from: &random)
            operators[problem.operator, default: 0] += 1
            places[choices.firstIndex(of: problem.solved) ?? 3, default: 0] += 1
            problems[problem, default: 0] += 1
        }
        // Bounds that chance passes once in 100,000 runs, for 3, 2 and 35 degrees of freedom.
        #expect(operators.count == 4 && chiSquare(operators.values) < 26)
        #expect(places.count == 3 && chiSquare(places.values) < 23)
        let sums = problems.filter { $0.key.operator == .plus }
        #expect(sums.count == 36 && chiSquare(sums.values) < 84)
    }

    @Test("to take always the smallest, the middle or the greatest answer is no better than guessing")
    func ranksAreEvenlySpread() throws {
        var ranks: [Int: Int] = [:]
        var random = SeededGenerator(seed: 7)
        for _ in 0..<40_000 {
            let (problem, choices) = try choice(from: &random)
            ranks[choices.sorted().firstIndex(of: problem.solved) ?? 3, default: 0] += 1
        }
        // Next to a result of 2 there are not two smaller numbers; it is rare enough.
        for rank in 0..<3 {
            #expect((0.32...0.35).contains(Double(ranks[rank] ?? 0) / 40_000), "rank \(rank)")
        }
    }

    @Test("a sum to be typed has operands from 10 to 100, evenly spread, both ends included (F-20)")
    func entries() throws {
        var lefts: [Int: Int] = [:]
        var rights: [Int: Int] = [:]
        var random = SeededGenerator(seed: 90)
        for _ in 0..<91_000 {
            let sealed = ArithmeticChallenge.make(.arithmeticEntry, using: &random)
            guard case .arithmeticEntry(let problem) = sealed.challenge else {
                Issue.record("not an entry")
                return
            }
            lefts[problem.left, default: 0] += 1
            rights[problem.right, default: 0] += 1
            guard problem.operator == .plus, sealed.verdict(on: "\(problem.solved)") == .right else {
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

    @Test("the same seed asks the same questions", arguments: Challenge.Kind.allCases)
    func sameSeed(kind: Challenge.Kind) {
        var first = SeededGenerator(seed: 5)
        var second = SeededGenerator(seed: 5)
        for _ in 0..<100 {
            let question = ArithmeticChallenge.make(kind, using: &first)
            #expect(question == ArithmeticChallenge.make(kind, using: &second))
        }
        #expect(first == second)
    }

    @Test("a number counts with spaces around it, and in no other disguise (F-24)")
    func verdicts() {
        let sealed = SealedChallenge(
            .arithmeticEntry(ArithmeticProblem(left: 35, operator: .plus, right: 55)), solution: 90)
        for right in ["90", " 90", "90 ", "\t 90\t", "090"] {
            #expect(sealed.verdict(on: right) == .right, "\(right)")
        }
        for wrong in ["91", "0", "900", "9", "99999999999999999999999999999999"] {
            #expect(sealed.verdict(on: wrong) == .wrong, "\(wrong)")
        }
        let none = [
            "", " ", "90x", "x90", "9 0", "+90", "-90", "90.0", "90,0", "0x5a", "ninety", "a", "٩٠", "９０", "90\n",
            "90\0", "\u{a0}90", "90\u{301}",
        ]
        for nonsense in none {
            #expect(sealed.verdict(on: nonsense) == .notAnAnswer, "\(nonsense)")
        }
    }

    @Test("no dump of a question shows its solution")
    func solutionIsHidden() {
        let problem = ArithmeticProblem(left: 4, operator: .times, right: 7)
        let sealed = SealedChallenge(.arithmeticEntry(problem), solution: 28)
        var dumped = ""
        dump(sealed, to: &dumped)
        #expect(!dumped.contains("28") && !"\(sealed)".contains("28") && !String(reflecting: sealed).contains("28"))
    }

    private func choice(_ seed: UInt64) throws -> (ArithmeticProblem, [Int]) {
        var random = SeededGenerator(seed: seed)
        return try choice(from: &random)
    }

    private func choice(from random: inout SeededGenerator) throws -> (ArithmeticProblem, [Int]) {
        let sealed = ArithmeticChallenge.make(.arithmeticChoice, using: &random)
        guard case .arithmeticChoice(let problem, let choices) = sealed.challenge else { throw NotAChoice() }
        return (problem, choices)
    }

    private struct NotAChoice: Error {}

    /// How far counts are from all being equal.
    private func chiSquare(_ counts: some Collection<Int>) -> Double {
        let expected = Double(counts.reduce(0, +)) / Double(counts.count)
        return counts.reduce(0) { sum, count in
            let difference = Double(count) - expected
            return sum + difference * difference / expected
        }
    }
}
