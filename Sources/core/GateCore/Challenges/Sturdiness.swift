import GateModel

/// Orders challenges by how hard they are to pass for a child.
///
/// What counts first is whether only a grown-up's presenter takes the answer: then it can't be guessed. Second is the
/// kind, from the weakest: hold, swipe, confirm and birthdate say themselves how to pass (it is enough to read, or to
/// think of an early year); shapes, arithmetic-choice, quiz and arithmetic-entry need more and more knowledge or luck;
/// no program can work out passcode and totp. Third, among challenges of one kind, is the difficulty, the minimum age
/// or the length of the hold.
struct Sturdiness: Hashable, Sendable, Comparable {
    private let isForGrownUps: Bool
    private let kind: Int
    private let degree: Int64

    init(_ specification: ChallengeSpecification) {
        isForGrownUps = specification.answeredBy == .grownUp
        kind = specification.kind.rank
        degree =
            switch specification.kind.settings {
            case .none: 0
            case .difficulty: specification.difficulty.rank
            case .minimumAge: Int64(specification.minimumAge)
            case .duration: specification.holdDuration.clampedNanoseconds
            }
    }

    static func < (left: Sturdiness, right: Sturdiness) -> Bool {
        let ranks = { (sturdiness: Sturdiness) in
            (sturdiness.isForGrownUps ? 1 : 0, sturdiness.kind, sturdiness.degree)
        }
        return ranks(left) < ranks(right)
    }
}

extension Challenge.Kind {
    fileprivate var rank: Int {
        switch self {
        case .hold: 0
        case .swipe: 1
        case .confirm: 2
        case .birthdate: 3
        case .shapes: 4
        case .arithmeticChoice: 5
        case .quiz: 6
        case .arithmeticEntry: 7
        case .passcode: 8
        case .totp: 9
        }
    }
}

extension ChallengeSpecification {
    /// The chance that a person passes with one guess, from 0 to 1, as `GuessingOdds` assumes it.
    var chanceOfGuess: Double {
        switch kind {
        case .arithmeticChoice, .shapes: 1.0 / 3
        case .arithmeticEntry: Self.chanceOfLikeliestResult(difficulty)
        case .quiz: 1 / Double(QuizChallenge.choiceCount)
        case .birthdate: Self.chanceOfOldEnough(minimumAge)
        case .passcode: 1.0 / 10_000
        case .totp: 3.0 / 1_000_000
        case .confirm, .hold, .swipe: 1
        }
    }

    /// The chance of the likeliest result, for example 110, the result of one in 91 medium sums.
    private static func chanceOfLikeliestResult(_ difficulty: Difficulty) -> Double {
        let problems = ArithmeticChallenge.entryProblems(difficulty)
        let counts = problems.reduce(into: [:]) { counts, problem in counts[problem.result, default: 0] += 1 }
        return Double(counts.values.max() ?? 0) / Double(problems.count)
    }

    /// Living people are 0 to `ChallengeRule.maximumAge` years old.
    private static func chanceOfOldEnough(_ minimumAge: Int) -> Double {
        let ages = 0...ChallengeRule.maximumAge
        return Double(ages.count { $0 >= minimumAge }) / Double(ages.count)
    }
}

extension ChallengeSpecification.Difficulty {
    fileprivate var rank: Int64 {
        switch self {
        case .easy: 0
        case .medium: 1
        case .hard: 2
        }
    }
}
