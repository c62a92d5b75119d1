import GateModel

/// One thing that is shown for a request: what the policy still needs, one after the other.
indirect enum Step: Hashable, Sendable {
    case challenge(ChallengeSpecification)
    /// Somebody has to sign in. `SignIn/LogIn` brings it about.
    case signIn
    /// Something has to be paid for. A claim brings it about.
    case paywall(Paywall)
    /// A form has to be filled in. Completing it brings it about.
    case form(FormInvitation)
    /// Somebody is told what is new in an app (F-56).
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

    /// Whether it is a question that a grown-up answers. Everything else leaves a screen to it.
    var isQuestion: Bool {
        switch self {
        case .challenge: true
        case .signIn, .paywall, .form, .whatsNew: false
        }
    }

    /// Whether it is closed by the state alone, and never by an answer.
    var isClosedByState: Bool {
        switch self {
        case .challenge, .whatsNew: false
        case .signIn, .paywall, .form: true
        }
    }

    /// Through whom a paywall sells; `nil`: it is no paywall.
    var provider: ClaimProvider? {
        switch self {
        case .paywall(let paywall): paywall.provider
        case .challenge, .signIn, .form, .whatsNew: nil
        }
    }

    /// Passwords and secrets, and what a policy leaves to grown-ups, are not for any presenter.
    var isForGrownUpPresenters: Bool {
        switch self {
        case .challenge(let specification): specification.kind.isSecret || specification.answeredBy == .grownUp
        case .signIn: true
        case .form(let invitation): invitation.isForGrownUps
        case .paywall, .whatsNew: false
        }
    }

    /// Whether its answer is something that grown-ups alone know.
    var isSecret: Bool {
        switch self {
        case .challenge(let specification): specification.kind.isSecret
        case .signIn: true
        case .paywall, .form, .whatsNew: false
        }
    }

    /// Whether a guardian of the household may answer it from elsewhere: what is for grown-ups, and takes no secret of this device.
    var isForGuardians: Bool {
        switch self {
        case .challenge(let specification): specification.answeredBy == .grownUp && !specification.kind.isSecret
        case .signIn, .paywall, .form, .whatsNew: false
        }
    }

    /// Whether the peer that asks for something may show this to the person there.
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

    /// How long it stays open once it can be shown.
    func showTime(_ configuration: Configuration) -> Duration {
        switch self {
        case .challenge: configuration.answerTime
        case .signIn: Limits.signInTime
        case .paywall: Limits.paywallTime
        case .form: Limits.formTime
        case .whatsNew: Limits.whatsNewTime
        }
    }

    /// The journal's kind when it is opened.
    var openedKind: AuditEntry.Kind {
        switch self {
        case .challenge: .challengeOpened
        case .signIn: .signInOpened
        case .paywall: .paywallOpened
        case .form: .formAsked
        case .whatsNew: .whatsNewOpened
        }
    }

    /// For the journal.
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

/// The content that is shown, with what the daemon alone knows of it.
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

    /// `nil`: there is no question in it.
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
