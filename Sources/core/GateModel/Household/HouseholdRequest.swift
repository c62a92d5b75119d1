/// A question of one device of the household that a guardian may answer on another device.
public struct HouseholdRequest: Hashable, Sendable, Identifiable {
    /// The device that asks.
    public var device: HouseholdID
    /// The number of the question. On a guardian's device these count up from a random number of six digits while the
    /// daemon runs; on the device that asks, it is the id of the presentation.
    public var id: UInt64
    /// What a guardian is asked for.
    public var purpose: Presentation.Purpose
    /// The program that asks, what it asks for, and the name of the device. `uid` and `pid` are those of the other
    /// device, so they mean nothing here.
    public var asked: PresentationContext
    /// When the question was asked, by the clock of the device that asks.
    public var askedAt: WallTime

    public init(
        device: HouseholdID, id: UInt64, purpose: Presentation.Purpose, asked: PresentationContext, askedAt: WallTime
    ) {
        self.device = device
        self.id = id
        self.purpose = purpose
        self.asked = asked
        self.askedAt = askedAt
    }

    /// The longest that a question of another device stays open.
    package static let longestLife = Duration.seconds(3600)

    /// The gated action that guards a yes that is given without a presentation of the question.
    public static let gatedAction = "household.answer"

    /// The details of the grant for `household.answer` that lets a yes to this question be sent.
    public var grantDetails: String {
        let what =
            switch purpose {
            case .enterParentMode: "parent mode"
            case .extendParentMode: "parent mode " + (asked.duration.map { "for \($0.shortText)" } ?? "longer")
            default: asked.title.isEmpty ? asked.gatedAction : asked.title
            }
        let details = purpose == .authorize && !asked.details.isEmpty ? ": \(asked.details)" : ""
        return "\(asked.device): \(what)\(details)"
    }
}

/// What a question says: the content that the asking device signs.
package struct RequestWords: Hashable, Sendable {
    package var household: HouseholdID
    package var device: HouseholdID
    /// The id of the presentation on the device that asks, here and in the types below.
    package var number: UInt64
    package var purpose: Presentation.Purpose
    /// What the asking device shows. The device's name in it is empty, because guardians' devices take the name from
    /// the household's list.
    package var asked: PresentationContext
    /// `nil` for a question of a call that is open; else the question waits.
    package var ask: HouseholdAsk?

    /// The longest name of a program, in bytes of UTF-8. The daemon cuts a longer name when the program connects.
    package static let maximumProgramByteCount = 64

    package init(
        household: HouseholdID, device: HouseholdID, number: UInt64, purpose: Presentation.Purpose,
        asked: PresentationContext, ask: HouseholdAsk? = nil
    ) {
        self.household = household
        self.device = device
        self.number = number
        self.purpose = purpose
        self.asked = asked
        self.ask = ask
    }
}

extension RequestWords {
    /// A character can carry any number of accents, so a limit on characters alone would not limit the bytes.
    private static let maximumTitleByteCount = 16 * WhatsNewLimits.titleLength

    /// Whether the words obey the limits for this device's own programs and policies: each text is one line and not too
    /// long, each translation has a language tag. Checked because a manipulated device can sign anything.
    package var areOfKnownForm: Bool {
        asked.program.utf8.count <= Self.maximumProgramByteCount && asked.program.isSingleLine
            && (asked.gatedAction.isEmpty || asked.gatedAction.isDottedName)
            && asked.titles.isLine {
                $0.count <= WhatsNewLimits.titleLength && $0.utf8.count <= Self.maximumTitleByteCount
            }
            && LocalizedText(asked.details, asked.translatedDetails).isLine {
                $0.utf8.count <= AuthorizationRequest.maximumDetailsByteCount
            }
            && asked.duration.map { $0 > .zero && $0 <= Configuration.longestLease } ?? true
            && ask.map { $0.areOfKnownForm && purpose == .authorize } ?? true
    }
}

extension LocalizedText {
    fileprivate func isLine(_ isShort: (String) -> Bool) -> Bool {
        translations.count <= Self.maximumTranslationCount && translations.allSatisfy { $0.language.isLanguageTag }
            && Set(translations.map { $0.language.lowercased() }).count == translations.count
            && ([text] + translations.map(\.text)).allSatisfy { isShort($0) && $0.isSingleLine }
    }
}

/// A guardian's yes or no to a question of another device.
public struct RequestAnswer: Hashable, Sendable {
    /// The id of the presentation on the device that asks, or the number of its ask.
    package var number: UInt64
    /// The SHA-256 of the words that the guardian was shown, 32 bytes. Empty for an ask, which its nonce identifies.
    package var shown: [UInt8]
    /// True for yes, false for no.
    public var isApproved: Bool
    /// `nil` unless an ask is answered.
    package var ask: AskEcho?

