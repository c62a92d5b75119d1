package import GateModel

/// The files of a device's policy as they were when they were read. The layers that the store has can be added to them
/// again and again, and nothing that somebody writes into the files meanwhile counts.
package final class DevicePolicyFiles: Sendable {
    /// Returns the policy of these files together with what the store has.
    ///
    /// The household's policy is `nil` if there is none. The choices are in the notation of policy files, by name
    /// (`GateChoice`).
    package let policy:
        @Sendable (_ household: HouseholdPolicy?, _ choices: [String: String]) throws(PolicyError) -> Policy

    package init(
        policy:
            @escaping @Sendable (_ household: HouseholdPolicy?, _ choices: [String: String]) throws(PolicyError)
            -> Policy
    ) {
        self.policy = policy
    }
}
