import GateModel

extension HouseholdStateMachine {
    /// The broker has handed out the policy for all devices.
    mutating func policyArrived(_ payload: [UInt8]) {
        // One that is taken away changes nothing: gated goes on with the one it has.
        guard !payload.isEmpty else { return }
        guard payload.count <= HouseholdLimits.policyBytes else {
            drops.malformed += 1
            return
        }
        (policy, isPolicyDue) = (payload, true)
        keptPolicy.arrived(payload)
    }
}
