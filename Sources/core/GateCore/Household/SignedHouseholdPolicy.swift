package import GateModel

/// A policy of the household together with its signed form.
package struct SignedHouseholdPolicy: Hashable, Sendable {
    package var policy: HouseholdPolicy
    /// The JWS.
    package var signed: [UInt8]
    /// The public key that verified the signature. If the household now has another key, the policy is ignored.
    package var verifiedBy: [UInt8]

    package init(_ policy: HouseholdPolicy, signed: [UInt8], verifiedBy: [UInt8]) {
        self.policy = policy
        self.signed = signed
        self.verifiedBy = verifiedBy
    }
}

extension HouseholdSettings {
    /// Whether the policy is this household's, signed with its key.
    package func hasSigned(_ policy: SignedHouseholdPolicy) -> Bool {
        policy.verifiedBy == publicKey && policy.policy.household == household
    }

    package func livesBy(_ policy: SignedHouseholdPolicy) -> Bool { takesPolicy && hasSigned(policy) }
}

extension GateState {
    /// Checks whether a policy may replace the present one. Its contents were not read yet.
    package func checkHouseholdPolicy(_ new: SignedHouseholdPolicy) throws(GateError) {
        let settings = try household()
        guard quarantinedFile == nil else { throw .storeDamaged }
        guard new.verifiedBy == settings.publicKey else {
            throw .badGuardian(.signature, "This policy is not signed with the household's key.")
        }
        guard new.policy.household == settings.household else {
            throw .badGuardian(.household, "This policy is of another household.")
        }
        // This holds even if the device did not apply the policy meanwhile: an older policy never replaces a newer one.
        if let held = records.household.policy, settings.hasSigned(held), new.policy.number <= held.policy.number {
            throw .outdatedHouseholdPolicy(held.policy.number)
        }
        guard settings.takesPolicy else { throw .householdPolicyNotTaken }
    }

    /// Stores the policy and applies it, both or neither. `configuration`: from this device's files and the policy.
    mutating func takeHouseholdPolicy(
        _ new: SignedHouseholdPolicy, _ configuration: Configuration, _ detail: String, _ context: Context,
        _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        try checkHouseholdPolicy(new)
        // The files may have changed since `configuration` was made.
        guard configuration.householdPolicy == new.policy.number, configuration.household?.livesBy(new) ?? false else {
            throw .householdPolicyNotTaken
        }
        record(.householdPolicySet(new), &draft)
        configure(configuration, detail, context, &draft)
        return .done
    }
}

extension GateError {
    package static let householdPolicyNotTaken = GateError(
        .failedPrecondition, .notSetUp,
        "This device does not take the household's policy. An administrator can change that: `policy: true` in household.yaml.",
        parameters: ["what": "household-policy"])

    fileprivate static func outdatedHouseholdPolicy(_ number: UInt64) -> GateError {
        GateError(
            .failedPrecondition, .outdated, "This device has household policy \(number) already, or a newer one.",
            parameters: ["what": "household-policy"])
    }
}
