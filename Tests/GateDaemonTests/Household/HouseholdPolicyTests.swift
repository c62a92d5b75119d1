import GateGuardians
import GateModel
import GateProtocol
import Testing

@testable import GateDaemon

@Suite("The policy that the household has for all of its devices, through gated (H-06)", .timeLimit(.minutes(10)))
struct HouseholdPolicyTests {
    private static let key = SigningKey()
    private static let settings = TwoDevices.settings(of: TwoDevices.tablet, key: key) + "policy: true\n"
    private static let bedtime = "gated-actions: {bedtime.end: {title: Stay up, requires: {mode: parent}}}\n"

    private func signed(
        _ number: UInt64, _ files: [String: String] = ["policy.d/bedtime.yaml": bedtime],
        household: HouseholdID = TwoDevices.household, key: SigningKey = key, as kind: SignedText.Kind = .policy
    ) -> [UInt8] {
        let policy = HouseholdPolicy(
            household: household, number: number, issued: WallTime(unixMilliseconds: 1),
            files: files.map { HouseholdPolicy.File(path: $0.key, text: $0.value) })
        return SignedText.sign(policy.payload, as: kind, with: key)
    }

    private func with(
        household: String = settings,
        _ body: (_ gate: LiveGate, _ carrier: Connected, _ store: MemoryStore) async throws -> Void
    ) async throws {
        try await LiveGate.with(policy: TwoDevices.policy, household: household) { gate, store in
            try await body(gate, try await gate.connect("carrier"), store)
        }
    }

    @discardableResult
    private func submit(_ signed: [UInt8], _ carrier: Connected) async throws -> UInt64 {
        try await carrier.call(Methods.Household.submitPolicy, SubmitPolicyRequest(signedPolicy: signed)).number
    }

    private func refusal(of signed: [UInt8], _ carrier: Connected) async -> GateError? {
        do {
            try await submit(signed, carrier)
            return nil
        } catch {
            return error as? GateError
        }
    }

    private func state(_ carrier: Connected) async throws -> HouseholdState {
        try await carrier.call(Methods.Household.get, GetHouseholdRequest()).state
    }

    private func inForce(_ gate: LiveGate) async throws -> [String] {
        try await gate.connect("root").call(Methods.Control.policy, GetPolicyRequest()).inForce
    }

    private func hasBedtime(_ gate: LiveGate) async throws -> Bool {
        try await inForce(gate).contains { $0.contains("bedtime.end") }
    }

    @Test(
        "the household policy is in force beside the device's own, also after a reload, and is reported and journalled")
    func taken() async throws {
        try await with { gate, carrier, store in
            #expect(try await submit(signed(7), carrier) == 7)
            #expect(try await hasBedtime(gate))
            #expect(try await inForce(gate).contains { $0.contains("gated action link.open") })
            #expect(try await inForce(gate)[0].contains("household policy 7: policy.d/bedtime.yaml"))
            #expect(try await state(carrier).policyNumber == 7)
            #expect(store.details.last?.hasPrefix("household policy 7, ") ?? false)
            let root = try await gate.connect("root")
            _ = try await root.call(Methods.Control.reload, ReloadRequest())
            #expect(try await hasBedtime(gate))
            let devices = try await root.call(Methods.Household.listDevices, ListDevicesRequest()).devices
            #expect(devices.devices.allSatisfy { !$0.isThisDevice || $0.report?.policyNumber == 7 })
        }
    }

