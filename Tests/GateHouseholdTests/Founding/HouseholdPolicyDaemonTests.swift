import Foundation
import GateClient
import GateGuardians
import GateModel
import ProcessSupport
import Testing

@testable import GateHousehold

@Suite("The policy for all devices, with a real gated (H-06)", .timeLimit(.minutes(5)), .waitsForProcesses)
struct HouseholdPolicyDaemonTests {
    private static let key = SigningKey()
    private typealias Sample = SampleHousehold

    private static let settings = """
        household: "\(Sample.household)"
        device: "\(Sample.me)"
        name: A device
        key: \(key.publicKey.base64URL)
        broker: {host: gate.example, authority: a, certificate: b, key: c}
        policy: true

        """

    private func gate() throws -> RunningGate {
        try RunningGate(files: ["household.yaml": Array(Self.settings.utf8)])
    }

    private func client(_ gate: RunningGate) -> GateClient {
        GateClient(GateClientOptions(socketPath: gate.socket, trustedServers: .rootAnd(user: NSUserName())))
    }

    private func signed(_ number: UInt64, more: String = "", bytes: Int = 0) -> [UInt8] {
        let policy = HouseholdPolicy(
            household: Sample.household, number: number, issued: WallTime(unixMilliseconds: 1),
            files: [
                .init(
                    path: "policy.d/a.yaml",
                    text: "gated-actions: {number.\(number): {title: A, requires: {mode: parent}}}\n"
                        + more + String(repeating: "#", count: bytes))
            ])
        return SignedText.sign(policy.payload, as: .policy, with: Self.key)
    }

    private func policy(_ gate: RunningGate) throws -> String {
        let shown = try gate.gatectl("policy", "show")
        #expect(shown.status == 0, "\(shown.errors)")
        return shown.output
    }

    @Test("the household policy is in force again after a stop, a kill and a reboot")
    func restarts() async throws {
        let gate = try gate()
        try await client(gate).household.submitPolicy(signed(7))
        #expect(try policy(gate).contains("number.7"))
        #expect(try gate.stop() == 0)
        try gate.start()
        #expect(try policy(gate).contains("number.7"))
        try gate.crash()
        try gate.start()
        #expect(try policy(gate).contains("number.7"))
        await #expect(throws: GateError.self) { try await client(gate).household.submitPolicy(signed(6)) }
    }

    @Test("if gated is killed while it accepts a household policy, the old or the new one is complete afterwards")
    func killed() async throws {
        let gate = try gate()
        try await client(gate).household.submitPolicy(signed(1))
        var (confirmed, taken): (UInt64, Int) = (1, 0)
        for round in 0..<16 {
            let number = confirmed + 1
            let client = client(gate)
            let signed = signed(number, bytes: 500_000)
            let submission = Task { () -> Bool in (try? await client.household.submitPolicy(signed)) != nil }
            try await Task.sleep(for: .milliseconds(round * 4))
            try gate.crash()
            let isConfirmed = await submission.value
            try gate.start()
            let shown = try policy(gate)
            let has = shown.contains("number.\(number)")
            #expect(has != shown.contains("number.\(confirmed)"), "one of both")
            #expect(has || !isConfirmed, "what was confirmed is there")
            let doctor = try gate.gatectl("household", "doctor", "--json").output
            #expect(doctor.contains("\"policyNumber\":\"\(has ? number : confirmed)\""), "\(doctor)")
            if has { (confirmed, taken) = (number, taken + 1) }
        }
        #expect(taken > 0 || confirmed == 1)
    }

    @Test("if the household policy does not fit the device's files at the start, it is left out, and doctor says why")
    func doesNotFit() async throws {
        let gate = try gate()
        try await client(gate).household.submitPolicy(signed(7, more: "mode: {lease: 20m}\n"))
        _ = try gate.stop()
        // The household's lease is longer than this device allows.
        try gate.writePolicy(RunningGate.policy.replacing("mode: {", with: "mode: {maximum-lease: 16m, "))
        try gate.start()
        let shown = try policy(gate)
        #expect(!shown.contains("number.7") && !shown.contains("household policy 7"))
        let doctor = try gate.gatectl("household", "doctor")
        #expect(doctor.status == 1)
        #expect(doctor.output.contains("household policy 7: policy.d/a.yaml:2:15: "), "\(doctor.output)")
        let journal = try gate.gatectl("audit").output
        #expect(journal.contains("without household policy 7"), "\(journal)")
        // Corrected and read again, the policy is in force.
        try gate.writePolicy(RunningGate.policy)
        #expect(try gate.gatectl("reload").status == 0)
        #expect(try policy(gate).contains("household policy 7"))
        #expect(!(try gate.gatectl("household", "doctor").output.contains("was refused")))
    }

    @Test("an app that the household's policy guards stays on the list while that policy is left out (X-01)")
    func appsOfPolicyThatDoesNotFit() async throws {
        let gate = try gate()
        let apps = URL(filePath: gate.directory + "/apps")
        let text = "mode: {lease: 20m}\ngated-actions: {app.chess: {requires: {mode: parent}}}\n"
        let guarding = HouseholdPolicy(
            household: Sample.household, number: 7, issued: WallTime(unixMilliseconds: 1),
            files: [.init(path: "policy.d/a.yaml", text: text)])
        try await client(gate).household.submitPolicy(SignedText.sign(guarding.payload, as: .policy, with: Self.key))
        #expect(try Data(contentsOf: apps) == Data("chess\n".utf8))
        _ = try gate.stop()
        try gate.writePolicy(RunningGate.policy.replacing("mode: {", with: "mode: {maximum-lease: 16m, "))
        try gate.start()
        #expect(try !policy(gate).contains("app.chess"))
        #expect(try Data(contentsOf: apps) == Data("chess\n".utf8))
        // The next policy of the household fits, and counts alone.
        try await client(gate).household.submitPolicy(signed(8))
        #expect(try Data(contentsOf: apps).isEmpty)
    }

    @Test("gated does not start with mistakes in its own files, even with a household policy")
    func ownMistakes() async throws {
        let gate = try gate()
        try await client(gate).household.submitPolicy(signed(7))
        _ = try gate.stop()
        try gate.writePolicy("mode: {lease: soon}\n")
        let daemon = try ChildProcess(builtProgram("gated"), gate.daemonArguments)
        #expect(try daemon.ended().status == 65)
    }
}
