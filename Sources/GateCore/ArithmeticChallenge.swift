import GateModel

/// Makes questions of arithmetic that a grown-up answers at a glance.
///
/// The order in which random numbers are drawn is part of the meaning: the same generator gives the same question, in
/// the daemon and in a script. A choice draws operator, operands, the place of the right answer among the three by
/// size, the wrong answers, and the order to show them in. An entry draws left, then right.
enum ArithmeticChallenge {
    /// A new question of the kind, with its solution sealed in.
    static func make(_ kind: Challenge.Kind, using random: inout some RandomNumberGenerator) -> SealedChallenge {
        switch kind {
        case .arithmeticChoice: choice(using: &random)
        case .arithmeticEntry: entry(using: &random)
        }
    }

    /// Three answers to choose from (F-09 … F-11). Each operator is as likely as the others, and so is each problem
    /// of one operator.
    static func choice(using random: inout some RandomNumberGenerator) -> SealedChallenge {
        let `operator` = ArithmeticProblem.Operator.allCases.drawn(using: &random)
        let problem = problems(with: `operator`).drawn(using: &random)
        let solution = problem.result
        var choices = wrongAnswers(to: problem, using: &random) + [solution]
        choices.shuffle(using: &random)
        return SealedChallenge(.arithmeticChoice(problem, choices: choices), solution: solution)
    }

    /// A sum to be typed; each operand is 10 + 0 … 90 (F-19, F-20).
    static func entry(using random: inout some RandomNumberGenerator) -> SealedChallenge {
        let left = Int.random(in: 10...100, using: &random)
        let right = Int.random(in: 10...100, using: &random)
        let problem = ArithmeticProblem(left: left, operator: .plus, right: right)
        return SealedChallenge(.arithmeticEntry(problem), solution: problem.result)
    }

    /// All problems of a choice with this operator: 36 for + and −, 56 for × and ÷.
    ///
    /// + and × take single-digit operands from 2 and have a result above 10 (F-09); − and ÷ are those turned round, so
    /// that nothing is ever negative or leaves a remainder (F-10).
    static func problems(with operator: ArithmeticProblem.Operator) -> [ArithmeticProblem] {
        let pairs = (2...9).flatMap { left in (2...9).map { right in (left, right) } }
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

    /// Two different near misses (F-11). Whether the right answer is the smallest, the middle or the greatest of the
    /// three is drawn first, so that "always take the middle one" is no better than guessing.
    private static func wrongAnswers(
        to problem: ArithmeticProblem, using random: inout some RandomNumberGenerator
    ) -> [Int] {
        let misses = nearMisses(of: problem)
        let smaller = misses.filter { $0 < problem.result }
        let greater = misses.filter { $0 > problem.result }
        // Next to 2 there is only one smaller number, so there the right answer can't be the greatest.
        let countBelow = Int.random(in: 0...min(2, smaller.count), using: &random)
        return smaller.drawn(countBelow, using: &random) + greater.drawn(2 - countBelow, using: &random)
    }

    /// What somebody gets who nearly can do it, each once, in ascending order, none below 1: a slip of one or two in
    /// counting, and for × also one row or column off in the table, and a forgotten or doubled ten.
    static func nearMisses(of problem: ArithmeticProblem) -> [Int] {
        let result = problem.result
        let slips =
            switch problem.operator {
            case .plus, .minus, .dividedBy:
                [result - 2, result - 1, result + 1, result + 2]
            case .times:
                [
                    result - 10, result - problem.left, result - problem.right, result - 1,
                    result + 1, result + problem.left, result + problem.right, result + 10,
                ]
            }
        return Set(slips).filter { $0 >= 1 }.sorted()
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

extension Array {
    /// One element, each as likely as the others. The array must not be empty.
    fileprivate func drawn(using random: inout some RandomNumberGenerator) -> Element {
        self[Int.random(in: indices, using: &random)]
    }

    /// So many different elements, each set of them as likely as the others.
    fileprivate func drawn(_ count: Int, using random: inout some RandomNumberGenerator) -> [Element] {
        var rest = self
        return (0..<count).map { _ in rest.remove(at: Int.random(in: rest.indices, using: &random)) }
    }
}
