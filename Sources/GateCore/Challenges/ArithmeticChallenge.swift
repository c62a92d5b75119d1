import GateModel

/// Makes questions of arithmetic that a grown-up answers at a glance.
///
/// A choice draws operator, operands, the place of the right answer among the three by size, the wrong answers, and the
/// order to show them in. An entry draws left, then right.
enum ArithmeticChallenge {
    /// Three answers to choose from (F-09 … F-11). Each operator is as likely as the others, and so is each problem
    /// of one operator.
    static func choice(
        _ difficulty: ChallengeSpecification.Difficulty, using random: inout some RandomNumberGenerator
    ) -> SealedChallenge {
        let `operator` = operators(difficulty).drawn(using: &random)
        let problem = problems(with: `operator`, difficulty).drawn(using: &random)
        let choices = NearMisses.choices(
            around: problem.result, from: nearMisses(of: problem, difficulty), using: &random)
        return SealedChallenge(.arithmeticChoice(problem, choices: choices), solution: .number(problem.result))
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

    /// The answers that somebody gets who nearly can do it, each once, in ascending order, none below 1: a slip of one
    /// or two in counting, and for × also one row or column off in the table, and a forgotten or doubled ten. Of a hard
    /// product most keep its last digit, so that it does not do to work out that one alone.
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
        return Set(slips.flatMap { [result - $0, result + $0] }).filter { $0 >= 1 }.sorted()
    }

    /// Numbers are strict (F-24): decimal digits with spaces or tabs around them, nothing else. A number that is not
    /// among the choices is a wrong answer; so is one too large for a machine.
    static func verdict(on answer: ChallengeAnswer, solution: Int) -> SealedChallenge.Verdict {
        guard let number = TypedAnswer(answer)?.wholeNumber else {
            return .notAnAnswer("That is not a whole number. The question stays open.")
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
