/// One thing to show to a person (F-05, F-06), with the right to answer it.
public struct Presentation: Hashable, Sendable, Identifiable {
    public var summary: PresentationSummary
    public var cookie: Cookie
    public var challenge: Challenge

    public init(_ summary: PresentationSummary, cookie: Cookie, challenge: Challenge) {
        self.summary = summary
        self.cookie = cookie
        self.challenge = challenge
    }

    public var id: UInt64 { summary.id }
    public var deadline: BootTime { summary.deadline }

    /// What a right answer leads to.
    public enum Purpose: Hashable, Sendable, CaseIterable {
        case enterParentMode
        case extendParentMode
        /// A grant for a gated action (F-16, F-18).
        case authorize
    }

    /// How a presentation takes the screen.
    public enum Style: String, Hashable, Sendable, CaseIterable {
        /// Its user can dismiss it (F-65).
        case sheet
        /// It covers everything.
        case fullScreenCover = "full-screen-cover"
    }

    /// How far a presentation has come.
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
    public var purpose: Presentation.Purpose
    public var kind: Challenge.Kind
    /// When it closes by itself.
    public var deadline: BootTime
    public var style: Presentation.Style
    /// Whether the person may close it without an answer.
    public var isDismissible: Bool
    public var stage: Presentation.Stage
    /// Who asks, and for what. To be shown.
    public var asked: Asked

    public init(
        id: UInt64, purpose: Presentation.Purpose, kind: Challenge.Kind, deadline: BootTime, style: Presentation.Style,
        isDismissible: Bool, stage: Presentation.Stage, asked: Asked
    ) {
        self.id = id
        self.purpose = purpose
        self.kind = kind
        self.deadline = deadline
        self.style = style
        self.isDismissible = isDismissible
        self.stage = stage
        self.asked = asked
    }
}

/// Who asks for something, and for what.
public struct Asked: Hashable, Sendable {
    /// As the kernel says.
    public var uid: UInt32
    /// As the kernel says.
    public var pid: Int32
    /// As the program names itself: unverified.
    public var program: String
    /// Empty for the mode.
    public var gatedAction: String
    /// What the policy calls it. Empty for the mode.
    public var title: String
    /// Exactly what would be done: the URL, the command line, the amount. One line; may be empty.
    public var details: String

    public init(
        uid: UInt32, pid: Int32, program: String, gatedAction: String = "", title: String = "", details: String = ""
    ) {
        self.uid = uid
        self.pid = pid
        self.program = program
        self.gatedAction = gatedAction
        self.title = title
        self.details = details
    }
}

/// What a presenter can show.
public struct PresenterAbilities: Hashable, Sendable {
    public var kinds: Set<Challenge.Kind>
    public var styles: Set<Presentation.Style>

    public init(kinds: Set<Challenge.Kind>, styles: Set<Presentation.Style>) {
        self.kinds = kinds
        self.styles = styles
    }
}

/// The secret that lets one presenter answer one presentation, once. It is never printed.
public struct Cookie: Hashable, Sendable {
    /// 24 bytes: the presentation's id, big-endian, then 16 random bytes.
    public var bytes: [UInt8]

    public static let byteCount = 24

    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}

extension Cookie: CustomStringConvertible, CustomReflectable {
    public var description: String { "(cookie)" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
