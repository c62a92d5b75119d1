package import GateModel

/// How likely a person passes by guessing.
///
/// Assumptions:
///
/// - A try takes two seconds, or as long as the hold. There was no wrong answer before the period begins.
/// - If an answer is chosen, all choices are equally likely. If a result is typed, the person types the likeliest
///   result. A date of birth is any day on which a living person may have been born.
/// - A passcode has four digits. Three of an authenticator's million codes are valid at the same time.
/// - Confirm, hold and swipe say themselves how to pass, so they count as passed at the first try.
/// - A question that only a grown-up's presenter answers can't be guessed.
/// - Being signed in, having paid, having completed a form, or an open schedule is not guessed. A person for whom that
///   is true, perhaps a child with an account of its own, passes without a question, so it counts as passed.
///
/// How long a grant is kept (`GatedAction.keep`) makes no difference: passing once in the period is passing.
public struct GuessingOdds: Hashable, Sendable {
    public static let shortestTry: Duration = .seconds(2)
    /// The period for which a policy's odds are given.
    public static let hour: Duration = .seconds(3600)

    /// The chance that one try passes, from 0 to 1.
    public let chancePerTry: Double
    public let tryDuration: Duration
    package let lockout: Configuration.LockoutRule
    /// The number of wrong answers from users who never gave the right one, over any time and any number of users,
    /// after which no more answers are checked; `nil`: no limit.
    public let guessLimit: Int?
    /// Whether a program can pass without guessing: by arithmetic, from the question bank, by doing what the question
    /// says, or by signing in with an account that it was given.
    public let programPasses: Bool
    /// Whether every way to pass has a question. If not, a session, a payment, a completed form or an open schedule is
    /// enough.
    public let isGuessed: Bool

    /// `answerTime` is how long the question waits for an answer. A hold that takes as long can't be passed.
    package init(
        of specification: ChallengeSpecification, lockout: Configuration.LockoutRule, answerTime: Duration
    ) {
        let isHold = specification.kind == .hold
        let takesTooLong = isHold && specification.holdDuration >= answerTime
        let isOutOfReach = specification.answeredBy == .grownUp || takesTooLong
        chancePerTry = isOutOfReach ? 0 : specification.chanceOfGuess
        tryDuration = isHold ? max(Self.shortestTry, specification.holdDuration) : Self.shortestTry
        self.lockout = lockout
        guessLimit = specification.kind.isSecret ? SecretBudget.ofStrangers : nil
        // A program that can compute and has the question bank can answer everything else from what is shown.
        programPasses = !isOutOfReach && !specification.kind.isSecret
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

    /// The number of tries that the lockout rule and `guessLimit` allow in a period (at most a year) if all are wrong.
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

    /// The chance that one of the tries in a period (at most a year) passes, from 0 to 1.
    public func probability(within period: Duration = hour) -> Double {
        probability(ofTries: tries(within: period))
    }

    /// The chance that a guess ever passes, over any time and users, from 0 to 1; `nil` if tries have no limit.
    public var probabilityEver: Double? { guessLimit.map(probability(ofTries:)) }

    private func probability(ofTries count: Int) -> Double {
        guard chancePerTry > 0 else { return 0 }
        let allFail = (0..<count).reduce(1) { product, _ in product * (1 - chancePerTry) }
        return 1 - allFail
    }

    /// `probabilityEver` for a passcode with this number of digits.
    public static func probabilityEver(ofPasscodeWithDigits count: Int) -> Double {
        let chance = (0..<count).reduce(1.0) { chance, _ in chance / 10 }
        return 1 - (0..<SecretBudget.ofStrangers).reduce(1.0) { product, _ in product * (1 - chance) }
    }
}
