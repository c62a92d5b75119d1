import GateModel
import Testing

@Suite("Where wrong answers are counted")
struct LockoutGateTests {
    @Test(
        "each gate is written as its counter's name, and read back",
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

    @Test(
        "a gated action's name may begin with a secret's name",
        arguments: ["passcode.change", "totp-2", "sign-in.guest"])
    func likeSecrets(name: String) {
        #expect(Lockout.Gate(text: name) == .gatedAction(name))
    }
}
