package import GateModel

/// The odds of guessing for each range of ages that the policy distinguishes.
public struct OddsByAge: Hashable, Sendable {
    public struct Band: Hashable, Sendable {
        /// The ages of the band in years, both ends included. The last band ends at `ChallengeRule.maximumAge`.
        public let ages: ClosedRange<Int>
        public let odds: GuessingOdds
    }

    /// In ascending order, beginning with age 0. One band if the age makes no difference.
    public let bands: [Band]
    /// The odds if the age is not known, for example because no child is signed in. Then the sturdiest question is
    /// asked.
    public let unknownAge: GuessingOdds

    /// - Parameter name: the gated action that the requirement stands before; `nil`: the requirement alone. For an
    ///   action that reaches other devices or changes Gate, these are the odds in parent mode: parent mode lasts, and
    ///   any program could ask for the action meanwhile.
    package init(of requirement: Requirement, before name: String? = nil, in configuration: Configuration) {
        let isInParentMode = GatedAction.reachesOthers(name)
        func odds(_ age: Int?) -> GuessingOdds {
            GuessingOdds(of: requirement, in: configuration, forAge: age, isInParentMode: isInParentMode)
        }
        let firstAges = requirement.rules(in: configuration).flatMap { $0.bands.map(\.ages.lowerBound) }
        let starts = Set(firstAges + [0]).filter { (0...ChallengeRule.maximumAge).contains($0) }.sorted()
        var bands: [Band] = []
        for (index, start) in starts.enumerated() {
            let odds = odds(start)
            let end = index + 1 < starts.count ? starts[index + 1] - 1 : ChallengeRule.maximumAge
            if let last = bands.last, last.odds == odds {
                bands[bands.count - 1] = Band(ages: last.ages.lowerBound...end, odds: odds)
            } else {
                bands.append(Band(ages: start...end, odds: odds))
            }
        }
        self.bands = bands
        unknownAge = odds(nil)
    }

    package init(ofModeIn configuration: Configuration) {
        self.init(of: .parentMode, in: configuration)
    }

    /// The odds with the highest probability within an hour, over all ages and the unknown age.
    public var likeliest: GuessingOdds {
        bands.map(\.odds).reduce(unknownAge) { $0.probability() < $1.probability() ? $1 : $0 }
    }

    public var isGuessed: Bool { unknownAge.isGuessed }

    public var programPasses: Bool {
        unknownAge.programPasses || bands.contains { $0.odds.programPasses }
    }
}

extension Requirement {
    fileprivate func rules(in configuration: Configuration) -> [ChallengeRule] {
        switch self {
        case .parentMode: [configuration.modeChallenge]
        case .challenge(let rule): [rule]
        case .signedIn, .entitlement, .form, .during, .allowance: []
        case .all(let requirements), .any(let requirements): requirements.flatMap { $0.rules(in: configuration) }
        }
    }
}
