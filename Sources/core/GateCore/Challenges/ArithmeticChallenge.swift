import GateModel

/// Makes questions of arithmetic that a grown-up answers at a glance.
///
/// No answer gives itself away by its size: all three have as many digits. A choice whose results lie close together (sums,
/// differences and small quotients) draws the operator, the three answers, the right one of them, the problem, and the order to show
/// them in. Any other draws operator, problem, the place of the right answer among the three by size, the wrong answers, and the
/// order. An entry draws left, then right.
enum ArithmeticChallenge {
    /// Three answers to choose from (F-09 … F-11). Each operator is as likely as the others.
    static func choice(
        _ difficulty: ChallengeSpecification.Difficulty, using random: inout some RandomNumberGenerator
    ) -> SealedChallenge {
        let `operator` = operators(difficulty).drawn(using: &random)
        let problems = problems(with: `operator`, difficulty)
        switch (`operator`, difficulty) {
        case (.plus, _), (.minus, _), (.dividedBy, .easy), (.dividedBy, .medium):
            return neighbours(among: problems, using: &random)
        case (.times, _), (.dividedBy, .hard): break
        }
        let problem = problems.drawn(using: &random)
        let choices = NearMisses.choices(
            around: problem.result, from: nearMisses(of: problem, difficulty), using: &random)
        return SealedChallenge(.arithmeticChoice(problem, choices: choices), solution: .number(problem.result))
    }

    /// Three results that follow one another, each three as likely as the others, and each of them as likely to be the right
    /// one: nobody can tell by the three alone, also who knows that no difference is greater than 9.
    private static func neighbours(
        among problems: [ArithmeticProblem], using random: inout some RandomNumberGenerator
    ) -> SealedChallenge {
        let results = Set(problems.map(\.result)).sorted()
        let first = Int.random(in: 0...(results.count - 3), using: &random)
        var choices = Array(results[first..<(first + 3)])
        let result = choices.drawn(using: &random)
        let problem = problems.filter { $0.result == result }.drawn(using: &random)
        choices.shuffle(using: &random)
        return SealedChallenge(.arithmeticChoice(problem, choices: choices), solution: .number(result))
    }

    /// A result to be typed. Medium: a sum, each operand 10 + 0 … 90 (F-19, F-20). Easy: a sum of 10 … 50 each. Hard: a
    /// product as in a hard choice.
    static func entry(
        _ difficulty: ChallengeSpecification.Difficulty, using random: inout some RandomNumberGenerator
    ) -> SealedChallenge {
        let problem = entryProblem(difficulty, using: &random)
        return SealedChallenge(.arithmeticEntry(problem), solution: .number(problem.result))
    }

    private static func entryProblem(
        _ difficulty: ChallengeSpecification.Difficulty, using random: inout some RandomNumberGenerator
    ) -> ArithmeticProblem {
        switch difficulty {
        case .easy, .medium:
            let operands = sumOperands(difficulty)
            let left = Int.random(in: operands, using: &random)
            let right = Int.random(in: operands, using: &random)
            return ArithmeticProblem(left: left, operator: .plus, right: right)
        case .hard:
            let left = twoDigitFactors.drawn(using: &random)
            let right = singleDigits.drawn(using: &random)
            return ArithmeticProblem(left: left, operator: .times, right: right)
        }
    }

    /// The operands of a sum to be typed.
    private static func sumOperands(_ difficulty: ChallengeSpecification.Difficulty) -> ClosedRange<Int> {
        difficulty == .easy ? 10...50 : 10...100
    }

    /// All the problems of an entry; each is as likely as the others.
    static func entryProblems(_ difficulty: ChallengeSpecification.Difficulty) -> [ArithmeticProblem] {
        switch difficulty {
        case .easy, .medium:
            let operands = sumOperands(difficulty)
            return operands.flatMap { left in
                operands.map { ArithmeticProblem(left: left, operator: .plus, right: $0) }
            }
        case .hard:
            return problems(with: .times, .hard)
        }
    }

