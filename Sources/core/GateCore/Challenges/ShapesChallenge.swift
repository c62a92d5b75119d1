import GateModel

/// Makes questions about the corners of shapes (F-14): those of the shapes on the left, plus or minus those on the
/// right.
///
/// Draws operator, then form and colour of each shape on the left, of each on the right, for minus perhaps which shape
/// becomes a circle, and then the choices as arithmetic does.
enum ShapesChallenge {
    static func make(
        _ difficulty: ChallengeSpecification.Difficulty, using random: inout some RandomNumberGenerator
    ) -> SealedChallenge {
        let problem = problem(difficulty, using: &random)
        let result = problem.result
        let choices = NearMisses.choices(around: result, from: nearMisses(of: result), using: &random)
        return SealedChallenge(.shapes(problem, choices: choices), solution: .number(result))
    }

    /// How many shapes stand on the left and on the right: more of them are harder to count.
    static func counts(_ difficulty: ChallengeSpecification.Difficulty) -> (left: Int, right: Int) {
        switch difficulty {
        case .easy: (2, 1)
        case .medium: (3, 2)
        case .hard: (4, 3)
        }
    }

    /// The result is 3 or more, so that there are always two smaller numbers to mistake it for.
    private static func problem(
        _ difficulty: ChallengeSpecification.Difficulty, using random: inout some RandomNumberGenerator
    ) -> ShapesProblem {
        let counts = counts(difficulty)
        let `operator` = [ArithmeticProblem.Operator.plus, .minus].drawn(using: &random)
        // With a shape that has corners among them, there is always something to count.
        var left = [
            ShapesProblem.Shape(
                ShapesProblem.Shape.Form.allCases.filter { $0.corners > 0 }.drawn(using: &random),
                colour(using: &random))
        ]
        left += shapes(counts.left - 1, using: &random)
        let right = shapes(counts.right, using: &random)
        switch `operator` {
        case .plus, .times, .dividedBy:
            return ShapesProblem(left: left, operator: .plus, right: right)
        case .minus:
            var (more, less) = left.corners >= right.corners ? (left, right) : (right, left)
            let angular = less.indices.filter { less[$0].form.corners > 0 }
            // One side has 3 corners or more. Where the other has nearly as many, one of its shapes loses all of its
            // own.
            if more.corners - less.corners < 3, !angular.isEmpty {
                less[angular.drawn(using: &random)].form = .circle
            }
            return ShapesProblem(left: more, operator: .minus, right: less)
        }
    }

    private static func shapes(_ count: Int, using random: inout some RandomNumberGenerator) -> [ShapesProblem.Shape] {
        (0..<count).map { _ in
            ShapesProblem.Shape(ShapesProblem.Shape.Form.allCases.drawn(using: &random), colour(using: &random))
        }
    }

    private static func colour(using random: inout some RandomNumberGenerator) -> ShapesProblem.Shape.Colour {
        ShapesProblem.Shape.Colour.allCases.drawn(using: &random)
    }

    /// A corner or two missed or counted twice, or a triangle: in ascending order, none below 1.
    static func nearMisses(of result: Int) -> [Int] {
        (result - 3...result + 3).filter { $0 >= 1 && $0 != result }
    }
}

extension ShapesProblem {
    /// The solution. Internal to the core: it never leaves the daemon (F-06).
    var result: Int {
        `operator` == .minus ? left.corners - right.corners : left.corners + right.corners
    }
}

extension [ShapesProblem.Shape] {
    fileprivate var corners: Int { reduce(0) { $0 + $1.form.corners } }
}
