import Glibc
import ProcessSupport
import Testing

@Suite("The quick way of gatectl status without an option", .serialized, .waitsForProcesses)
struct QuickStatusTests {
    /// The status by the quick way of `status`, and by the way of all other verbs.
    private func status(_ gate: RunningGate) throws -> [ChildProcess.Result] {
        try [["status"], ["status", "--timeout", "5m"]].map { arguments in
            let process = try ChildProcess(
                builtProgram("gatectl"), arguments, environment: ["GATE_SOCKET": gate.socket])
            process.closeInput()
            return try process.ended()
        }
    }

    /// The words without numbers, because time passes between the two calls.
    private func words(_ text: String) -> [Substring] {
        text.split { $0 == " " || $0 == "\n" }.filter { !$0.contains(where: \.isNumber) }
    }

    private func expectSame(_ gate: RunningGate, _ status: Int32, _ text: String) throws {
        let results = try self.status(gate)
        #expect(results[0].status == results[1].status && results[0].errors == results[1].errors)
        #expect(words(results[0].output) == words(results[1].output))
        // If the tests don't run as root, `status` does not trust the daemon by itself.
        guard getuid() == 0 else { return }
        #expect(results[0].status == status)
        #expect((results[0].output + results[0].errors).contains(text), "\(results[0].output)\(results[0].errors)")
    }

    @Test("status without an option prints the same as with one")
    func same() throws {
        let gate = try RunningGate(policy: RunningGate.policy + "entitlements: {premium: {title: Premium}}\n")
        try expectSame(gate, 0, "child")
        #expect(try gate.gatectl("override", "parent", "--reason", "a test").status == 0)
        #expect(try gate.gatectl("entitlements", "add", "premium", "--device").status == 0)
        try expectSame(gate, 0, "premium")
        #expect(try gate.gatectl("lock").status == 0)
        try gate.crash()
        try expectSame(gate, 69, "can't be reached")
        try gate.start()
        try expectSame(gate, 0, "child")
    }
}
