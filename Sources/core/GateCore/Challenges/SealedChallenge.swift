import GateModel

/// A challenge together with its solution. The solution never leaves the daemon and is in no dump of the state.
struct SealedChallenge: Hashable, Sendable {
    enum Verdict: Hashable, Sendable {
        case right
        case wrong
        /// A grown-up said no.
        case refused
        /// The text is no answer at all, for example "90x". Nothing is counted, and the question stays open. The
        /// sentence tells the person what an answer is.
        case notAnAnswer(String)
        /// The daemon has to check whether this is the secret, because hashing is slow and needs libraries.
        case checkSecret(GateSecret)
    }

    /// What makes an answer right.
    enum Solution: Hashable, Sendable {
        /// The result, chosen or typed.
        case number(Int)
        /// The number of the right choice, from 1.
        case choice(Int, of: Int)
        /// The answer "yes".
        case permission
        /// A date of birth at least this many years ago.
        case birthdate(minimumAge: Int, BirthdateCalendar)
        /// The passcode, of which the core only has a hash.
        case passcode
        /// A present code of the authenticator. The daemon computes it, not the core.
        case totp
        /// Pressed for at least this long.
        case hold(Duration)
        case swipe(SwipeGesture)
    }

    /// The challenge as the person sees it.
    let challenge: Challenge
    private let solution: Solution

    init(_ challenge: Challenge, solution: Solution) {
        self.challenge = challenge
        self.solution = solution
    }

    /// A new question of the kind that the policy describes, with its solution.
    ///
    /// The order in which each kind draws random numbers is fixed, so that the same generator gives the same question
    /// in the daemon and in a script. Confirm, birthdate, passcode, totp and hold draw nothing.
    ///
    /// - Parameter questions: the question bank for `quiz`.
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

    /// Judges an answer.
    ///
    /// - Parameters:
    ///   - now: when the answer arrived. It ends a hold.
    ///   - wallTime: the present time, by which a date of birth is judged.
    ///   - pressedAt: when the presenter reported the beginning of a hold; `nil`: it has not.
    func verdict(on answer: ChallengeAnswer, at now: BootTime, wallTime: WallTime, pressedAt: BootTime?) -> Verdict {
        switch solution {
        case .number(let number):
            ArithmeticChallenge.verdict(on: answer, solution: number, isChosen: challenge.answering != .number)
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
