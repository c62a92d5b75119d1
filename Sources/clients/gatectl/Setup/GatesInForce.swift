import GateClient
import GateModel
import GatePolicy
import GateProtocol

extension Policy {
    /// This policy, as files say it, with the gates and the questions of parent mode that the daemon has in force. Those
    /// may also have been chosen on this device, or come from the household.
    func inForce(_ gate: GateClient) async throws(GateError) -> Policy {
        var policy = self
        let challenges = try await gate.control.policy().summary?.modeChallenges ?? []
        if let rule = ChallengeRule(challenges) { policy.configuration.modeChallenge = rule }
        var gates: [String: GatedAction] = [:]
        for action in try await gate.authorization.gatedActions() {
            let conditions = try? await gate.call(
                Methods.Authorization.getGatedAction, GetGatedActionRequest(name: action.name)
            ).conditions
            gates[action.name] = GatedAction(
                title: action.titles,
                // An action with too many conditions for an answer is as the files say.
                requirement: Requirement(conditions ?? []) ?? configuration.gatedActions[action.name]?.requirement
                    ?? .parentMode)
        }
        policy.configuration.gatedActions = gates
        return policy
    }
}

extension Requirement {
    /// - Parameters:
    ///   - conditions: as `ListedCondition.list` makes them.
    ///   - place: the condition to begin with, counted from 1.
    /// - Returns: `nil` if there is none, or one that this version does not know.
    init?(_ conditions: [ListedCondition], at place: Int = 1) {
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
        case .unrecognized: return nil
        }
    }
}

extension ChallengeRule {
    /// - Parameter challenges: the questions by age, the lowest age first.
    /// - Returns: `nil` if there is none, or one that this version does not know.
    init?(_ challenges: [ChallengeForAge]) {
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
