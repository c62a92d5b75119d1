/// One thing to show to a person (F-05, F-06).
public struct Presentation: Hashable, Sendable, Identifiable {
    /// What a right answer leads to.
    public enum Purpose: Hashable, Sendable, CaseIterable {
        case enterParentMode
        case extendParentMode
    }

    /// How a presentation takes the screen.
    public enum Style: Hashable, Sendable, CaseIterable {
        /// Its user can dismiss it (F-65).
        case sheet
        /// It covers everything.
        case fullScreenCover
    }

    /// Counts up from 1 for the life of a store. Not secret.
    public var id: UInt64
    public var cookie: Cookie
    public var purpose: Purpose
    /// When it closes by itself.
    public var deadline: BootTime
    public var style: Style
    /// Whether the person may close it without an answer.
    public var isDismissible: Bool
    public var challenge: Challenge

    public init(
        id: UInt64, cookie: Cookie, purpose: Purpose, deadline: BootTime, style: Style, isDismissible: Bool,
        challenge: Challenge
    ) {
        self.id = id
        self.cookie = cookie
        self.purpose = purpose
        self.deadline = deadline
        self.style = style
        self.isDismissible = isDismissible
        self.challenge = challenge
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
