import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts

struct StatusVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: localized("Print the mode, who is signed in, and which purchases are active."),
        discussion: localized(
            """
            If nobody is signed in and no purchase is active, only the mode is printed. With --json, the output is one \
            object: the fields of gate.v1.Mode/GetMode, and "signIn" and "entitlements" with the fields of their Get \
            methods.

            With --page, the daemon is not called. The mode, and whether a subscription is active, are read from the \
            page that the daemon shares with every process: the file "status" beside its socket. If no running daemon \
            answers for the page, the command prints child and the reason. The status is then 69, or 77 if this \
            process can't see the daemon's user, as in a sandbox with a user namespace of its own. The JSON has \
            "revision" and "state" as above, "entitlements.state.isSubscriptionActive", and "isLive".
            """))

    @OptionGroup var connection: ConnectionOptions

    @Flag(help: ArgumentHelp(localized("Read the daemon's status page, and call nobody.")))
    var page = false

    func perform(_ session: Session) async throws(GateError) {
        if page { try printPage(session) } else { try await printAnswers(session) }
    }

    private func printPage(_ session: Session) throws(GateError) {
        do throws(GateError) {
            try printPage(session.gate.statusPage.checkedStatus(), to: session.output)
        } catch {
            try printPage(.closed, to: session.output)
            throw error
        }
    }

    private func printPage(_ status: DeviceStatus, to output: Output) throws(GateError) {
        let text = StatusPageText(status: status)
        guard !output.isJSON else { return output.line(try text.json()) }
        for line in text.lines(now: .now(), colours: output.colours) { output.line(line) }
    }

    private func printAnswers(_ session: Session) async throws(GateError) {
        let gate = session.gate
        let answers = StatusAnswers(
            mode: try await gate.call(Methods.Mode.get, GetModeRequest()),
            signIn: try await gate.call(Methods.SignIn.get, GetSignInRequest()),
            entitlements: try await gate.call(Methods.Entitlements.get, GetEntitlementsRequest()))
        try answers.print(to: session.output)
    }
}

struct StatusAnswers {
    let mode: GetModeResponse
    let signIn: GetSignInResponse
    let entitlements: GetEntitlementsResponse

    func print(to output: Output) throws(GateError) {
        guard !output.isJSON else {
            let whole = JSONText.appending("signIn", json: try signIn.json(), to: try mode.json())
            return output.line(JSONText.appending("entitlements", json: try entitlements.json(), to: whole))
        }
        try output.mode(mode, mode.revision, mode.state)
        let text = SignInText(state: signIn.state)
        if text.isNotable { output.line(text.line(now: .now())) }
        for entitlement in entitlements.state.entitlements where entitlement.isActive {
            output.line(EntitlementText.line(entitlement))
        }
    }
}
