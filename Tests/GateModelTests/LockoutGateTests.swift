import GateModel
import Testing

@Suite("Where wrong answers are counted")
struct LockoutGateTests {
    @Test(
        "each gate is written as its counter is called, and read back",
        arguments: [
            (Lockout.Gate.mode, "mode"), (.gatedAction("link.open"), "link.open"), (.secret(.passcode), "passcode"),
            (.secret(.totp), "totp"), (.secretOfDevice(.passcode), "passcode on this device"),
            (.secretOfDevice(.totp), "totp on this device"), (.signIn(account: ""), "sign-in"),
            (.signIn(account: "Anna Lind"), "sign-in Anna Lind"),
        ])
    func text(gate: Lockout.Gate, text: String) {
        #expect(gate.text == text)
        #expect(Lockout.Gate(text: text) == gate)
    }

    @Test("a gated action may begin as a secret is called", arguments: ["passcode.change", "totp-2", "sign-in.guest"])
    func likeSecrets(name: String) {
        #expect(Lockout.Gate(text: name) == .gatedAction(name))
    }
}
