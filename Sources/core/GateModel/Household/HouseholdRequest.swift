/// A question of a device of the household that a guardian may answer from another one (H-04).
public struct HouseholdRequest: Hashable, Sendable, Identifiable {
    /// The device that asks.
    public var device: HouseholdID
    /// Its number. On a guardian's device: counts up from 1 while the daemon runs. On the device that asks: its presentation's.
    public var id: UInt64
    /// The purpose: what a guardian is asked for.
    public var purpose: Presentation.Purpose
    /// The program that asks, and for what, with the name of the device. User and process are those of another device, and say nothing.
    public var asked: PresentationContext
    /// When it was asked, by the clock of the device that asks.
    public var askedAt: WallTime

    /// Makes a request of these values.
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

    /// The gated action that stands before a yes which no presenter has asked for.
    public static let gatedAction = "household.answer"

    /// The details of the grant for `household.answer` that sends a yes to this.
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

/// The words of a question, as the device that asks has signed them.
package struct RequestWords: Hashable, Sendable {
    /// The household.
    package var household: HouseholdID
    /// The device that asks.
    package var device: HouseholdID
    /// The id of its presentation there.
    package var number: UInt64
    /// The purpose: what a guardian is asked for.
    package var purpose: Presentation.Purpose
    /// As the device has shown it; the device's own name is the list's.
    package var asked: PresentationContext

    /// How a program names itself, in bytes of UTF-8; a longer name is cut where the program asks.
    package static let maximumProgramByteCount = 64

    /// Makes words of these values.
    package init(
        household: HouseholdID, device: HouseholdID, number: UInt64, purpose: Presentation.Purpose,
        asked: PresentationContext
    ) {
        self.household = household
        self.device = device
        self.number = number
        self.purpose = purpose
        self.asked = asked
    }
}

extension RequestWords {
    /// One character may have any number of accents, so that a limit of characters alone would be none.
    private static let maximumTitleByteCount = 16 * WhatsNewLimits.titleLength

    /// Whether the words are as this device lets its own programs and policies write them: each in one line of what it says, no longer than it is
    /// here, and each translation in a language that has a name. A device that is not as it was made can sign anything.
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
    /// The id of the presentation on the device that asks.
    package var number: UInt64
    /// The SHA-256 of the words that the guardian was shown, 32 bytes.
    package var shown: [UInt8]
    /// Yes; else no.
    public var isApproved: Bool

    /// Makes an answer of these values.
    package init(number: UInt64, shown: [UInt8], isApproved: Bool) {
        self.number = number
        self.shown = shown
        self.isApproved = isApproved
    }
}

/// A question of another device whose seal and signature were checked.
package struct HeardRequest: Hashable, Sendable {
    /// Its words.
    package var words: RequestWords
    /// Their SHA-256, 32 bytes.
    package var shown: [UInt8]
    /// The key that they were checked with. Where the list names another one by now, nobody has asked it.
    package var verifiedBy: [UInt8]
    /// How long it stays open.
    package var left: Duration
    /// When it was asked, by the clock of the device that asks.
    package var askedAt: WallTime

    /// Makes a request of these values.
    package init(
        words: RequestWords, shown: [UInt8], verifiedBy: [UInt8], left: Duration, askedAt: WallTime
    ) {
        self.words = words
        self.shown = shown
        self.verifiedBy = verifiedBy
        self.left = left
        self.askedAt = askedAt
    }
}

/// Names a question among those of all devices.
package struct RequestName: Hashable, Sendable {
    /// The device that asks.
    package var device: HouseholdID
    /// The id of its presentation there.
    package var number: UInt64

    /// Makes a name of these values.
    package init(_ device: HouseholdID, _ number: UInt64) {
        self.device = device
        self.number = number
    }
}

/// News of the questions of other devices.
package struct RequestNews: Hashable, Sendable {
    /// Those that are open.
    package var heard: [HeardRequest]
    /// Those that are closed.
    package var closed: [RequestName]
    /// No others are open.
    package var isAll: Bool

    /// Makes news of these values.
    package init(heard: [HeardRequest] = [], closed: [RequestName] = [], isAll: Bool = false) {
        self.heard = heard
        self.closed = closed
        self.isAll = isAll
    }
}

/// A question of this device on its way to guardians.
package struct OutgoingRequest: Hashable, Sendable {
    /// The id of its presentation.
    package var number: UInt64
    /// The kind of question, like "confirm".
    package var kind: String
    /// When it was asked.
    package var askedAt: WallTime
    /// How long it stays open.
    package var left: Duration
    /// Its words, sealed to each guardian's device.
    package var sealed: [SealedRequest]
    /// Its words in the clear; `nil`: Home Assistant is not told them.
    package var clear: ClearWords?

    /// Makes a request of these values.
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

/// The words of a question as this device shows them, for Home Assistant (H-07).
package struct ClearWords: Hashable, Sendable {
    /// The purpose: what a grown-up is asked for.
    package var purpose: Presentation.Purpose
    /// The program that asks, and for what.
    package var asked: PresentationContext

    /// Makes words of these values.
    package init(purpose: Presentation.Purpose, asked: PresentationContext) {
        self.purpose = purpose
        self.asked = asked
    }
}

/// The words of a question, sealed to one device.
package struct SealedRequest: Hashable, Sendable {
    /// The device that can open it.
    package var device: HouseholdID
    /// The encapsulated key, and the ciphertext.
    package var sealed: [UInt8]

    /// Makes a value of these.
    package init(device: HouseholdID, sealed: [UInt8]) {
        self.device = device
        self.sealed = sealed
    }
}

/// All questions of this device that guardians may answer, at one moment.
package struct OutgoingRequests: Hashable, Sendable {
    /// Counts changes of what is open.
    package var change: UInt64
    /// In the order in which they were asked.
    package var requests: [OutgoingRequest]

    /// Makes a list of these values.
    package init(change: UInt64, requests: [OutgoingRequest]) {
        self.change = change
        self.requests = requests
    }
}

/// A question of another device, as it came, or the word that it is closed.
package struct ArrivedRequest: Hashable, Sendable {
    /// How many gated takes at a time.
    package static let maximumCount = 64

    /// Names it.
    package var name: RequestName
    /// Its words, sealed to this device; empty: it is closed.
    package var sealed: [UInt8]
    /// How long it stays open.
    package var left: Duration
    /// When it was asked, by the clock of the device that asks.
    package var askedAt: WallTime

    /// Makes a request of these values.
    package init(name: RequestName, sealed: [UInt8], left: Duration, askedAt: WallTime) {
        self.name = name
        self.sealed = sealed
        self.left = left
        self.askedAt = askedAt
    }
}
