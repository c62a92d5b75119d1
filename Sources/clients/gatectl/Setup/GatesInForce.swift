import GateClient
import GateModel
import GatePolicy
import GateProtocol

extension Policy {
    /// This policy, as files say it, with the gates and the questions of parent mode that the daemon has in force.
    /// Those may also have been chosen on this device, or come from the household.
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
                // If the action has too many conditions for one answer, the files' requirement is used.
                requirement: Requirement(conditions ?? []) ?? configuration.gatedActions[action.name]?.requirement
                    ?? .parentMode)
        }
        policy.configuration.gatedActions = gates
        return policy
    }
}
