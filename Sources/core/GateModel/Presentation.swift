/// One thing to show to a person, and the right to answer it. Programs get it as an `OpenPresentation`.
public struct Presentation: Hashable, Sendable {
    package var summary: PresentationSummary
    /// The secret that lets one presenter answer it.
    package var cookie: PresentationCookie
    package var content: Content

    package init(_ summary: PresentationSummary, cookie: PresentationCookie, content: Content) {
        self.summary = summary
        self.cookie = cookie
        self.content = content
    }

    package init(_ summary: PresentationSummary, cookie: PresentationCookie, challenge: Challenge) {
        self.init(summary, cookie: cookie, content: .challenge(challenge))
    }

    /// The number of the presentation. Presentations are counted from 1, and no number is used twice in the life of a
    /// store.
    package var id: UInt64 { summary.id }
    package var deadline: BootTime { summary.deadline }

    /// What a presentation shows.
    @nonexhaustive
    public enum Content: Hashable, Sendable {
        /// A question to answer.
        case challenge(Challenge)
        /// A form for a name and a password, for `SignIn/LogIn`. Gate closes it when somebody has signed in.
        case signIn
        /// An offer to buy an entitlement. Gate closes the presentation when the entitlement is paid for.
        case paywall(Paywall)
        /// A form to fill in. Gate closes the presentation when the form is completed.
        case form(FormInvitation)
        /// What is new in an app.
        case whatsNew(WhatsNewNotice)
        /// Something that only a newer daemon knows. A presenter can't show it, but can tell the person and dismiss it.
        case unrecognized

        /// The kind of this content.
        public var kind: Kind {
            switch self {
            case .challenge(let challenge): .challenge(challenge.kind)
            case .signIn: .signIn
            case .paywall: .paywall
            case .form: .form
            case .whatsNew: .whatsNew
            case .unrecognized: .unrecognized
            }
        }
    }

    /// The kinds of presentations.
    @nonexhaustive
    public enum Kind: Hashable, Sendable, CaseIterable {
        /// A question.
        case challenge(Challenge.Kind)
        /// A sign-in.
        case signIn
        /// A paywall.
        case paywall
        /// A form.
        case form
        /// What is new in an app.
        case whatsNew
        /// A kind that only a newer daemon knows.
        case unrecognized

        /// All kinds that this version knows, without `unrecognized`.
        public static var allCases: [Kind] {
            Challenge.Kind.allCases.map { .challenge($0) } + [.signIn, .paywall, .form, .whatsNew]
        }

        /// The name in policies and command lines, like "quiz", "sign-in" or "paywall".
        public var name: String {
            switch self {
            case .challenge(let kind): kind.rawValue
            case .signIn: "sign-in"
            case .paywall: "paywall"
            case .form: "form"
            case .whatsNew: "whats-new"
            case .unrecognized: "unrecognized"
            }
        }

        /// `nil` if no kind has this name.
        public init?(name: String) {
            guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
            self = kind
        }

        /// The kind of question; `nil` if this is not a challenge.
        public var challenge: Challenge.Kind? {
            switch self {
            case .challenge(let kind): kind
            case .signIn, .paywall, .form, .whatsNew, .unrecognized: nil
            }
        }
    }

    package var challenge: Challenge? {
        switch content {
        case .challenge(let challenge): challenge
        case .signIn, .paywall, .form, .whatsNew, .unrecognized: nil
        }
    }

    /// What a presentation is for.
    @nonexhaustive
    public enum Purpose: Hashable, Sendable, CaseIterable {
        /// To enter parent mode.
        case enterParentMode
        /// To make parent mode last longer.
        case extendParentMode
        /// To grant a gated action.
        case authorize
        /// To sign in because the policy requires it. No program asks for this: Gate itself does.
        case signIn
        /// To pay for an entitlement.
        case pay
        /// To fill in a form.
        case fillForm
        /// To show what is new in an app, at that app's request.
        case whatsNew
        /// A purpose that only a newer daemon knows.
        case unrecognized
    }

    /// How much of the screen a presentation takes.
    @nonexhaustive
    public enum Style: String, Hashable, Sendable, CaseIterable {
        /// A sheet, which a person can dismiss.
        case sheet
        /// A cover over the whole screen.
        case fullScreenCover = "full-screen-cover"
    }

    /// How far a presentation has come.
    @nonexhaustive
    public enum Stage: Hashable, Sendable, CaseIterable {
        /// Other presentations are shown first.
        case waiting
        /// A presenter may claim it.
        case offered
        /// A presenter has claimed it, or the requester shows it itself.
        case claimed
        /// A person can see it.
        case shown
    }
}

/// A presentation without its content and its cookie, which other peers may see.
public struct PresentationSummary: Hashable, Sendable, Identifiable {
    /// The number of the presentation. Presentations are counted from 1 for the life of a store. Not secret.
    public var id: UInt64
    /// What the presentation is for.
    public var purpose: Presentation.Purpose
    /// The kind of what is shown.
    public var kind: Presentation.Kind
    /// When it closes by itself; `BootTime.never` if it does not.
    public var deadline: BootTime
    /// How much of the screen it takes.
    public var style: Presentation.Style
    /// Whether the person may close it without an answer.
    public var isDismissible: Bool
    /// How far the presentation has come.
    public var stage: Presentation.Stage
    /// Who asks, and for what. To be shown to the person.
    public var asked: PresentationContext
    /// How often the person said on a paywall that they have paid already, so that the provider looks again.
    public var restoreCount: UInt32
    /// The provider that the paywall sells through; `nil` if this is not a paywall.
    public var provider: ClaimProvider?

