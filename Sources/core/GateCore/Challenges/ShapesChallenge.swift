import GateModel

/// Asks for a number of corners: those of the shapes on the left, plus or minus those on the right.
///
/// Random numbers are drawn in a fixed order: the operator, the form and colour of each shape on the left, then on the
/// right, the shape that becomes a circle if a difference would be too small, and the choices (`NearMisses`).
enum ShapesChallenge {
    static func make(
        _ difficulty: ChallengeSpecification.Difficulty, using random: inout some RandomNumberGenerator
    ) -> SealedChallenge {
        let problem = problem(difficulty, using: &random)
        let result = problem.result
        let choices = NearMisses.choices(around: result, from: nearMisses(of: result), using: &random)
        return SealedChallenge(.shapes(problem, choices: choices), solution: .number(result))
    }

    /// More shapes are harder to count.
    static func counts(_ difficulty: ChallengeSpecification.Difficulty) -> (left: Int, right: Int) {
        switch difficulty {
        case .easy: (2, 1)
        case .medium: (3, 2)
        case .hard: (4, 3)
        }
    }

    /// A problem with a result of at least 3, so that there are always two smaller near misses.
    private static func problem(
        _ difficulty: ChallengeSpecification.Difficulty, using random: inout some RandomNumberGenerator
    ) -> ShapesProblem {
        let counts = counts(difficulty)
        let `operator` = [ArithmeticProblem.Operator.plus, .minus].drawn(using: &random)
        // The first shape has corners, so that there is always something to count.
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
            // The greater side has at least 3 corners. If the other has almost as many, one of its shapes becomes a
            // circle, which has none.
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

    /// The results if up to three corners are missed or counted twice, in ascending order, none below 1.
    static func nearMisses(of result: Int) -> [Int] {
        (result - 3...result + 3).filter { $0 >= 1 && $0 != result }
    }
}
