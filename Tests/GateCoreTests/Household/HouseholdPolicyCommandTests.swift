import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("The policy that the household has for all of its devices (H-06)")
struct HouseholdPolicyCommandTests {
    private static func policy(
        _ number: UInt64, household: HouseholdID = .millers, verifiedBy key: [UInt8] = HouseholdSettings.key
    ) -> SignedHouseholdPolicy {
        SignedHouseholdPolicy(
            HouseholdPolicy(
                household: household, number: number, issued: WallTime(unixMilliseconds: 0),
                files: [.init(path: "policy.d/a.yaml", text: "")]),
            signed: Array("policy \(number)".utf8), verifiedBy: key)
    }

    /// The tablet's configuration, with the household's policy of that number.
    private static func configuration(_ number: UInt64?) -> Configuration {
        var configuration = Configuration.ofTablet
        configuration.household?.takesPolicy = true
        configuration.householdPolicy = number
        if let number { configuration.lease = .seconds(Int64(number)) }
        return configuration
    }

    private static func taking(
        _ number: UInt64, household: HouseholdID = .millers, verifiedBy key: [UInt8] = HouseholdSettings.key
    ) -> Command {
        .takeHouseholdPolicy(
            policy(number, household: household, verifiedBy: key), configuration(number),
            detail: "household policy \(number)")
    }

    private func tablet(with number: UInt64? = nil) throws -> Device {
        var tablet = Device(configuration: Self.configuration(nil))
        if let number { try tablet.apply(Self.taking(number), as: .carrier) }
        return tablet
    }

    @Test("a household policy with a higher number is stored and put in force; others are refused")
    func newer() throws {
        var tablet = try tablet(with: 3)
        #expect(tablet.state.configuration.lease == .seconds(3))
        #expect(tablet.journal.last?.kind == .reloaded && tablet.journal.last?.detail == "household policy 3")
        for number: UInt64 in [1, 2, 3] {
            let refusal = tablet.refusal(Self.taking(number), as: .carrier)
            #expect(refusal?.reason == .outdated && refusal?.parameters["what"] == "household-policy")
        }
        #expect(tablet.state.configuration.lease == .seconds(3))
        try tablet.apply(Self.taking(4), as: .carrier)
        #expect(tablet.state.configuration.lease == .seconds(4))
        #expect(tablet.state.records.household.policy?.policy.number == 4)
        #expect(tablet.stored == tablet.state.records)
    }

    @Test("a policy of another household, or signed with another key, changes nothing")
    func foreign() throws {
        let tablet = try tablet(with: 3)
        let before = tablet.state
        #expect(
            tablet.refusal(Self.taking(4, household: .others), as: .carrier)?.parameters["check"] == "household")
        #expect(
            tablet.refusal(Self.taking(4, verifiedBy: [UInt8](repeating: 8, count: 32)), as: .carrier)?
                .parameters["check"] == "signature")
        #expect(tablet.state.records == before.records && tablet.state.configuration == before.configuration)
    }

    @Test("only the household's service can deliver the policy")
    func permission() throws {
        let tablet = try tablet()
        #expect(tablet.refusal(Self.taking(1), as: .anna)?.code == .permissionDenied)
        #expect(tablet.state.records.household.policy == nil)
    }

    @Test("a device without `policy: true` accepts no policy, and later none older than the one it had")
    func notTaken() throws {
        var tablet = try tablet(with: 3)
        try tablet.apply(.configure(.ofTablet, detail: ""), as: .root)
        #expect(tablet.refusal(Self.taking(4), as: .carrier)?.reason == .notSetUp)
        #expect(tablet.refusal(Self.taking(2), as: .carrier)?.reason == .outdated)
        try tablet.apply(.configure(Self.configuration(nil), detail: ""), as: .root)
        #expect(tablet.refusal(Self.taking(2), as: .carrier)?.reason == .outdated)
        try tablet.apply(Self.taking(4), as: .carrier)
    }

    @Test("a policy is refused if the configuration changed while it was being read")
    func changedMeanwhile() throws {
        let tablet = try tablet(with: 3)
        for change: (inout Configuration) -> Void in [
            { $0.householdPolicy = nil }, { $0.householdPolicy = 3 }, { $0.household = nil },
            { $0.household?.takesPolicy = false }, { $0.household?.publicKey = [1] },
            { $0.household?.household = .others },
        ] {
            var configuration = Self.configuration(4)
            change(&configuration)
            let command = Command.takeHouseholdPolicy(Self.policy(4), configuration, detail: "")
            #expect(tablet.refusal(command, as: .carrier)?.reason == .notSetUp)
        }
        #expect(tablet.state.records.household.policy?.policy.number == 3)
    }

    @Test("a device that joins another household accepts that household's first policy")
    func otherHousehold() throws {
        var tablet = try tablet(with: 3)
        var none = Configuration.ofTablet
        none.household = nil
        try tablet.apply(.configure(none, detail: ""), as: .root)
        #expect(tablet.refusal(Self.taking(4), as: .carrier)?.reason == .notSetUp)
        var other = Self.configuration(1)
        other.household?.household = .others
        other.household?.publicKey = [UInt8](repeating: 9, count: 32)
        var before = other
        before.householdPolicy = nil
        try tablet.apply(.configure(before, detail: ""), as: .root)
        let first = Self.policy(1, household: .others, verifiedBy: other.household!.publicKey)
        try tablet.apply(.takeHouseholdPolicy(first, other, detail: ""), as: .carrier)
        #expect(tablet.state.configuration.householdPolicy == 1)
    }

    @Test("restoring a backup does not bring an older policy back")
    func restored() throws {
        var tablet = try tablet(with: 3)
        var backup = DurableRecords(revision: Revision(epoch: 9, number: 3))
        backup.household = HouseholdRecord(policy: Self.policy(2))
        try tablet.apply(.restore(backup, detail: ""), as: .root)
        #expect(tablet.state.records.household.policy?.policy.number == 3)
        #expect(tablet.refusal(Self.taking(2), as: .carrier)?.reason == .outdated)
    }

    @Test("after damage no policy is accepted until an administrator recovers the device")
    func damaged() throws {
        var tablet = try tablet()
        try tablet.apply(.closeForDamage(quarantinedFile: "x"), as: .daemon)
        #expect(tablet.refusal(Self.taking(1), as: .carrier)?.reason == .storeDamaged)
    }
}
