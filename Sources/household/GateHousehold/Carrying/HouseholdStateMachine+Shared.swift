// The list and the policy, which the household's key has signed for all devices.
extension HouseholdStateMachine {
    mutating func guardiansArrived(_ payload: [UInt8]) {
        // A cleared topic revokes nobody: gated keeps the list that it has until that expires.
        guard !payload.isEmpty else { return }
        guard payload.count <= HouseholdLimits.listBytes else {
            drops.malformed += 1
            return
        }
        (guardians, isGuardiansDue) = (payload, true)
        keptList.arrived(payload)
    }

    mutating func policyArrived(_ payload: [UInt8]) {
        // A cleared topic changes nothing: gated keeps the policy that it has.
        guard !payload.isEmpty else { return }
        guard payload.count <= HouseholdLimits.policyBytes else {
            drops.malformed += 1
            return
        }
        (policy, isPolicyDue) = (payload, true)
        keptPolicy.arrived(payload)
    }
}
