import GateModel

// What the household's key has signed for all devices.
extension HouseholdStateMachine {
    mutating func guardiansArrived(_ payload: [UInt8]) {
        // A list that is taken away revokes nobody: gated keeps the one it has, until it runs out.
        guard !payload.isEmpty else { return }
        guard payload.count <= HouseholdLimits.listBytes else {
            drops.malformed += 1
            return
        }
        (guardians, isGuardiansDue) = (payload, true)
        keptList.arrived(payload)
    }

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
