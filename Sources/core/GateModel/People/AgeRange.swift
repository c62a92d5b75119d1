/// The range of ages that a person is in, as an app gets it. It never has the date of birth, and its bounds are gates
/// of the device.
///
/// It changes only on 1 January and 1 July, and is the same for all who were born in the same half of a year.
public struct AgeRange: Hashable, Sendable {
    /// Who has stated the person's age. Nobody has checked it.
    @nonexhaustive
    public enum Source: Hashable, Sendable, CaseIterable {
        /// The person is a child, and a grown-up has said it.
        case guardian
        /// The person is a grown-up.
        case grownUp
    }

    /// The person is at least this old, in years; `nil`: there is no lower bound.
    public var low: Int?
    /// The person counts as at most this old, in years; `nil`: there is no upper bound.
    public var high: Int?
    /// Who has stated this range.
    public var source: Source

    /// - Parameters:
    ///   - low: at least this old, in years; `nil`: there is no lower bound.
    ///   - high: at most this old, in years; `nil`: there is no upper bound.
    ///   - source: who has stated this range.
    public init(low: Int?, high: Int?, source: Source) {
        self.low = low
        self.high = high
        self.source = source
    }
}

/// Whether apps are told age ranges, and the ages that bound them.
public struct AgeSettings: Hashable, Sendable {
    /// Whether apps are told age ranges. Off until a grown-up turns it on.
    public var isOn: Bool
    /// The ages that bound the ranges, in years, ascending: 1 to 3 of them, from 2 to 25, at least two years apart.
    public var gates: [Int]

    /// The gates of a device on which nobody has chosen others.
    public static let usualGates = [13, 16, 18]

    /// - Parameters:
    ///   - isOn: whether apps are told age ranges.
    ///   - gates: the ages that bound the ranges, in years, ascending.
    public init(isOn: Bool = false, gates: [Int] = usualGates) {
        self.isOn = isOn
        self.gates = gates
    }

    /// The bounds of the ranges that an app can be told, the youngest first.
    package var ranges: [(low: Int?, high: Int?)] {
        Array(zip([nil] + gates.map { Int?($0) }, gates.map { Int?($0 - 1) } + [nil]))
    }

    /// Whether a device can have these gates. More or closer ones would reveal too much about a birthday.
    package static func areGates(_ gates: [Int]) -> Bool {
        (1...3).contains(gates.count) && gates.allSatisfy((2...25).contains)
            && zip(gates, gates.dropFirst()).allSatisfy { $1 - $0 >= 2 }
    }
}

/// What a grown-up has chosen for a person and an app.
@nonexhaustive
public enum AgeChoice: String, Hashable, Sendable, CaseIterable {
    /// A grown-up is asked; until then the app is told nothing.
    case ask
    /// The app is told the age range.
    case always
    /// The app is told nothing.
    case never
    /// The app is told the age range until the end of this half of the year. Then a grown-up is asked.
    case forNow = "for-now"
    /// The app is told nothing until the end of this half of the year. Then a grown-up is asked.
    case notNow = "not-now"
}

/// An app that has asked for the age range of a person, or for which a choice was made.
public struct AgeApp: Hashable, Sendable {
    /// The name of the person.
    public var person: String
    /// The name that the program gives itself. Nobody has checked it.
    public var app: String
    /// What the app is told.
    public var choice: AgeChoice
    /// Whether the app waits for a grown-up's answer.
    public var isWaiting: Bool

    package init(person: String, app: String, choice: AgeChoice, isWaiting: Bool) {
        self.person = person
        self.app = app
        self.choice = choice
        self.isWaiting = isWaiting
    }
}

/// The age ranges as a watcher sees them. Watchers that are not grown-ups see them as off.
public struct AgeState: Hashable, Sendable {
    /// Whether apps are told age ranges, and the ages that bound them. Watchers that may not see this get no gates.
    public var settings: AgeSettings
    /// The apps that wait for a grown-up's answer, by person, then by app: at most 128.
    public var waiting: [AgeApp]

    package init(settings: AgeSettings, waiting: [AgeApp]) {
        self.settings = settings
        self.waiting = waiting
    }
}
