/// One thing to show to a person (F-05, F-06), with the right to answer it. Programs get it as an `OpenPresentation`.
public struct Presentation: Hashable, Sendable {
    /// The summary that others may see.
    package var summary: PresentationSummary
    /// The secret that lets one presenter answer it.
    package var cookie: PresentationCookie
    /// The content to show.
    package var content: Content

    /// Makes a presentation of these values.
    package init(_ summary: PresentationSummary, cookie: PresentationCookie, content: Content) {
        self.summary = summary
        self.cookie = cookie
        self.content = content
    }

    /// Makes a presentation of a challenge.
    package init(_ summary: PresentationSummary, cookie: PresentationCookie, challenge: Challenge) {
        self.init(summary, cookie: cookie, content: .challenge(challenge))
    }

    /// Counts up from 1 for the life of a store: no number comes twice.
    package var id: UInt64 { summary.id }
    /// When it closes by itself.
    package var deadline: BootTime { summary.deadline }

    /// The content that is shown.
    @nonexhaustive
    public enum Content: Hashable, Sendable {
        /// A question with one answer.
        case challenge(Challenge)
        /// A name and a password. They go to `SignIn/LogIn`; the state closes the presentation (F-49, F-64).
        case signIn
        /// An offer to buy. The state closes it when it is paid for.
        case paywall(Paywall)
        /// A form to fill in. The state closes it when it is completed.
        case form(FormInvitation)
        /// The notes on what is new in an app (F-56).
        case whatsNew(WhatsNewNotice)
        /// Something that a newer daemon knows. Anyone who reads it so can't show it, but can say that, and dismiss it.
        case unrecognized

        /// The kind of what is shown.
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

    /// The kinds of presentation.
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
        /// The news of an app.
        case whatsNew
        /// One that a newer daemon knows.
        case unrecognized

        /// The kinds that somebody can ask for and show.
        public static var allCases: [Kind] {
            Challenge.Kind.allCases.map { .challenge($0) } + [.signIn, .paywall, .form, .whatsNew]
        }

        /// As policies and command lines say it: "quiz", "sign-in", "paywall".
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

        /// The kind with this name; `nil`: there is none.
        public init?(name: String) {
            guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
            self = kind
        }

        /// `nil`: it is no challenge.
        public var challenge: Challenge.Kind? {
            switch self {
            case .challenge(let kind): kind
            case .signIn, .paywall, .form, .whatsNew, .unrecognized: nil
            }
        }
    }

    /// The question, if it is one.
    package var challenge: Challenge? {
        switch content {
        case .challenge(let challenge): challenge
        case .signIn, .paywall, .form, .whatsNew, .unrecognized: nil
        }
    }

    /// The purpose of a presentation.
    @nonexhaustive
    public enum Purpose: Hashable, Sendable, CaseIterable {
        /// Somebody wants parent mode.
        case enterParentMode
        /// Somebody wants parent mode to last longer.
        case extendParentMode
        /// A grant for a gated action (F-16, F-18).
        case authorize
        /// Somebody is to sign in, because the policy says so (F-49). Gate itself asks.
        case signIn
        /// An entitlement that somebody asked for (F-51, F-54).
        case pay
        /// A form that somebody wants to be filled in.
        case fillForm
        /// The notes on what is new in an app, which says it (F-58).
        case whatsNew
        /// One that a newer daemon knows.
        case unrecognized
    }

    /// How a presentation takes the screen.
    @nonexhaustive
    public enum Style: String, Hashable, Sendable, CaseIterable {
        /// Its user can dismiss it (F-65).
        case sheet
        /// It covers everything.
        case fullScreenCover = "full-screen-cover"
    }

    /// How far a presentation has come.
    @nonexhaustive
    public enum Stage: Hashable, Sendable, CaseIterable {
        /// Another one is shown first.
        case waiting
        /// A presenter may claim it.
        case offered
        /// A presenter has it, or the requester that presents its own.
        case claimed
        /// A person can see it.
        case shown
    }
}

