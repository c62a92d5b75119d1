import GateModel
import Testing

@testable import GateGuardians

@Suite("The policy that a household signs for all of its devices (H-06)")
struct SignedPolicyTests {
    private static let household = HouseholdID(String(repeating: "1", count: 32))!
    private static let key = SigningKey(GateSecret((0..<32).map { UInt8($0) }))!
    private static let policy = HouseholdPolicy(
        household: household, number: 7, issued: WallTime(unixMilliseconds: 1_000),
        files: [
            .init(path: "policy.d/bedtime.yaml", text: "mode: {lease: 5m}\n"),
            .init(path: "questions.d/ü.yaml", text: "\u{0}\"\\\n"),
        ])

    private func signed(_ policy: HouseholdPolicy, as kind: SignedText.Kind = .policy) -> [UInt8] {
        SignedText.sign(policy.payload, as: kind, with: Self.key)
    }

    private func check(_ signed: [UInt8], by key: [UInt8] = key.publicKey) -> GuardianCheck? {
        do throws(GuardianError) {
            _ = try HouseholdPolicy(signed: signed, by: key)
            return nil
        } catch {
            return error.check
        }
    }

    @Test("a signed policy is read back unchanged")
    func whole() throws {
        #expect(try HouseholdPolicy(signed: signed(Self.policy), by: Self.key.publicKey) == Self.policy)
        var empty = Self.policy
        empty.files = []
        #expect(try HouseholdPolicy(signed: signed(empty), by: Self.key.publicKey) == empty)
    }

    @Test("a policy with any byte changed, missing or added is refused")
    func changed() {
        let signed = signed(Self.policy)
        for index in signed.indices {
            var other = signed
            other[index] ^= 1
            #expect(check(other) != nil, "byte \(index)")
            #expect(check(Array(signed[..<index])) != nil, "\(index) bytes")
        }
        #expect(check(signed + [UInt8(ascii: "A")]) != nil)
    }

    @Test("a text signed as another kind, or with another household's key, is not a policy")
    func others() {
        for kind in SignedText.Kind.allCases where kind != .policy {
            #expect(check(signed(Self.policy, as: kind)) == .algorithm, "\(kind)")
        }
        #expect(check(signed(Self.policy), by: SigningKey().publicKey) == .signature)
        // The signed policy can't be read as another kind of signed text.
        #expect(throws: GuardianError.self) { try HouseholdList(signed: signed(Self.policy), by: Self.key.publicKey) }
    }

    @Test("a policy with a repeated file, a wrong number of files, a bad path or bad numbers is refused")
    func forms() {
        func changed(_ change: (inout HouseholdPolicy) -> Void) -> GuardianCheck? {
            var policy = Self.policy
            change(&policy)
            return check(signed(policy))
        }
        func files(_ count: Int) -> [HouseholdPolicy.File] {
            (0..<count).map { .init(path: "policy.d/\($0).yaml", text: "") }
        }
        #expect(changed { $0.files.append($0.files[0]) } == .malformed)
        #expect(changed { $0.files = files(10_000) } == .malformed)
        #expect(changed { $0.files = files(HouseholdPolicy.maximumFiles + 1) } == .malformed)
        #expect(changed { $0.files = files(HouseholdPolicy.maximumFiles) } == nil)
        #expect(changed { $0.files[0].path = "" } == .malformed)
        #expect(changed { $0.files[0].path = String(repeating: "a", count: 129) } == .malformed)
        #expect(changed { $0.number = 0 } == .malformed)
        #expect(changed { $0.number = HouseholdPolicy.maximumNumber + 1 } == .malformed)
        #expect(changed { $0.number = HouseholdPolicy.maximumNumber } == nil)
    }

    @Test("more than a mebibyte is not even looked at")
    func tooLarge() {
        var policy = Self.policy
        policy.files[0].text = String(repeating: "#", count: 790_000)
        #expect(check(signed(policy)) == .size)
        policy.files[0].text = String(repeating: "#", count: 780_000)
        #expect(check(signed(policy)) == nil)
    }
}
