import GateModel

/// One thing that is shown for a request. A request for a gated action shows the steps that the policy still needs, one
/// after the other.
indirect enum Step: Hashable, Sendable {
    case challenge(ChallengeSpecification)
    /// Somebody has to sign in, through `SignIn/LogIn`.
    case signIn
    /// Something has to be paid for. A provider's claim does it.
    case paywall(Paywall)
    /// A form has to be filled in and completed.
    case form(FormInvitation)
    /// The release notes of an app are shown.
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

    /// The provider through which a paywall sells; `nil` if it is no paywall or names none.
    var provider: ClaimProvider? {
        switch self {
        case .paywall(let paywall): paywall.provider
        case .challenge, .signIn, .form, .whatsNew: nil
        }
    }

    /// Whether only a grown-up's presenter may show it: it asks for a secret or a password, or the policy leaves it to
    /// grown-ups.
    var isForGrownUpPresenters: Bool {
        switch self {
        case .challenge(let specification): specification.kind.isSecret || specification.answeredBy == .grownUp
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

    /// Whether a guardian of the household may answer it on another device: it is for grown-ups, and needs no secret of
    /// this device.
    var isForGuardians: Bool {
        switch self {
        case .challenge(let specification): specification.answeredBy == .grownUp && !specification.kind.isSecret
        case .signIn, .paywall, .form, .whatsNew: false
        }
    }

    /// Whether the requester may show it on its own screen.
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

    /// The kind of journal entry for opening it.
    var openedKind: AuditEntry.Kind {
        switch self {
        case .challenge: .challengeOpened
        case .signIn: .signInOpened
        case .paywall: .paywallOpened
        case .form: .formAsked
        case .whatsNew: .whatsNewOpened
        }
    }

    /// The name for the journal.
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

    /// The challenge; `nil` if the content is none.
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
