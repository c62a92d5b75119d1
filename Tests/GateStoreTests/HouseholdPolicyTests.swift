import GateCore
import GateGuardians
import GateModel
import SQLite
import Testing

@testable import GateStore

@Suite("The household's policy, in the store (H-06)")
struct HouseholdPolicyTests {
    private static let key = SigningKey()
    private static let household = HouseholdID(String(repeating: "1", count: 32))!

    private static func policy(_ number: UInt64) -> SignedHouseholdPolicy {
        let policy = HouseholdPolicy(
            household: household, number: number, issued: WallTime(unixMilliseconds: 1),
            files: [.init(path: "policy.d/a.yaml", text: "mode: {lease: 5m}")])
        return SignedHouseholdPolicy(
            policy, signed: SignedText.sign(policy.payload, as: .policy, with: key), verifiedBy: key.publicKey)
    }

    @Test("the household's newest policy is kept as it was signed, over each restart")
    func kept() throws {
        let scene = try Scene()
        var (store, records, _) = try scene.open()
        for number: UInt64 in 1...3 {
            try store.commit([records.next([.householdPolicySet(Self.policy(number))])])
            store.close()
            (store, records, _) = try scene.open()
            #expect(records.household.policy == Self.policy(number))
        }
    }

    @Test("a household's policy that was changed in the file is damage")
    func changed() throws {
        for statement in [
            // What is signed, and the signature, each with one sign more.
            "UPDATE household SET policy = CAST(replace(policy, '.', '.A') AS BLOB)",
            "UPDATE household SET policy = x'00'", "UPDATE household SET policy_key = zeroblob(32)",
            "UPDATE household SET policy_key = x'00'",
        ] {
            let scene = try Scene()
            let (store, records, _) = try scene.open()
            try store.commit([records.next([.householdPolicySet(Self.policy(1))])])
            store.close()
            let database = try DatabaseQueue(path: scene.database)
            try database.write { try $0.execute(sql: statement) }
            try database.close()
            let (again, found, outcome) = try scene.open()
            guard case .replacedDamaged = outcome else {
                Issue.record("\(statement): \(outcome)")
                continue
            }
            #expect(found.household.policy == nil)
            again.close()
        }
    }
}
