package import GateModel

/// How likely guessing passes, for each age that the policy tells apart (F-26).
public struct OddsByAge: Hashable, Sendable {
    public struct Band: Hashable, Sendable {
        /// In years. The last band ends at `ChallengeRule.maximumAge`.
        public let ages: ClosedRange<Int>
        public let odds: GuessingOdds
    }

    /// In ascending order, from 0 on. One where age makes no difference.
    public let bands: [Band]
    /// While nobody is signed in, so that the sturdiest is asked.
    public let unknownAge: GuessingOdds

    /// The odds of a gated action.
    package init(of requirement: Requirement, in configuration: Configuration) {
        let firstAges = requirement.rules(in: configuration).flatMap { $0.bands.map(\.ages.lowerBound) }
        let starts = Set(firstAges + [0]).filter { (0...ChallengeRule.maximumAge).contains($0) }.sorted()
        var bands: [Band] = []
        for (index, start) in starts.enumerated() {
            let odds = GuessingOdds(of: requirement, in: configuration, forAge: start)
            let end = index + 1 < starts.count ? starts[index + 1] - 1 : ChallengeRule.maximumAge
            if let last = bands.last, last.odds == odds {
                bands[bands.count - 1] = Band(ages: last.ages.lowerBound...end, odds: odds)
            } else {
                bands.append(Band(ages: start...end, odds: odds))
            }
        }
        self.bands = bands
        unknownAge = GuessingOdds(of: requirement, in: configuration, forAge: nil)
    }

    /// The odds of parent mode.
    package init(ofModeIn configuration: Configuration) {
        self.init(of: .parentMode, in: configuration)
    }

    /// The likeliest of all ages, known or not, within an hour.
    public var likeliest: GuessingOdds {
        bands.map(\.odds).reduce(unknownAge) { $0.probability() < $1.probability() ? $1 : $0 }
    }

    /// Whether there is a question on every way through, whatever the age.
    public var isGuessed: Bool { unknownAge.isGuessed }

    /// Whether a program could pass without guessing, at some age.
    public var programPasses: Bool {
        unknownAge.programPasses || bands.contains { $0.odds.programPasses }
    }
}

extension Requirement {
    /// All rules that it asks by.
    fileprivate func rules(in configuration: Configuration) -> [ChallengeRule] {
        switch self {
        case .parentMode: [configuration.modeChallenge]
        case .challenge(let rule): [rule]
        case .signedIn, .entitlement, .form: []
        case .all(let requirements), .any(let requirements): requirements.flatMap { $0.rules(in: configuration) }
        }
    }
}
