import GateGuardians
import GateModel
import Testing

@testable import GateHousehold

@Suite("Making the household's policy (H-06)")
struct PolicyMakingTests {
    private static func policy(_ files: [String: String]) -> HouseholdPolicy {
        HouseholdPolicy(
            household: SampleHousehold.household, number: 1, issued: WallTime(unixMilliseconds: 1),
            files: files.map { HouseholdPolicy.File(path: $0.key, text: $0.value) })
    }

    @Test("added, changed and removed files are named")
    func changes() {
        let old = Self.policy(["a": "1", "b": "1", "c": "1"])
        let changes = HouseholdPolicyChanges(from: old, to: Self.policy(["a": "1", "b": "2", "d": "1"]))
        #expect(changes.added == ["d"] && changes.changed == ["b"] && changes.removed == ["c"] && !changes.isNone)
        #expect(HouseholdPolicyChanges(from: old, to: old).isNone)
        #expect(HouseholdPolicyChanges(from: nil, to: old).added == ["a", "b", "c"])
    }

    @Test("each policy has the next number, and the first after founding anew a higher one than any before")
    func numbers() throws {
        let household = try FoundedHousehold()
        let keeping = household.keeping
        #expect(keeping.policy([], after: nil, now: FoundedHousehold.now).number == 1)
        #expect(keeping.policy([], after: 7, now: FoundedHousehold.now).number == 8)
        let signed = keeping.signed(keeping.policy([], after: 7, now: FoundedHousehold.now))
        let key = household.secret.signingKey.publicKey
        #expect(try HouseholdPolicy(signed: signed, by: key).household == household.secret.household)
        var random = SystemRandomNumberGenerator()
        let anew = try HouseholdFounding(
            HouseholdFounding.Request(
                name: "New", guardian: "Anna", broker: try #require(BrokerAddress("gate.example"))),
            secret: household.secret, keys: SigningKey().publicKeys,
            former: HouseholdFounding.FormerMembers(keeping.list), now: FoundedHousehold.now, using: &random)
        #expect(
            anew.keeping.policy([], after: nil, now: FoundedHousehold.now).number
                == UInt64(FoundedHousehold.now.unixMilliseconds))
    }
}
