import ArgumentParser
import GateClient
import GateModel
import GateProtocol

struct StatusVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Print the mode, who is signed in, and what is active.",
        discussion: """
            Where nobody is signed in and nothing is active, the mode alone. With --json all of it in one object: the fields \
            of gate.v1.Mode/Get, and "signIn" and "entitlements" with those of their Get.
            """)

    @OptionGroup var connection: ConnectionOptions

    func perform(_ session: Session) async throws(GateError) {
        let gate = session.gate
        let mode = try await gate.status()
        let signIn = try await gate.call(Methods.SignIn.get, GetSignInRequest())
        let entitlements = try await gate.call(Methods.Entitlements.get, GetEntitlementsRequest())
        guard !session.output.isJSON else {
            let whole = JSONText.appending("signIn", json: try signIn.json(), to: try mode.json())
            return session.output.line(
                JSONText.appending("entitlements", json: try entitlements.json(), to: whole))
        }
        try session.output.mode(mode, mode.revision, mode.state)
        let text = SignInText(state: signIn.state)
        if text.isNotable { session.output.line(text.line(now: .now())) }
        for entitlement in entitlements.state.entitlements where entitlement.isActive {
            session.output.line(EntitlementText.line(entitlement))
        }
    }
}
