package import GateModel

/// A policy of the household, with what shows that the household has signed it (H-06).
package struct SignedHouseholdPolicy: Hashable, Sendable {
    /// Its content.
    package var policy: HouseholdPolicy
    /// The JWS.
    package var signed: [UInt8]
    /// The key that it was checked with. Where the household has another one now, the policy counts for nothing.
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

    /// Whether this device lives by the policy.
    package func livesBy(_ policy: SignedHouseholdPolicy) -> Bool { takesPolicy && hasSigned(policy) }
}

extension GateState {
    /// Checks whether a policy may take the place of the one before. It was not read yet.
    package func checkHouseholdPolicy(_ new: SignedHouseholdPolicy) throws(GateError) {
        let settings = try household()
        guard quarantinedFile == nil else { throw .storeDamaged }
        guard new.verifiedBy == settings.publicKey else {
            throw .badGuardian(.signature, "The household's key has not signed this policy.")
        }
        guard new.policy.household == settings.household else {
            throw .badGuardian(.household, "This policy is of another household.")
        }
        // What was held before the device went another way is held still: an older one never comes back.
        if let held = records.household.policy, settings.hasSigned(held), new.policy.number <= held.policy.number {
            throw .outdatedHouseholdPolicy(held.policy.number)
        }
        guard settings.takesPolicy else { throw .householdPolicyNotTaken }
    }

    /// Keeps the policy and puts it into force, both or neither.
    ///
    /// - Parameter configuration: what this device's own files and the policy say together.
    mutating func takeHouseholdPolicy(
        _ new: SignedHouseholdPolicy, _ configuration: Configuration, _ detail: String, _ context: Context,
        _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        try checkHouseholdPolicy(new)
        // The files may have changed since the configuration before was read.
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
        "This device does not take the household's policy: household.yaml does not say `policy: true`.",
        parameters: ["what": "household-policy"])

    fileprivate static func outdatedHouseholdPolicy(_ number: UInt64) -> GateError {
        GateError(
            .failedPrecondition, .outdated, "This device has household policy \(number) already, or a newer one.",
            parameters: ["what": "household-policy"])
    }
}
