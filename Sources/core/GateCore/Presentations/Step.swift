import GateModel

/// One thing that is shown for a request. For a gated action, the steps that it still needs come one after the other.
indirect enum Step: Hashable, Sendable {
    case challenge(ChallengeSpecification)
    /// Somebody has to sign in, through `SignIn/LogIn`.
    case signIn
    /// Something has to be bought. The step ends when a provider claims that it was.
    case paywall(Paywall)
    case form(FormInvitation)
    case whatsNew(WhatsNewNotice)

    var kind: Presentation.Kind {
        switch self {
        case .challenge(let specification): .challenge(specification.kind)
        case .signIn: .signIn
        case .paywall: .paywall
        case .form: .form
        case .whatsNew: .whatsNew
        }
    }

    /// Whether it is a challenge. All other steps leave a screen to a challenge.
    var isQuestion: Bool {
        switch self {
        case .challenge: true
        case .signIn, .paywall, .form, .whatsNew: false
        }
    }

    /// Whether the state alone closes it, and never an answer.
    var isClosedByState: Bool {
        switch self {
        case .challenge, .whatsNew: false
        case .signIn, .paywall, .form: true
        }
    }

    var provider: ClaimProvider? {
        switch self {
        case .paywall(let paywall): paywall.provider
        case .challenge, .signIn, .form, .whatsNew: nil
        }
    }

    /// Whether only a grown-up's presenter may show it: it asks for a secret or password, or the policy says so.
    var isForGrownUpPresenters: Bool {
        switch self {
        case .challenge(let specification): specification.takesGrownUp
        case .signIn: true
        case .form(let invitation): invitation.isForGrownUps
        case .paywall, .whatsNew: false
        }
    }

    /// Whether its answer is a secret that only grown-ups know.
    var isSecret: Bool {
        switch self {
        case .challenge(let specification): specification.kind.isSecret
        case .signIn: true
        case .paywall, .form, .whatsNew: false
        }
    }

    /// Whether a guardian may answer it on another device: it is for grown-ups, and needs no secret of this device.
    var isForGuardians: Bool {
        switch self {
        case .challenge(let specification): specification.answeredBy == .grownUp && !specification.kind.isSecret
        case .signIn, .paywall, .form, .whatsNew: false
        }
    }

    /// How long the question may wait for a grown-up, from when it is asked, even after its call has ended. `nil`: the
    /// question ends with its call.
    var mayWait: Duration? {
        switch self {
        case .challenge(let specification): specification.mayWait
        case .signIn, .paywall, .form, .whatsNew: nil
        }
    }

    var isForRequesters: Bool {
        switch self {
        case .challenge(let specification):
            switch specification.answeredBy {
            case .anybody: true
            case .grownUp: false
            }
        case .signIn, .paywall, .form, .whatsNew: true
        }
    }

    func showTime(_ configuration: Configuration) -> Duration {
        switch self {
        case .challenge: configuration.answerTime
        case .signIn: Limits.signInTime
        case .paywall: Limits.paywallTime
        case .form: Limits.formTime
        case .whatsNew: Limits.whatsNewTime
        }
    }

    var openedKind: AuditEntry.Kind {
        switch self {
        case .challenge: .challengeOpened
        case .signIn: .signInOpened
        case .paywall: .paywallOpened
        case .form: .formAsked
        case .whatsNew: .whatsNewOpened
        }
    }

    var name: String {
        switch self {
        case .challenge: "challenge"
        case .signIn: "sign-in"
        case .paywall: "paywall"
        case .form: "form"
        case .whatsNew: "what's new"
        }
    }
}

/// The content that is shown, together with what only the daemon knows about it.
enum SealedContent: Hashable, Sendable {
    case challenge(SealedChallenge)
    case signIn
    case paywall(Paywall)
    case form(FormInvitation)
    case whatsNew(WhatsNewNotice)

    var content: Presentation.Content {
        switch self {
        case .challenge(let sealed): .challenge(sealed.challenge)
        case .signIn: .signIn
        case .paywall(let paywall): .paywall(paywall)
        case .form(let invitation): .form(invitation)
        case .whatsNew(let notice): .whatsNew(notice)
        }
    }

    var sealed: SealedChallenge? {
        switch self {
        case .challenge(let sealed): sealed
        case .signIn, .paywall, .form, .whatsNew: nil
        }
    }

    static func make(
        _ step: Step, questions: [QuizQuestion], using random: inout some RandomNumberGenerator
    ) -> SealedContent {
        switch step {
        case .challenge(let specification): .challenge(.make(specification, questions: questions, using: &random))
        case .signIn: .signIn
        case .paywall(let paywall): .paywall(paywall)
        case .form(let invitation): .form(invitation)
        case .whatsNew(let notice): .whatsNew(notice)
        }
    }
}

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

    enum Solution: Hashable, Sendable {
        case number(Int)
        /// The number of the right choice, from 1.
        case choice(Int, of: Int)
        /// The answer "yes".
        case permission
        /// A date of birth at least this many years ago.
        case birthdate(minimumAge: Int, BirthdateCalendar)
        case passcode
        /// A present code of the authenticator. The daemon computes it, not the core.
        case totp
        /// Pressed for at least this long.
        case hold(Duration)
        case swipe(SwipeGesture)
    }

    let challenge: Challenge
    private let solution: Solution

    init(_ challenge: Challenge, solution: Solution) {
        self.challenge = challenge
        self.solution = solution
    }

    /// The order in which each kind draws random numbers is fixed, so that the same generator gives the same question
    /// in the daemon and in a script. Confirm, birthdate, passcode, totp and hold draw nothing.
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

    /// `now` is when the answer arrived, which ends a hold. `wallTime` is the present time, by which a date of birth is
    /// judged. `pressedAt` is when the presenter reported the beginning of a hold; `nil`: it has not.
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
