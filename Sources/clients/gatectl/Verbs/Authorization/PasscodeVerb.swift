import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts

struct PasscodeVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passcode",
        abstract: localized("Set the passcode of the grown-ups, or remove it (administrators)."),
        discussion: "Use this to replace a forgotten passcode, too.",
        subcommands: [PasscodeSetVerb.self, PasscodeRemoveVerb.self])
}

struct PasscodeSetVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set the passcode, in place of an earlier one.",
        discussion: """
            On a terminal it is typed twice, and not shown. It is never an argument, because everybody can read \
            arguments. It has 4 to 128 bytes.
            """)

    @OptionGroup var connection: ConnectionOptions

    @Flag(help: "Read it from standard input, one line.")
    var stdin = false

    func perform(_ session: Session) async throws(GateError) {
        let prompt = try LinePrompt(
            readsStandardInput: stdin,
            orElse: localized("Run `gatectl passcode set` on a terminal, or give it with --stdin."))
        let response = try await session.setPasscode(asking: prompt)
        try session.output.result(response, at: response.revision, localized("the passcode is set"))
    }
}

struct PasscodeRemoveVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove the passcode.",
        discussion: """
            If the policy asks for a passcode, Gate then asks for the authenticator; without one, only \
            administrators enter parent mode.
            """)

    @OptionGroup var connection: ConnectionOptions

    func perform(_ session: Session) async throws(GateError) {
        let response = try await session.gate.call(Methods.Secrets.remove, RemoveSecretRequest(kind: .passcode))
        try session.output.result(response, at: response.revision, localized("the passcode is removed"))
    }
}
