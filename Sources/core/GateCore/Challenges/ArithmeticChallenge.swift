import GateModel

/// Makes arithmetic questions that a grown-up answers at a glance.
///
/// The size of an answer does not give it away: all three have the same number of digits. Random numbers are drawn in a
/// fixed order. If the results of a choice lie close together (sums, differences and small quotients): the operator,
/// the three answers, the right one of them, the problem, the order on the screen. In other choices: the operator, the
/// problem, the rank of the right answer among the three, the wrong answers, the order on the screen. In an entry: the
/// left operand, then the right one.
enum ArithmeticChallenge {
    /// A question with three answers. All operators are equally likely.
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

    /// A question whose answers are three successive results. All such triples are equally likely, and so are the three
    /// answers in a triple. So the answers alone tell nothing, even if one knows that no difference exceeds 9.
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

    /// A question whose result is typed: a sum (`sumOperands`), or if it is hard, a product as in a hard choice.
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

    private static func sumOperands(_ difficulty: ChallengeSpecification.Difficulty) -> ClosedRange<Int> {
        difficulty == .easy ? 10...50 : 10...100
    }

    /// All problems of an entry. All are equally likely.
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

    static func operators(_ difficulty: ChallengeSpecification.Difficulty) -> [ArithmeticProblem.Operator] {
        switch difficulty {
        case .easy: [.plus, .minus]
        case .medium: ArithmeticProblem.Operator.allCases
        case .hard: [.times, .dividedBy]
        }
    }

    /// All problems of a choice with this operator: 36 easy or medium ones for + and −, 56 for × and ÷, 648 hard ones.
    ///
    /// In easy and medium problems, + and × have operands from 2 to 9 and a result above 10; − and ÷ are the inverse of
    /// those, so that no result is negative or has a remainder. In hard problems, the left operand of + and × has two
    /// digits and is not a multiple of ten.
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

    /// The answers of a person who almost gets it right, each once, in ascending order, all with the number of digits
    /// of the right answer. A sum, difference or quotient is off by one or two; a hard quotient also by ten or twenty. An
    /// easy or medium product is off by one, by ten, or by a row or column of the table; a hard one by a row, or by ten
    /// to thirty. Most near misses of a hard product share its last digit, so that it is not enough to compute that
    /// digit.
    static func nearMisses(
        of problem: ArithmeticProblem, _ difficulty: ChallengeSpecification.Difficulty
    ) -> [Int] {
        let slips =
            switch (problem.operator, difficulty) {
            case (.plus, _), (.minus, _), (.dividedBy, .easy), (.dividedBy, .medium): [1, 2]
            case (.dividedBy, .hard): [1, 2, 10, 20]
            case (.times, .easy), (.times, .medium): [1, problem.left, problem.right, 10]
            case (.times, .hard): [problem.right, 10, 20, 30]
            }
        let result = problem.result
        let misses = Set(slips.flatMap { [result - $0, result + $0] }).filter { $0 >= 1 }
        return misses.filter { "\($0)".utf8.count == "\(result)".utf8.count }.sorted()
    }

    /// Only decimal digits are an answer, with spaces or tabs around them. A number that is not among the choices is
    /// wrong, and so is one that does not fit into an `Int`. If there are answers to choose from (`isChosen`), the
    /// person may not know that an answer is a number, and `notAnAnswer` does not say so.
    static func verdict(
        on answer: ChallengeAnswer, solution: Int, isChosen: Bool
    ) -> SealedChallenge.Verdict {
        guard let number = TypedAnswer(answer)?.wholeNumber else {
            return .notAnAnswer(
                isChosen
                    ? "That is not one of the answers. Try again."
                    : "That is not a whole number. Try again.")
        }
        return number == .number(solution) ? .right : .wrong
    }
}
