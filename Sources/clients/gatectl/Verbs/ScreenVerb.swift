import ArgumentParser
import GateModel
import GateTexts

struct ScreenVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "screen",
        abstract: localized("Ask for passcodes on a screen of Gate's own, and choose its word (root)."),
        discussion: """
            Whatever is shown in a child's session can be seen and imitated there. On its own screen, on a virtual \
            terminal, Gate asks for passcodes, codes and sign-ins. It switches there and back by itself.
            """,
        subcommands: [ScreenOnVerb.self, ScreenOffVerb.self, ScreenWordVerb.self])
}

struct ScreenOnVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "on", abstract: "Name the screen in the policy, and start gate-screen.service.")

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var policy: PolicyOptions

    func perform(_ session: Session) async throws(GateError) {
        let file = ScreenPolicyFile(options: policy, serverUser: connection.serverUser)
        session.output.done(try await session.turnScreenOn(file))
    }
}

struct ScreenOffVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "off", abstract: "Stop gate-screen.service, and take its name out of the policy.")

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var policy: PolicyOptions

    func perform(_ session: Session) async throws(GateError) {
        let file = ScreenPolicyFile(options: policy, serverUser: connection.serverUser)
        session.output.done(try await session.turnScreenOff(file))
    }
}

struct ScreenWordVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "word",
        abstract: "Choose the word that tells Gate's own screen from an imitation.",
        discussion: """
            Grown-ups look for it before they type a passcode. Only that screen and root can read it. A child who has seen the screen \
            knows it too: choose another one then.
            """)

    @OptionGroup var connection: ConnectionOptions

    @Flag(help: "Read it from standard input, one line.")
    var stdin = false

    @Flag(help: "Remove the word.")
    var remove = false

    func perform(_ session: Session) async throws(GateError) {
        try Session.requireRoot()
        if remove {
            try ScreenWordFile().remove()
            return session.output.done([localized("The screen has no word now.")])
        }
        let prompt = try LinePrompt(
            readsStandardInput: stdin,
            orElse: localized("Run `gatectl screen word` on a terminal, or give it with --stdin."))
        guard let word = try await session.askScreenWord(prompt) else {
            return session.output.done([localized("Nothing was changed.")])
        }
        try session.keepScreenWord(word)
        session.output.done([localized("The screen shows the word from the next question on.")])
    }
}

extension Output {
    /// Prints what was done, one line each; as JSON `{"done": […]}`.
    fileprivate func done(_ lines: [String]) {
        guard isJSON else { return line(lines.joined(separator: "\n")) }
        line("{\"done\":[\(lines.map { JSONString.quoted($0) }.joined(separator: ","))]}")
    }
}
