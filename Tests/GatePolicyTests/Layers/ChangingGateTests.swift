import GateModel
import Testing

@testable import GatePolicy

@Suite("The gates that other gates depend on, in the layers of the policy (U-07, U-08)")
struct ChangingGateTests {
    private static let weak = "gated-actions: {gate.change: {requires: {challenge: confirm}}}"

    private func household(_ text: String) throws -> HouseholdPolicy {
        HouseholdPolicy(
            household: try #require(HouseholdID(String(repeating: "1", count: 32))), number: 7,
            issued: WallTime(unixMilliseconds: 1), files: [HouseholdPolicy.File(path: "policy.d/a.yaml", text: text)])
    }

    private func requirement(_ policy: Policy) -> Requirement? {
        policy.configuration.gatedActions.named(GatedAction.change)?.requirement
    }

    private static let builtIn = Requirement.challenge(ChallengeRule(.passcode))

    @Test("the device's own files say what stands before gate.change")
    func device() throws {
        let policy = try PolicyReader.read(
            [PolicySource(name: "policy.yaml", text: "gated-actions: {gate.change: {requires: {challenge: totp}}}")],
            household: nil, choices: ["gate.change": "{requires: {challenge: confirm}}"],
            shipped: [PolicySource(name: "shipped/a.yaml", text: Self.weak)])
        #expect(requirement(policy) == .challenge(ChallengeRule(.totp)))
        #expect(policy.broken.map(\.file).sorted() == ["choice of gate.change", "shipped/a.yaml"])
    }

    @Test("a shipped file that names gate.change is left out, and told; the built-in question stays")
    func shipped() throws {
        let policy = try PolicyReader.read(
            [], household: nil,
            shipped: [
                PolicySource(
                    name: "shipped/a.yaml",
                    text: "gated-actions:\n  a: {requires: signed-in}\n  gate.change: {requires: {challenge: confirm}}")
            ])
        #expect(requirement(policy) == Self.builtIn && policy.configuration.gatedActions.isEmpty)
        #expect(
            policy.broken.flatMap(\.lines) == [
                "shipped/a.yaml:3:3: Only /etc/gate says what stands before 'gate.change'. Remove it here. If you mean it, "
                    + "write it into /etc/gate of each device.",
                "shipped/a.yaml has mistakes: nothing in it counts, and what it names is denied: a",
            ])
        #expect(policy.linesWithOrigins.contains { $0.hasPrefix("mistake: shipped/a.yaml:3:3: Only /etc/gate") })
    }

    @Test("a stored choice about gate.change does not count, and its finding says how it goes away")
    func choice() throws {
        let policy = try PolicyReader.read(
            [], household: nil,
            choices: ["gate.change": "{requires: {challenge: confirm}}", "b": "{requires: {mode: parent}}"])
        #expect(requirement(policy) == Self.builtIn)
        #expect(policy.configuration.gatedActions["b"]?.requirement == .parentMode)
        let lines = policy.broken.flatMap(\.lines)
        #expect(lines.contains { $0.contains("sudo gatectl gates unset gate.change") })
        #expect(!lines.contains { $0.contains("is denied") })
    }

    @Test("a household's policy that names gate.change is refused")
    func ofHousehold() throws {
        let error = #expect(throws: PolicyError.self) {
            try PolicyReader.read([], household: try household(Self.weak))
        }
        #expect(error?.problems.count == 1)
        #expect(error?.description.contains("Only /etc/gate says what stands before 'gate.change'.") ?? false)
    }

    @Test("however a shipped file or a choice is broken, gate.change is neither denied nor weak")
    func broken() throws {
        for text in [
            "mode: {lease: soon}\n" + Self.weak, Self.weak + "\n]", "gated-actions: {gate.change: {}}",
            "gated-actions: {gate.change: signed-in}", "gated-actions: {gate.change: }",
        ] {
            let policy = try PolicyReader.read(
                [], household: nil, choices: ["gate.change": "{"],
                shipped: [PolicySource(name: "shipped/a.yaml", text: text)])
            #expect(requirement(policy) == Self.builtIn, "\(text)")
            #expect(policy.broken.count == 2 && policy.broken.allSatisfy { $0.gatedActions.isEmpty }, "\(text)")
        }
    }

    @Test(
        "in each layer, an action on other devices asks what only a grown-up can answer",
        arguments: [
            ("{challenge: confirm}", false), ("{challenge: arithmetic-entry}", false),
            ("{challenge: {ages: {0-8: passcode, 9+: confirm}}}", false),
            ("{any: [{challenge: passcode}, {challenge: confirm}]}", false),
            ("{challenge: passcode}", true), ("{challenge: {kind: confirm, answered-by: grown-up}}", true),
            ("{all: [{challenge: confirm}, {challenge: totp}]}", true),
            ("{challenge: {ages: {0-8: passcode, 9+: totp}}}", true),
        ])
    func elsewhere(requirement: String, isTaken: Bool) throws {
        for name in ["household.open", "household.answer"] {
            let text = "gated-actions: {\(name): {requires: \(requirement)}}"
            let chosen = try PolicyReader.read([], household: nil, choices: [name: "{requires: \(requirement)}"])
            #expect((chosen.configuration.gatedActions[name] != nil) == isTaken && chosen.broken.isEmpty == isTaken)
            let shipped = try PolicyReader.read(
                [], household: nil, shipped: [PolicySource(name: "shipped/a.yaml", text: text)])
            #expect((shipped.configuration.gatedActions[name] != nil) == isTaken)
            let shared = try household(text)
            #expect(((try? PolicyReader.read([], household: shared)) != nil) == isTaken)
            let own = PolicySource(name: "policy.yaml", text: text)
            #expect(((try? PolicyReader.read([own])) != nil) == isTaken)
        }
    }

    @Test("stored choices are read one by one, and those with mistakes are left out")
    func reading() {
        let found = GateChoice.rules(of: [
            "a": "{title: A, requires: {form: gone}, keep: 5m}", "b": "{", "c": "{requires: nonsense}",
            "gate.change": "{requires: {challenge: confirm}}", "household.open": "{requires: {challenge: confirm}}",
            "d": "{requires: signed-in}, e: {requires: signed-in}", "F": "{requires: signed-in}",
        ])
        #expect(found == ["a": .gate(GatedAction(title: "A", requirement: .form("gone"), keep: .seconds(300)))])
    }
}
