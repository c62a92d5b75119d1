import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts

struct TOTPVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "totp",
        abstract: localized("Set up an authenticator app, which shows codes, or remove it (administrators)."),
        discussion: "Use any app for time-based one-time codes (RFC 6238) on a parent's phone.",
        subcommands: [TOTPEnrolVerb.self, TOTPRemoveVerb.self])
}

struct TOTPEnrolVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "enrol",
        abstract: "Set up an authenticator, in place of an earlier one.",
        discussion: """
            Makes a new key and shows it as a QR code and in letters; the code that the authenticator makes of it has to be \
            typed before the key counts. With --stdin: prints the otpauth:// link, which holds the key, and reads the code.
            """)

    @OptionGroup var connection: ConnectionOptions

    @Flag(help: "Print the link, and read the code from standard input.")
    var stdin = false

    func perform(_ session: Session) async throws(GateError) {
        let prompt = try LinePrompt(
            readsStandardInput: stdin, orElse: localized("Run `gatectl totp enrol` on a terminal, or give --stdin."))
        let response = try await session.enrolTOTP(asking: prompt)
        try session.output.result(response, at: response.revision, localized("the authenticator is set up"))
    }
}

struct TOTPRemoveVerb: Verb {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove the authenticator.")

    @OptionGroup var connection: ConnectionOptions

    func perform(_ session: Session) async throws(GateError) {
        let response = try await session.gate.call(Methods.Secrets.remove, RemoveSecretRequest(kind: .totp))
        try session.output.result(response, at: response.revision, localized("the authenticator is removed"))
    }
}