    @Test("a household policy with mistakes is refused with their places, and everything stays as it was")
    func mistakes() async throws {
        try await with { gate, carrier, _ in
            try await submit(signed(7), carrier)
            let before = try await inForce(gate)
            for (files, words) in [
                (["policy.d/a.yaml": "mode: {lease: soon}\n"], "household policy 8: policy.d/a.yaml:1:15: "),
                (["policy.d/a.yaml": "mode: {maximum-lease: 1s}\n"], "household policy 8: policy.d/a.yaml:1:23: "),
                (["policy.d/a.yaml": "roles: {administrator: {users: [mia]}}\n"], "each device's own policy.yaml"),
                (["policy.d/a.yaml": "browser: /bin/evil\n"], "each device's own policy.yaml"),
                (["providers.yaml": "storekit: {}\n"], "Move this away"),
                (["../policy.yaml": ""], "Move this away"),
                (["policy.d/ok.yaml": Self.bedtime, "policy.d/x.yaml": "\u{0}"], "U+0"),
            ] {
                let error = await refusal(of: signed(8, files), carrier)
                #expect(
                    error?.reason == .badPolicy && error?.message.contains(words) ?? false,
                    "\(files): \(String(describing: error))")
                let refused = try await state(carrier).policyRefusal
                #expect(refused?.number == 8 && refused?.message.contains(words) ?? false)
            }
            #expect(try await inForce(gate) == before)
            #expect(try await state(carrier).policyNumber == 7)
            // The next valid policy is accepted, and no problem is left.
            try await submit(signed(8, [:]), carrier)
            #expect(try await state(carrier).policyRefusal == nil)
            #expect(try await !hasBedtime(gate))
        }
    }

    @Test("a policy that is not signed with the household's key for this household is refused without a trace")
    func forged() async throws {
        try await with { gate, carrier, _ in
            let good = signed(7)
            // One character beyond a group of four is never base64. Two are, if their unused bits are zero.
            let cut = Array(good.dropLast(41))
            for (signed, check) in [
                (signed(7, key: SigningKey()), "signature"), (signed(7, household: TwoDevices.tablet), "household"),
                (signed(7, as: .list), "algorithm"), (cut, "malformed"), ([], "malformed"),
                (good + [0x2e], "malformed"), ([UInt8](repeating: 0x41, count: (1 << 20) + 1), "size"),
            ] {
                let error = await refusal(of: signed, carrier)
                #expect(
                    error?.reason == .badCommand && error?.parameters["check"] == check, "\(String(describing: error))")
            }
            let state = try await state(carrier)
            #expect(state.policyNumber == nil && state.policyRefusal == nil)
            #expect(try await !hasBedtime(gate))
            let anna = try await gate.connect("anna")
            #expect(await refusal(of: good, anna)?.reason == .notPermitted)
        }
    }

    @Test("an older household policy, or the same one again, is refused as outdated")
    func outdated() async throws {
        try await with { gate, carrier, _ in
            try await submit(signed(7), carrier)
            #expect(await refusal(of: signed(7), carrier)?.reason == .outdated)
            #expect(await refusal(of: signed(6, [:]), carrier)?.parameters["what"] == "household-policy")
            #expect(try await hasBedtime(gate))
            #expect(try await state(carrier).policyRefusal == nil)
        }
    }

    @Test("of several policies at once and a reload, the newest ends up in force")
    func atOnce() async throws {
        try await with { gate, carrier, _ in
            let root = try await gate.connect("root")
            for round in 0..<20 {
                let base = UInt64(round * 3)
                async let first = refusal(of: signed(base + 1, [:]), carrier)
                async let reload = try root.call(Methods.Control.reload, ReloadRequest())
                async let second = refusal(of: signed(base + 3), carrier)
                async let third = refusal(of: signed(base + 2, [:]), carrier)
                _ = try await (first, second, third, reload)
                #expect(try await state(carrier).policyNumber == base + 3)
                #expect(try await hasBedtime(gate))
                try await submit(signed(base + 3 + 1, [:]), carrier)
                #expect(try await !hasBedtime(gate))
                _ = await refusal(of: signed(base + 3), carrier)
                #expect(try await !hasBedtime(gate))
            }
        }
    }

    @Test("a device without `policy: true` refuses the household policy, and says why")
    func notTaken() async throws {
        let settings = TwoDevices.settings(of: TwoDevices.tablet, key: Self.key)
        try await with(household: settings) { gate, carrier, _ in
            let refused = await refusal(of: signed(7), carrier)
            #expect(refused?.reason == .notSetUp && refused?.parameters["what"] == "household-policy")
            let state = try await state(carrier)
            #expect(state.policyRefusal?.number == 7)
            let has = try await hasBedtime(gate)
            #expect(!has)
        }
        try await with(household: "") { _, carrier, _ in
            let refused = await refusal(of: signed(7), carrier)
            #expect(refused?.parameters["what"] == "household")
        }
    }

    @Test("leaving the household or disabling its policy removes the policy, and an older one never comes back")
    func left() async throws {
        try await with { gate, carrier, _ in
            let root = try await gate.connect("root")
            try await submit(signed(7), carrier)
            for text in ["", TwoDevices.settings(of: TwoDevices.tablet, key: Self.key)] {
                gate.householdText.value = text
                _ = try await root.call(Methods.Control.reload, ReloadRequest())
                #expect(try await !hasBedtime(gate))
                gate.householdText.value = Self.settings
                _ = try await root.call(Methods.Control.reload, ReloadRequest())
                #expect(try await hasBedtime(gate))
                #expect(await refusal(of: signed(6, [:]), carrier)?.reason == .outdated)
            }
        }
    }

    @Test("a reload whose files do not fit the household policy is refused and changes nothing")
    func reloadDoesNotFit() async throws {
        try await with { gate, carrier, _ in
            try await submit(signed(7, ["policy.d/bedtime.yaml": "mode: {lease: 20m}\n" + Self.bedtime]), carrier)
            let before = try await inForce(gate)
            gate.policyText.value = TwoDevices.policy.replacing("mode: {", with: "mode: {maximum-lease: 16m, ")
            let root = try await gate.connect("root")
            let error = await #expect(throws: GateError.self) {
                try await root.call(Methods.Control.reload, ReloadRequest())
            }
            #expect(error?.reason == .badPolicy)
            #expect(error?.message.contains("household policy 7: policy.d/bedtime.yaml:1:15: ") ?? false)
            #expect(try await inForce(gate) == before)
        }
    }

    @Test("the device's own files have to be valid without the household policy")
    func ownAlone() async throws {
        try await with { gate, carrier, _ in
            try await submit(
                signed(
                    7,
                    [
                        "questions.d/a.yaml": "questions: []\n",
                        "policy.d/a.yaml": "entitlements: {gold: {title: Gold}}\n",
                    ]),
                carrier)
            gate.policyText.value =
                TwoDevices.policy + "  gold.open: {title: Gold, requires: {entitlement: gold}}\n"
            let root = try await gate.connect("root")
            await #expect(throws: GateError.self) { try await root.call(Methods.Control.reload, ReloadRequest()) }
        }
    }

    @Test("with a full disk no household policy is accepted or put in force, and the next try starts over")
    func fullDisk() async throws {
        try await with { gate, carrier, store in
            store.setFull(true)
            #expect(await refusal(of: signed(7), carrier)?.reason == .storeFailed)
            #expect(try await !hasBedtime(gate))
            store.setFull(false)
            try await submit(signed(7), carrier)
            #expect(try await hasBedtime(gate))
        }
    }

    @Test("a gated action that a newer household policy removes is denied again")
    func takenBack() async throws {
        try await with { gate, carrier, _ in
            try await submit(signed(1), carrier)
            try await submit(signed(2, [:]), carrier)
            let anna = try await gate.connect("anna")
            let request = AuthorizeRequest(
                request: AuthorizationRequest(gatedAction: "bedtime.end"), presenting: .here)
            let error = await #expect(throws: GateError.self) {
                try await anna.call(Methods.Authorization.authorize, request)
            }
            #expect(error?.reason == .unknown || error?.reason == .denied)
        }
    }
}