    package init(number: UInt64, shown: [UInt8], isApproved: Bool) {
        self.number = number
        self.shown = shown
        self.isApproved = isApproved
    }

    /// An answer to an ask.
    package init(number: UInt64, ask: AskEcho, isApproved: Bool) {
        self.init(number: number, shown: [], isApproved: isApproved)
        self.ask = ask
    }
}

/// A question of another device that was opened with this device's key, and whose signature was checked.
package struct HeardRequest: Hashable, Sendable {
    package var words: RequestWords
    /// The SHA-256 of the words, 32 bytes.
    package var shown: [UInt8]
    /// The key that the signature was checked with. If the household's list has another now, the question is dropped.
    package var verifiedBy: [UInt8]
    /// How much longer the question stays open.
    package var left: Duration
    /// When the question was asked, by the clock of the device that asks.
    package var askedAt: WallTime

    package init(
        words: RequestWords, shown: [UInt8], verifiedBy: [UInt8], left: Duration, askedAt: WallTime
    ) {
        self.words = words
        self.shown = shown
        self.verifiedBy = verifiedBy
        self.left = left
        self.askedAt = askedAt
    }

    package var name: RequestName { RequestName(words.device, words.number) }
}

/// Names a question among those of all devices.
package struct RequestName: Hashable, Sendable, Comparable {
    package var device: HouseholdID
    package var number: UInt64

    package init(_ device: HouseholdID, _ number: UInt64) {
        self.device = device
        self.number = number
    }

    package static func < (left: RequestName, right: RequestName) -> Bool {
        (left.device.description, left.number) < (right.device.description, right.number)
    }
}

/// What changed about the questions of other devices.
package struct RequestNews: Hashable, Sendable {
    package var heard: [HeardRequest]
    package var closed: [RequestName]
    /// Whether `heard` lists all open questions, so that any other is closed.
    package var isAll: Bool

    package init(heard: [HeardRequest] = [], closed: [RequestName] = [], isAll: Bool = false) {
        self.heard = heard
        self.closed = closed
        self.isAll = isAll
    }
}

/// A question of this device on its way to guardians.
package struct OutgoingRequest: Hashable, Sendable {
    package var number: UInt64
    /// The kind of question, like "confirm"; for an ask, an `AskKind`.
    package var kind: String
    package var askedAt: WallTime
    package var left: Duration
    /// The words, sealed to each guardian's device separately.
    package var sealed: [SealedRequest]
    /// The words in plain text for Home Assistant; `nil` if it may not have them.
    package var clear: ClearWords?

    package init(
        number: UInt64, kind: String, askedAt: WallTime, left: Duration, sealed: [SealedRequest],
        clear: ClearWords? = nil
    ) {
        self.number = number
        self.kind = kind
        self.askedAt = askedAt
        self.left = left
        self.sealed = sealed
        self.clear = clear
    }
}

/// The words of a question as this device shows them, in plain text for Home Assistant.
package struct ClearWords: Hashable, Sendable {
    package var purpose: Presentation.Purpose
    package var asked: PresentationContext

    package init(purpose: Presentation.Purpose, asked: PresentationContext) {
        self.purpose = purpose
        self.asked = asked
    }
}

/// The words of a question, sealed to one device.
package struct SealedRequest: Hashable, Sendable {
    package var device: HouseholdID
    /// The encapsulated key, followed by the ciphertext.
    package var sealed: [UInt8]

    package init(device: HouseholdID, sealed: [UInt8]) {
        self.device = device
        self.sealed = sealed
    }
}

/// All questions of this device that guardians may answer, at one moment.
package struct OutgoingRequests: Hashable, Sendable {
    /// Counts the changes of what is open.
    package var change: UInt64
    /// In the order in which they were asked.
    package var requests: [OutgoingRequest]

    package init(change: UInt64, requests: [OutgoingRequest]) {
        self.change = change
        self.requests = requests
    }
}

/// News about a question of another device, as it arrived: the question itself, or that it is closed.
package struct ArrivedRequest: Hashable, Sendable {
    /// The most that gated accepts in one call.
    package static let maximumCount = 64

    package var name: RequestName
    /// The words, sealed to this device; empty if the question is closed.
    package var sealed: [UInt8]
    package var left: Duration
    package var askedAt: WallTime

    package init(name: RequestName, sealed: [UInt8], left: Duration, askedAt: WallTime) {
        self.name = name
        self.sealed = sealed
        self.left = left
        self.askedAt = askedAt
    }
}
