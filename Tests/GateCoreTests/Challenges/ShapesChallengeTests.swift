import GateModel
import GateScripting
import Testing

@testable import GateCore

@Suite("Questions about shapes")
struct ShapesChallengeTests {
    typealias Difficulty = ChallengeSpecification.Difficulty

    @Test("each question has three different positive choices, and exactly one of them is right (F-14)")
    func threeAnswers() throws {
        for difficulty in Difficulty.allCases {
            var random = SeededGenerator(seed: 14)
            for _ in 0..<3_000 {
                let (sealed, problem, choices) = try question(difficulty, from: &random)
                let result = problem.counted
                let isProper = choices.count == 3 && Set(choices).count == 3 && choices.allSatisfy { $0 > 0 }
                let isNear = choices.allSatisfy { abs($0 - result) <= 3 }
                let right = choices.filter { sealed.verdict(typed: "\($0)") == .right }
                let wrong = choices.filter { sealed.verdict(typed: "\($0)") == .wrong }
                if !isProper || !isNear || right != [result] || wrong.count != 2 {
                    Issue.record("\(problem) \(choices)")
                }
            }
        }
    }

    @Test("harder questions have more shapes to count", arguments: zip(Difficulty.allCases, [3, 5, 7]))
    func countsOfShapes(difficulty: Difficulty, count: Int) throws {
        var random = SeededGenerator(seed: 15)
        for _ in 0..<500 {
            let (_, problem, _) = try question(difficulty, from: &random)
            #expect(problem.left.count + problem.right.count == count)
            #expect(!problem.left.isEmpty && !problem.right.isEmpty)
        }
    }

    @Test("plus and minus are evenly spread, and every form and colour is drawn")
    func evenlySpread() throws {
        var operators: [ArithmeticProblem.Operator: Int] = [:]
        var forms: Set<ShapesProblem.Shape.Form> = []
        var colours: Set<ShapesProblem.Shape.Colour> = []
        var places: [Int: Int] = [:]
        var ranks: [Int: Int] = [:]
        var random = SeededGenerator(seed: 16)
        for _ in 0..<30_000 {
            let (_, problem, choices) = try question(.medium, from: &random)
            operators[problem.operator, default: 0] += 1
            forms.formUnion((problem.left + problem.right).map(\.form))
            colours.formUnion((problem.left + problem.right).map(\.colour))
            places[choices.firstIndex(of: problem.counted) ?? 3, default: 0] += 1
            ranks[choices.sorted().firstIndex(of: problem.counted) ?? 3, default: 0] += 1
        }
        // Once in 100,000 runs, for 1, 2 and 2 degrees of freedom.
        #expect(Set(operators.keys) == [.plus, .minus] && chiSquare(operators.values) < 19.5)
        #expect(places.count == 3 && chiSquare(places.values) < 23)
        // Always choosing the smallest, the middle or the greatest is no better than guessing.
        #expect(ranks.count == 3 && chiSquare(ranks.values) < 23)
        #expect(forms == Set(ShapesProblem.Shape.Form.allCases) && colours == Set(ShapesProblem.Shape.Colour.allCases))
    }

    @Test("the gaps between the three answers do not show which one is right", arguments: Difficulty.allCases)
    func gaps(difficulty: Difficulty) throws {
        var guesser = GapGuesser()
        var random = SeededGenerator(seed: 17)
        for _ in 0..<5_000 {
            let (_, problem, choices) = try question(difficulty, from: &random)
            guesser.guess(problem.counted, among: choices)
        }
        // Without a clue it is a third; before the gaps were made alike, 55 of 100 with practice.
        for (way, right) in guesser.right { #expect(guesser.share(of: way) < 0.38, "\(way): \(right)") }
    }

    @Test("the answer is a number, strictly (F-24)")
    func verdicts() {
        let problem = ShapesProblem(
            left: [ShapesProblem.Shape(.hexagon, .red), ShapesProblem.Shape(.circle, .blue)], operator: .minus,
            right: [ShapesProblem.Shape(.triangle, .red)])
        let sealed = SealedChallenge(.shapes(problem, choices: [3, 2, 5]), solution: .number(3))
        #expect(sealed.verdict(typed: " 3 ") == .right)
        #expect(sealed.verdict(typed: "2") == .wrong)
        for nonsense in ["", "three", "3 corners", "-3"] {
            #expect(sealed.verdict(typed: nonsense).staysOpen, "\(nonsense)")
        }
        #expect(sealed.verdict(on: .released).staysOpen)
    }

    @Test("no dump shows how many corners there are")
    func solutionIsHidden() {
        let problem = ShapesProblem(
            left: [ShapesProblem.Shape(.hexagon, .red), ShapesProblem.Shape(.square, .blue)], operator: .plus,
            right: [ShapesProblem.Shape(.triangle, .red)])
        let sealed = SealedChallenge(.shapes(problem, choices: []), solution: .number(13))
        #expect(sealed.dumped.allSatisfy { !$0.contains("13") && !$0.contains("olution") })
    }

    private func question(
        _ difficulty: Difficulty, from random: inout SeededGenerator
    ) throws -> (SealedChallenge, ShapesProblem, [Int]) {
        let specification = ChallengeSpecification(.shapes, difficulty: difficulty)
        let sealed = SealedChallenge.make(specification, questions: [], using: &random)
        guard case .shapes(let problem, let choices) = sealed.challenge else { throw OtherChallenge() }
        return (sealed, problem, choices)
    }
}

extension ShapesProblem {
    /// The result as a grown-up would count it.
    fileprivate var counted: Int {
        let corners: [ShapesProblem.Shape.Form: Int] = [
            .circle: 0, .triangle: 3, .square: 4, .pentagon: 5, .hexagon: 6,
        ]
        let left = left.reduce(0) { $0 + (corners[$1.form] ?? 0) }
        let right = right.reduce(0) { $0 + (corners[$1.form] ?? 0) }
        return `operator` == .plus ? left + right : left - right
    }
}
