import GateModel

/// A challenge together with its solution, which never leaves the daemon (F-06) and is in no dump of the state.
struct SealedChallenge: Hashable, Sendable {
    /// The verdict on an answer.
    enum Verdict: Hashable, Sendable {
        case right
        case wrong
        /// A grown-up has said no.
        case refused
        /// Not an answer at all, such as "90x" (F-24): nothing is counted, the question stays open. With the sentence
        /// that says what an answer would be.
        case notAnAnswer(String)
        /// Whether this is the secret has to be found out elsewhere: hashing is slow and needs libraries.
        case checkSecret(GateSecret)
    }

    /// The rule that makes an answer right.
    enum Solution: Hashable, Sendable {
        /// The result, chosen or typed.
        case number(Int)
        /// The number of the right one among the choices, from 1.
        case choice(Int, of: Int)
        /// "yes"
        case permission
        /// A day so many years ago, or earlier.
        case birthdate(minimumAge: Int, BirthdateCalendar)
        /// The core does not know it.
        case passcode
        /// The core does not know it.
        case totp
        /// Pressed for so long.
        case hold(Duration)
        case swipe(SwipeGesture)
    }

    /// The challenge that the person sees.
    let challenge: Challenge
    private let solution: Solution

    init(_ challenge: Challenge, solution: Solution) {
        self.challenge = challenge
        self.solution = solution
    }

    /// A new question as the policy describes it, with its solution sealed in.
    ///
    /// The order in which each kind draws random numbers is part of its meaning: the same generator gives the same
    /// question, in the daemon and in a script. What confirm, birthdate, passcode, totp and hold ask is always the
    /// same; they draw nothing.
    ///
    /// - Parameter questions: what `quiz` draws from.
    static func make(
        _ specification: ChallengeSpecification, questions: [QuizQuestion],
        using random: inout some RandomNumberGenerator
    ) -> SealedChallenge {
        let difficulty = specification.difficulty
        return switch specification.kind {
        case .arithmeticChoice: ArithmeticChallenge.choice(difficulty, using: &random)
        case .arithmeticEntry: ArithmeticChallenge.entry(difficulty, using: &random)
        case .shapes: ShapesChallenge.make(difficulty, using: &random)
        case .quiz: QuizChallenge.make(difficulty, questions: questions, using: &random)
        case .confirm: ConfirmChallenge.make()
        case .birthdate:
            BirthdateChallenge.make(minimumAge: specification.minimumAge, calendar: specification.calendar)
        case .passcode: SecretChallenge.passcode
        case .totp: SecretChallenge.totp
        case .hold: HoldChallenge.make(specification.holdDuration)
        case .swipe: SwipeChallenge.make(difficulty, using: &random)
        }
    }

    /// Judges this answer, given now.
    ///
    /// - Parameters:
    ///   - now: when the answer came; a hold is timed by it.
    ///   - wallTime: what day it is, for a date of birth.
    ///   - pressedAt: when the presenter reported that a hold had begun; `nil`: it has not.
    func verdict(on answer: ChallengeAnswer, at now: BootTime, wallTime: WallTime, pressedAt: BootTime?) -> Verdict {
        switch solution {
        case .number(let number):
            ArithmeticChallenge.verdict(on: answer, solution: number, isChosen: challenge.kind != .arithmeticEntry)
        case .choice(let number, let count): QuizChallenge.verdict(on: answer, solution: number, of: count)
        case .permission: ConfirmChallenge.verdict(on: answer)
        case .birthdate(let minimumAge, let calendar):
            BirthdateChallenge.verdict(on: answer, minimumAge: minimumAge, calendar: calendar, today: wallTime)
        case .passcode: SecretChallenge.verdict(onPasscode: answer)
        case .totp: SecretChallenge.verdict(onCode: answer)
        case .hold(let duration):
            HoldChallenge.verdict(on: answer, duration: duration, pressedAt: pressedAt, releasedAt: now)
        case .swipe(let gesture): SwipeChallenge.verdict(on: answer, solution: gesture)
        }
    }
}

extension SealedChallenge: CustomStringConvertible, CustomReflectable {
    var description: String { "\(challenge)" }
    var customMirror: Mirror { Mirror(self, children: ["challenge": challenge]) }
}
