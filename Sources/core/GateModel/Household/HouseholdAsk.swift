/// What an ask, which is a question that waits, adds to the words of a question. The asking device signs it with them,
/// and any guardian of the household may answer it, also while that device is off.
package struct HouseholdAsk: Hashable, Sendable {
    /// Random bytes that no other ask has. An answer has to repeat them.
    package var nonce: [UInt8]
    /// Who asks, by the name on the asking device's list of people.
    package var person: String
    /// Whether a grown-up has said yes, which still holds. False: nobody has answered.
    package var isAllowed: Bool
    /// When the question stops waiting, or the yes expires, by the clock of the device that asks.
    package var until: WallTime
    /// The choices for a grown-up's yes, or, if the question was allowed, the one choice that was made.
    package var choices: [AskChoice]

    package static let nonceByteCount = 16
    /// The most choices that a policy offers.
    package static let maximumChoiceCount = 8
    /// The longest that a policy lets a question wait.
    package static let longestLife = Duration.seconds(30 * 24 * 3600)

    package init(
        nonce: [UInt8], person: String, isAllowed: Bool = false, until: WallTime,
        choices: [AskChoice] = [.once]
    ) {
        self.nonce = nonce
        self.person = person
        self.isAllowed = isAllowed
        self.until = until
        self.choices = choices
    }

    /// Whether these can be the words of a device's `gated`. Checked because a manipulated device can sign anything.
    package var areOfKnownForm: Bool {
        nonce.count == Self.nonceByteCount && choices.count <= Self.maximumChoiceCount
            && person.isNameLine(atMost: GatePerson.maximumNameByteCount)
    }

    /// The kind that stands beside the sealed words, for everybody to read. Other questions have the kind of their
    /// challenge there.
    package var kind: AskKind { isAllowed ? .allowed : .waiting }
}

/// Marks asks and questions of open calls outside their words, which are sealed.
package enum AskKind: String, Hashable, Sendable, CaseIterable {
    case waiting = "ask"
    /// A grown-up said yes, and may still take it back.
    case allowed = "allowed-ask"
}

/// What a guardian's answer to an ask repeats and adds.
package struct AskEcho: Hashable, Sendable {
    /// The ask's nonce.
    package var nonce: [UInt8]
    /// How much a yes allows, or what kind of no it is (`AskAnswer.word`). A string, because the choice may be one that
    /// only a newer version of Gate knows.
    package var choice: String

    package static let once = "once"
    package static let maximumChoiceByteCount = 32

    package init(nonce: [UInt8], choice: String = Self.once) {
        self.nonce = nonce
        self.choice = choice
    }
}

/// A signed answer to an ask, which the broker keeps until the asking device has answered it in turn.
package struct OutgoingAnswer: Hashable, Sendable {
    /// The ask that is answered.
    package var name: RequestName
    /// A guardian's command, as a JWS in compact form.
    package var signed: [UInt8]
    package var left: Duration

    package init(name: RequestName, signed: [UInt8], left: Duration) {
        self.name = name
        self.signed = signed
        self.left = left
    }
}

/// All answers of this device's guardian that the broker has to keep, at one moment.
package struct OutgoingAnswers: Hashable, Sendable {
    /// The most that there are at a time.
    package static let maximumCount = 64

    /// Counts the changes.
    package var change: UInt64
    package var answers: [OutgoingAnswer]

    package init(change: UInt64, answers: [OutgoingAnswer]) {
        self.change = change
        self.answers = answers
    }
}