    /// The operators of a choice: adding and taking away alone where it is easy; times and divided by where it is hard.
    static func operators(_ difficulty: ChallengeSpecification.Difficulty) -> [ArithmeticProblem.Operator] {
        switch difficulty {
        case .easy: [.plus, .minus]
        case .medium: ArithmeticProblem.Operator.allCases
        case .hard: [.times, .dividedBy]
        }
    }

    /// All problems of a choice with this operator: easy and medium, 36 for + and −, 56 for × and ÷; hard, 648.
    ///
    /// Easy and medium: + and × take single-digit operands from 2 and have a result above 10 (F-09); − and ÷ are those
    /// turned round, so that nothing is ever negative or leaves a remainder (F-10). Hard: the left operand of + and ×
    /// has two digits and is no full ten.
    static func problems(
        with operator: ArithmeticProblem.Operator, _ difficulty: ChallengeSpecification.Difficulty
    ) -> [ArithmeticProblem] {
        let lefts =
            switch difficulty {
            case .easy, .medium: singleDigits
            case .hard: twoDigitFactors
            }
        let pairs = lefts.flatMap { left in singleDigits.map { right in (left, right) } }
        return pairs.compactMap { left, right in
            let result =
                switch `operator` {
                case .plus, .minus: left + right
                case .times, .dividedBy: left * right
                }
            guard result > 10 else { return nil }
            return switch `operator` {
            case .plus, .times: ArithmeticProblem(left: left, operator: `operator`, right: right)
            case .minus, .dividedBy: ArithmeticProblem(left: result, operator: `operator`, right: right)
            }
        }
    }

    private static let singleDigits = Array(2...9)
    private static let twoDigitFactors = (11...99).filter { !$0.isMultiple(of: 10) }

    /// The answers that somebody gets who nearly can do it, each once, in ascending order, each with as many digits as the right
    /// one: a slip of one or two in counting, and for × also one row or column off in the table, and a forgotten or doubled ten. Of a
    /// hard product most keep its last digit, so that it does not do to work out that one alone.
    static func nearMisses(
        of problem: ArithmeticProblem, _ difficulty: ChallengeSpecification.Difficulty
    ) -> [Int] {
        let slips =
            switch (problem.operator, difficulty) {
            case (.plus, _), (.minus, _), (.dividedBy, .easy), (.dividedBy, .medium): [1, 2]
            case (.dividedBy, .hard): [1, 2, 10]
            case (.times, .easy), (.times, .medium): [1, problem.left, problem.right, 10]
            case (.times, .hard): [problem.right, 10, 20]
            }
        let result = problem.result
        let misses = Set(slips.flatMap { [result - $0, result + $0] }).filter { $0 >= 1 }
        return misses.filter { "\($0)".utf8.count == "\(result)".utf8.count }.sorted()
    }

    /// Numbers are strict (F-24): decimal digits with spaces or tabs around them, nothing else. A number that is not
    /// among the choices is a wrong answer; so is one too large for a machine.
    ///
    /// - Parameter isChosen: whether there are answers to choose from, so that the person need not know that they are numbers.
    static func verdict(
        on answer: ChallengeAnswer, solution: Int, isChosen: Bool
    ) -> SealedChallenge.Verdict {
        guard let number = TypedAnswer(answer)?.wholeNumber else {
            return .notAnAnswer(
                isChosen
                    ? "That is none of the answers. The question stays open."
                    : "That is not a whole number. The question stays open.")
        }
        return number == .number(solution) ? .right : .wrong
    }
}

extension ArithmeticProblem {
    /// The solution. Internal to the core: it never leaves the daemon (F-06).
    var result: Int {
        switch `operator` {
        case .plus: left + right
        case .minus: left - right
        case .times: left * right
        case .dividedBy: left / right
        }
    }
}
