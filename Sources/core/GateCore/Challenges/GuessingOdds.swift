package import GateModel

/// How likely somebody passes who does not know the answer, and only guesses.
///
/// Assumptions. A try takes two seconds, or as long as a hold does. There was no wrong answer before the hour begins.
/// Where an answer is to be chosen, each choice is as likely as the others; where a result is to be typed, the guesser
/// types the likeliest; a date of birth is any day on which somebody living may have been born. A passcode has four
/// digits; of an authenticator's million codes three are good at a time. What says itself how to pass it (confirm,
/// hold, swipe) nobody has to guess: it counts as passed at the first try. What only a grown-up's presenter answers
/// can't be guessed at all. To be signed in, or to have paid, is nothing that is guessed at: anyone who is or has passes
/// unasked, a child with an account of its own, too, and so that counts as passed.
///
/// How long a grant is kept (`GatedAction.keep`) changes nothing here: to pass once within the period is to pass.
public struct GuessingOdds: Hashable, Sendable {
    /// How long a try takes at least.
    public static let shortestTry: Duration = .seconds(2)
    /// The time that the odds of a policy are told for.
    public static let hour: Duration = .seconds(3600)

    /// The chance that one try passes: from 0 to 1.
    public let chancePerTry: Double
    /// How long a try takes.
    public let tryDuration: Duration
    /// When wrong answers lock.
    package let lockout: Configuration.LockoutRule
    /// How many wrong answers are taken from all who never gave the right one, however long and with however many users they
    /// try (T-02); `nil`: there is no end.
    public let guessLimit: Int?
    /// Whether a program could pass without guessing: by arithmetic, by reading the question bank, by saying what is
    /// wanted, by signing in with an account that it was given.
    public let programPasses: Bool
    /// Whether there is a question on every way through. `false`: to be signed in or to have paid is enough, and there is
    /// nothing to guess.
    public let isGuessed: Bool

    /// The odds of one kind of question.
    ///
    /// - Parameter answerTime: how long the question waits for its answer; a hold that is no shorter can't be passed.
    package init(
        of specification: ChallengeSpecification, lockout: Configuration.LockoutRule, answerTime: Duration
    ) {
        let isHold = specification.kind == .hold
        let takesTooLong = isHold && specification.holdDuration >= answerTime
        let isOutOfReach = specification.answeredBy == .grownUp || takesTooLong
        chancePerTry = isOutOfReach ? 0 : Self.chance(of: specification)
        tryDuration = isHold ? max(Self.shortestTry, specification.holdDuration) : Self.shortestTry
        self.lockout = lockout
        guessLimit = specification.kind.isSecret ? SecretBudget.ofStrangers : nil
        programPasses = !isOutOfReach && specification.kind.isPassedByPrograms
        isGuessed = true
    }

    init(
        chancePerTry: Double, tryDuration: Duration = shortestTry, lockout: Configuration.LockoutRule,
        guessLimit: Int? = nil, programPasses: Bool, isGuessed: Bool
    ) {
        self.chancePerTry = chancePerTry
        self.tryDuration = tryDuration
        self.lockout = lockout
        self.guessLimit = guessLimit
        self.programPasses = programPasses
        self.isGuessed = isGuessed
    }

    /// How many tries the lockout allows in so long (a year at most) to somebody who is always wrong.
    public func tries(within period: Duration = hour) -> Int {
        let rules = LockoutRules(lockout)
        let end = BootTime(nanoseconds: 0).advanced(by: min(period, .seconds(365 * 24 * 3600)))
        var counters: Lockout?
        var count = 0
        var answered = BootTime(nanoseconds: 0).advanced(by: tryDuration)
        while answered <= end, count < guessLimit ?? .max {
            count += 1
            let counted = rules.counted(.wrongAnswer, on: counters, at: answered)
            answered = max(answered, counted.lockedUntil ?? answered).advanced(by: tryDuration)
            counters = counted
        }
        return count
    }

    /// The chance that one of the tries within this period (a year at most) passes: from 0 to 1.
    public func probability(within period: Duration = hour) -> Double {
        probability(ofTries: tries(within: period))
    }

    /// The chance that it passes at some time, however long and with however many users somebody tries: from 0 to 1;
    /// `nil`: there is no end to trying.
    public var probabilityEver: Double? { guessLimit.map(probability(ofTries:)) }

    private func probability(ofTries count: Int) -> Double {
        guard chancePerTry > 0 else { return 0 }
        let allFail = (0..<count).reduce(1) { product, _ in product * (1 - chancePerTry) }
        return 1 - allFail
    }

    /// The same of a passcode of so many digits.
    public static func probabilityEver(ofPasscodeWithDigits count: Int) -> Double {
        let chance = (0..<count).reduce(1.0) { chance, _ in chance / 10 }
        return 1 - (0..<SecretBudget.ofStrangers).reduce(1.0) { product, _ in product * (1 - chance) }
    }

    private static func chance(of specification: ChallengeSpecification) -> Double {
        switch specification.kind {
        case .arithmeticChoice, .shapes: 1.0 / 3
        case .arithmeticEntry: chanceOfLikeliestResult(specification.difficulty)
        case .quiz: 1 / Double(QuizChallenge.choiceCount)
        case .birthdate: chanceOfOldEnough(specification.minimumAge)
        case .passcode: 1.0 / 10_000
        case .totp: 3.0 / 1_000_000
        case .confirm, .hold, .swipe: 1
        }
    }

    /// 110, for example, which one in 91 of the medium sums makes.
    private static func chanceOfLikeliestResult(_ difficulty: ChallengeSpecification.Difficulty) -> Double {
        let problems = ArithmeticChallenge.entryProblems(difficulty)
        let counts = problems.reduce(into: [:]) { counts, problem in counts[problem.result, default: 0] += 1 }
        return Double(counts.values.max() ?? 0) / Double(problems.count)
    }

    /// The living are from 0 to `ChallengeRule.maximumAge` years old.
    private static func chanceOfOldEnough(_ minimumAge: Int) -> Double {
        let ages = 0...ChallengeRule.maximumAge
        return Double(ages.count { $0 >= minimumAge }) / Double(ages.count)
    }
}

extension Challenge.Kind {
    /// Whether what is shown is enough to answer it, for a program that can compute and has the question bank.
    fileprivate var isPassedByPrograms: Bool {
        switch self {
        case .arithmeticChoice, .arithmeticEntry, .shapes, .quiz, .confirm, .birthdate, .hold, .swipe: true
        case .passcode, .totp: false
        }
    }
}
