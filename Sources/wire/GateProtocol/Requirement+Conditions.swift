package import GateModel

extension Requirement {
    /// - Parameters:
    ///   - conditions: as `ListedCondition.list` makes them.
    ///   - place: the condition to begin with, counted from 1.
    /// - Returns: `nil` if there is none, or one that this version does not know.
    package init?(_ conditions: [ListedCondition], at place: Int = 1) {
        guard conditions.indices.contains(place - 1) else { return nil }
        // Parts stand behind the whole.
        let places = conditions.indices.dropFirst(place).filter { conditions[$0].partOf == place }
        let parts = places.compactMap { Requirement(conditions, at: $0 + 1) }
        guard parts.count == places.count else { return nil }
        switch conditions[place - 1].kind {
        case .all: self = .all(parts)
        case .any: self = .any(parts)
        case .parentMode: self = .parentMode
        case .challenge(let challenges):
            guard let rule = ChallengeRule(challenges) else { return nil }
            self = .challenge(rule)
        case .signedIn: self = .signedIn
        case .entitlement(let name): self = .entitlement(name)
        case .form(let name): self = .form(name)
        case .during(let schedule): self = .during(schedule)
        case .allowance(let allowance): self = .allowance(allowance)
        case .unrecognized: return nil
        }
    }
}

extension ChallengeRule {
    /// - Parameter challenges: the questions by age, the lowest age first.
    /// - Returns: `nil` if there is none, or one that this version does not know.
    package init?(_ challenges: [ChallengeForAge]) {
        var bands: [Band] = []
        for (index, challenge) in challenges.enumerated() {
            let end = index + 1 < challenges.count ? challenges[index + 1].fromAge - 1 : Self.maximumAge
            guard let kind = challenge.challenge, challenge.fromAge <= end else { return nil }
            bands.append(
                Band(
                    ages: challenge.fromAge...end,
                    challenge: ChallengeSpecification(
                        kind, answeredBy: challenge.isForGrownUps ? .grownUp : .anybody)))
        }
        guard !bands.isEmpty else { return nil }
        self.init(bands: bands)
    }
}
