import ArgumentParser
import GateClient
import GateModel
import GateTexts
import Glibc

struct SetupVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Set up a device: a passcode, an authenticator, and a test whether a child gets in (administrators).",
        discussion: """
            Takes two minutes, on a terminal; it can be run again at any time. Use it also to replace a forgotten \
            passcode: only administrators can, and a child is none. In scripts: gatectl passcode set --stdin
            """)

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var policy: PolicyOptions

    func perform(_ session: Session) async throws(GateError) {
        let prompt = try LinePrompt(
            readsStandardInput: false,
            orElse: localized("Run `gatectl setup` on a terminal; in a script: `gatectl passcode set --stdin`."))
        let version = try await session.gate.control.version().version
        prompt.say(localized("gated {version} answers.", ["version": version]))
        try await checkAdministrator(session)
        prompt.say("\n" + localized("This is in force:"))
        for line in try await session.lines(of: session.gate.control.policy()) {
            prompt.say("  " + VisibleText.line(line))
        }
        try await setUpPasscode(session, prompt)
        try await setUpTOTP(session, prompt)
        try await setUpScreen(session, prompt)
        try await tryAsChild(session, prompt)
        prompt.say(Self.next)
    }

    private func checkAdministrator(_ session: Session) async throws(GateError) {
        do throws(GateError) {
            _ = try await session.gate.control.statistics()
        } catch {
            guard error.code == .permissionDenied else { throw error }
            throw GateError(
                .permissionDenied, .notPermitted,
                saying: localized(
                    "Only an administrator can set up Gate. Run `sudo gatectl setup`, or join the group gate-admin."))
        }
    }

    private func setUpPasscode(_ session: Session, _ prompt: LinePrompt) async throws(GateError) {
        prompt.say("")
        if try await session.gate.secrets.state().kinds.contains(.passcode) {
            guard try await prompt.agrees(localized("A passcode is set. Set another one?")) else { return }
        } else {
            prompt.say(localized("The passcode is a secret that grown-ups know and children do not."))
        }
        _ = try await session.setPasscode(asking: prompt)
        prompt.say(localized("The passcode is set."))
    }

    private func setUpTOTP(_ session: Session, _ prompt: LinePrompt) async throws(GateError) {
        prompt.say("")
        let question =
            try await session.gate.secrets.state().kinds.contains(.totp)
            ? localized("An authenticator is set up. Set up another one in its place?")
            : localized("If the policy asks for `totp`, a phone shows changing codes. Set one up?")
        guard try await prompt.agrees(question) else { return }
        _ = try await session.enrolTOTP(asking: prompt)
        prompt.say(localized("The authenticator is set up."))
    }

    /// Offers Gate's own screen if it is installed and root runs this, since it takes a unit and a file of the policy.
    private func setUpScreen(_ session: Session, _ prompt: LinePrompt) async throws(GateError) {
        guard geteuid() == 0, Session.hasScreenUnit else { return }
        prompt.say(
            "\n"
                + localized(
                    "Anyone who runs a child's session sees what is typed there. Gate can ask for passcodes on a screen of its own, and switch there and back by itself."
                ))
        guard try await prompt.agrees(localized("Have that screen?")) else { return }
        let file = ScreenPolicyFile(options: policy, serverUser: connection.serverUser)
        for line in try await session.turnScreenOn(file) { prompt.say("  " + line) }
        prompt.say(localized("Choose a word or two that stand on that screen, so that you know it from an imitation."))
        guard let word = try await session.askScreenWord(prompt) else { return }
        try session.keepScreenWord(word)
        prompt.say(localized("`gatectl screen word` changes it."))
    }

    private func tryAsChild(_ session: Session, _ prompt: LinePrompt) async throws(GateError) {
        _ = try await session.gate.mode.lock()
        let trial = await SetupTrial.run(session.gate.options)
        let who = geteuid() == 0 ? "" : " " + localized("(Tried as you; as root it would be tried as another user.)")
        prompt.say("\n" + trial.text + who)
        guard trial == .letIn else { return }
        _ = try await session.gate.mode.lock()
        throw GateError(
            .failedPrecondition, .unspecified,
            saying: localized(
                "This device is not safe yet. Look at `gatectl policy show`, and at who is an administrator."))
    }

    private static var next: String {
        [
            "", localized("Done. What to do next:"),
            "  gatectl toggle       " + localized("enter parent mode, and leave it"),
            "  gatectl present      " + localized("shows every question on this screen, whichever program asks"),
            "  gatectl gates        " + localized("what else the policy guards; it is in /etc/gate/policy.yaml"),
            "  gatectl doctor       " + localized("whether everything is in place"),
            localized("A forgotten passcode: an administrator runs `gatectl passcode set`."),
        ].joined(separator: "\n")
    }
}
