package import GateCore

/// What administrators and grown-ups have chosen, in the notation of policy files (`GateChoice`): what stands before
/// gated actions, by the actions' names, and allowances and schedules, by `TimeRule.choiceName`.
package typealias GateChoices = [String: String]

/// The layers of the policy that the store has. The others are files.
package struct StoredPolicy: Hashable, Sendable {
    /// The newest policy that the household has for all its devices; `nil`: none has arrived yet.
    package var household: SignedHouseholdPolicy?
    package var choices: GateChoices

    package init(household: SignedHouseholdPolicy? = nil, choices: GateChoices = [:]) {
        self.household = household
        self.choices = choices
    }

    package init(_ records: DurableRecords) {
        self.init(household: records.household.policy, choices: records.gateChoices)
    }

    var isEmpty: Bool { household == nil && choices.isEmpty }
}