/// A presentation without its content and cookie.
public struct PresentationSummary: Hashable, Sendable, Identifiable {
    /// Counts up from 1 for the life of a store. Not secret.
    public var id: UInt64
    /// The reason why it is shown.
    public var purpose: Presentation.Purpose
    /// The kind of what is shown.
    public var kind: Presentation.Kind
    /// When it closes by itself; `BootTime.never`: it does not.
    public var deadline: BootTime
    /// How it is shown.
    public var style: Presentation.Style
    /// Whether the person may close it without an answer.
    public var isDismissible: Bool
    /// How far it is.
    public var stage: Presentation.Stage
    /// The asker, and what is asked for. To be shown.
    public var asked: PresentationContext
    /// How often somebody has asked on a paywall to look for a payment that was made already.
    public var restoreCount: UInt32
    /// Through whom a paywall sells; `nil`: it is no paywall.
    public var provider: ClaimProvider?

    /// Makes a summary of these values.
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

/// The asker, and what is asked for.
public struct PresentationContext: Hashable, Sendable {
    /// As the kernel says.
    public var uid: UInt32
    /// As the kernel says.
    public var pid: Int32
    /// As the program names itself: unverified.
    public var program: String
    /// Empty for the mode.
    public var gatedAction: String
    /// The policy's name for it, in each of its languages. Empty for the mode.
    public var titles: LocalizedText
    /// The policy's name for it, in its default language.
    public var title: String { titles.text }
    /// Exactly what would be done: the URL, the command line, the amount. One line; may be empty.
    public var details: String
    /// Where `details` is a title itself, an entitlement's or a form's, that in each of its languages. Empty: it is none, or in
    /// one language, which is not named.
    public var translatedDetails: [LocalizedText.Translation]
    /// For a longer lease: how long, in whole milliseconds.
    public var duration: Duration?
    /// The form or the news that is shown was brought by the app itself (F-85): no administrator has read its words.
    public var isAppsOwn: Bool
    /// The broker that asks for the process; `nil`: it asks itself.
    public var broker: Broker?
    /// The name of the device of the household where it is asked: show it in place of user and process, which say nothing here. Empty:
    /// it is asked on this device.
    public var device: String

    /// Makes a value of these.
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

/// The presentations that a presenter can show.
public struct PresenterAbilities: Hashable, Sendable {
    /// The kinds of presentations that it can show.
    public var kinds: Set<Presentation.Kind>
    /// The styles in which it can show them.
    public var styles: Set<Presentation.Style>
    /// Whether it has a screen of its own, which comes up when something is to be answered there (S-15). Anyone may stand in front of
    /// that: of what is for presenters of grown-ups alone, it is offered secrets and nothing else.
    public var hasScreenOfItsOwn = false

    /// Makes abilities of these values.
    public init(kinds: Set<Presentation.Kind>, styles: Set<Presentation.Style>) {
        self.kinds = kinds
        self.styles = styles
    }

    /// Shows challenges alone.
    public init(challenges: Set<Challenge.Kind>, styles: Set<Presentation.Style>) {
        self.init(kinds: Set(challenges.map { .challenge($0) }), styles: styles)
    }
}

/// The secret that lets one presenter answer one presentation, once. It is never printed.
package struct PresentationCookie: Hashable, Sendable {
    /// 24 bytes: the presentation's id, big-endian, then 16 random bytes.
    package var bytes: [UInt8]

    /// The number of bytes of a cookie.
    package static let byteCount = 24

    /// Takes the bytes as they are.
    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}

extension PresentationCookie: CustomStringConvertible, CustomReflectable {
    package var description: String { "(cookie)" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Presentation.Content {
    /// Whether it takes two acts to answer it: a yes and a secret can't be taken back once they are out.
    package var takesTwoActs: Bool {
        switch self {
        case .challenge(let challenge): challenge.kind == .confirm || challenge.kind.isSecret
        case .signIn: true
        case .paywall, .form, .whatsNew, .unrecognized: false
        }
    }
}