    package init(
        id: UInt64, purpose: Presentation.Purpose, kind: Presentation.Kind, deadline: BootTime,
        style: Presentation.Style,
        isDismissible: Bool, stage: Presentation.Stage, asked: PresentationContext, restoreCount: UInt32 = 0,
        provider: ClaimProvider? = nil
    ) {
        self.id = id
        self.purpose = purpose
        self.kind = kind
        self.deadline = deadline
        self.style = style
        self.isDismissible = isDismissible
        self.stage = stage
        self.asked = asked
        self.restoreCount = restoreCount
        self.provider = provider
    }
}

/// Who asks, and for what.
public struct PresentationContext: Hashable, Sendable {
    /// The user of the program that asks, as the kernel attests it.
    public var uid: UInt32
    /// The process id of the program that asks, as the kernel attests it.
    public var pid: Int32
    /// The name that the program gives itself. It is not verified.
    public var program: String
    /// The name of the gated action; empty if something else is asked for, like parent mode or a payment.
    public var gatedAction: String
    /// The policy's title for the gated action, in each of its languages. Empty if there is no gated action.
    public var titles: LocalizedText
    /// The policy's title for the gated action, in its default language. Empty if there is no gated action.
    public var title: String { titles.text }
    /// Exactly what would be done, like an address or a command line; or the title of the entitlement or the form, or
    /// another text that says what is asked for. One line; may be empty.
    public var details: String
    /// `details` in each of its languages, if it is the title of an entitlement or a form. Empty if it is not, or is in
    /// one language only, which is not named.
    public var translatedDetails: [LocalizedText.Translation]
    /// How long an extended parent mode would last from the answer on, in whole milliseconds; otherwise `nil`.
    public var duration: Duration?
    /// Whether the app itself supplied the form or notes that are shown, so that no administrator has read the words.
    public var isAppsOwn: Bool
    /// The broker that asks on behalf of the process; `nil` if the process asks itself.
    public var broker: Broker?
    /// The name of the household's device that asks. Show it instead of user and process, which mean nothing on this
    /// device. Empty if this device asks.
    public var device: String

    public init(
        uid: UInt32, pid: Int32, program: String, gatedAction: String = "", title: LocalizedText = "",
        details: String = "",
        translatedDetails: [LocalizedText.Translation] = [], duration: Duration? = nil, isAppsOwn: Bool = false,
        broker: Broker? = nil, device: String = ""
    ) {
        self.uid = uid
        self.pid = pid
        self.program = program
        self.gatedAction = gatedAction
        titles = title
        self.details = details
        self.translatedDetails = translatedDetails
        self.duration = duration
        self.isAppsOwn = isAppsOwn
        self.broker = broker
        self.device = device
    }
}

/// What a presenter can show.
public struct PresenterAbilities: Hashable, Sendable {
    /// The kinds of presentations that it can show.
    public var kinds: Set<Presentation.Kind>
    /// The styles in which it can show them.
    public var styles: Set<Presentation.Style>
    /// Whether the presenter has a screen of its own, which comes up when something has to be answered there. Anybody
    /// may stand in front of that screen, so among the questions for grown-ups it is offered only those for secrets.
    public var hasScreenOfItsOwn = false

    public init(kinds: Set<Presentation.Kind>, styles: Set<Presentation.Style>) {
        self.kinds = kinds
        self.styles = styles
    }

    /// A presenter that shows only challenges.
    public init(challenges: Set<Challenge.Kind>, styles: Set<Presentation.Style>) {
        self.init(kinds: Set(challenges.map { .challenge($0) }), styles: styles)
    }
}

/// The message to one presenter, which it gets when it registers and whenever its content changes.
package struct PresenterOffer: Hashable, Sendable {
    /// The presentation that it has claimed, or else the one that it may claim; `nil` if there is none.
    package let presentation: PresentationSummary?
    /// The presentation that another screen shows because this presenter may not; `nil` if there is none.
    package let elsewhere: PresentationElsewhere?
    /// Whether the sign-in cover is open and this presenter could show it. The presenter's desktop then stays hidden,
    /// even while the presenter shows other presentations first, and even while another presenter has the cover.
    package let isCovered: Bool

    package init(
        _ presentation: PresentationSummary? = nil, elsewhere: PresentationElsewhere? = nil, isCovered: Bool = false
    ) {
        self.presentation = presentation
        self.elsewhere = elsewhere
        self.isCovered = isCovered
    }
}

/// The secret that lets one presenter answer one presentation, once. It is never printed.
package struct PresentationCookie: Hashable, Sendable {
    /// 24 bytes: the id of the presentation, big-endian, then 16 random bytes.
    package var bytes: [UInt8]

    package static let byteCount = 24

    /// - Parameter bytes: taken as they are, even if their number is wrong.
    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}

extension PresentationCookie: CustomStringConvertible, CustomReflectable {
    package var description: String { "(cookie)" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Presentation.Content {
    /// Whether answering takes two acts of the person, because a yes or a secret can't be taken back once it is sent.
    package var takesTwoActs: Bool {
        switch self {
        case .challenge(let challenge): challenge.kind == .confirm || challenge.kind.isSecret
        case .signIn: true
        case .paywall, .form, .whatsNew, .unrecognized: false
        }
    }
}
