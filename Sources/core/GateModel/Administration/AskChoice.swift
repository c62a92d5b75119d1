/// How much a grown-up allows with a yes to an ask. The policy says which choices there are.
@nonexhaustive
public enum AskChoice: Hashable, Sendable {
    /// Once, exactly as it was asked, within the time for which the policy lets the question wait.
    case once
    /// Exactly as it was asked, any number of times until the day ends by the device's clock.
    case today
    /// Exactly as it was asked, any number of times, until it is taken back.
    case always
    /// Any number of times, until it is taken back, for every link to the same site as the requested link: the same
    /// scheme, host and port. Only for links.
    case thisSite
    /// Exactly as it was asked, any number of times within this time after the answer.
    case time(Duration)
    /// A choice that a newer version of Gate knows.
    case unrecognized
}

/// The words with which policies, programs and people name choices: "once", "today", "always", "this-site", or an
/// amount of time like "30m".
extension AskChoice {
    /// The choices besides amounts of time.
    package static let named: [AskChoice] = [.once, .today, .always, .thisSite]

    /// The choices if a policy lets a question wait, but does not list choices.
    package static let usual: [AskChoice] = [.once, .today]

    /// The amounts that a policy offers with `more-time: true`.
    package static let usualMoreTime: [AskChoice] = [
        .time(.seconds(15 * 60)), .time(.seconds(30 * 60)), .time(.seconds(3600)), .today,
    ]

    /// The word for this choice. Durations are in hours, minutes and seconds: "1h30m".
    public var text: String {
        switch self {
        case .once: "once"
        case .today: "today"
        case .always: "always"
        case .thisSite: "this-site"
        case .time(let duration): duration.shortText
        case .unrecognized: "unrecognized"
        }
    }

    /// Reads what `text` writes; `nil` for anything else, and for no time at all.
    public init?(text: String) {
        if let choice = Self.named.first(where: { $0.text == text }) {
            self = choice
        } else if let duration = Duration(shortText: text), duration > .zero {
            self = .time(duration)
        } else {
            return nil
        }
    }
}

/// The answer of a grown-up to an ask.
@nonexhaustive
public enum AskAnswer: Hashable, Sendable {
    /// Yes, for as much as the choice says. Without a choice, the first one that the policy offers counts.
    case yes(AskChoice? = nil)
    /// No. This also takes back a yes for as long as it holds. The same can be asked again a day later.
    case no
    /// No, and until the next day begins this person can ask for nothing of this gated action. This also takes back a yes
    /// to this ask for as long as it holds.
    case notUntilTomorrow
}

/// The words in which an answer travels to another device, and in which it is stored until that device has it.
extension AskAnswer {
    private static let untilTomorrow = "until-tomorrow"

    package var isAllowed: Bool {
        switch self {
        case .yes: true
        case .no, .notUntilTomorrow: false
        }
    }

    /// The word for the choice of a yes, or for the kind of a no. A plain no has the word of a plain yes.
    package var word: String {
        switch self {
        case .yes(let choice): (choice ?? .once).text
        case .no: AskEcho.once
        case .notUntilTomorrow: Self.untilTomorrow
        }
    }

    /// Reads what `isAllowed` and `word` write. `nil` for a yes whose choice this version does not know; a no with an
    /// unknown word is a plain no.
    package init?(isAllowed: Bool, word: String) {
        guard isAllowed else {
            self = word == Self.untilTomorrow ? .notUntilTomorrow : .no
            return
        }
        guard let choice = AskChoice(text: word) else { return nil }
        self = .yes(choice)
    }
}
