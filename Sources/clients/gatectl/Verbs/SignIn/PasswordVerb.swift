import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts

struct PasswordVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "password",
        abstract: localized("Change the password of an account."),
        discussion: """
            For example: gatectl password anna
            A forgotten one: gatectl password anna --reset

            Asks for the old password, then for the new one twice; they don't show. With --password-file the first line is \
            the old one, and the second line the new one; with --reset the only line is the new one. Status 1: the name or \
            the old password is wrong.
            """)

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var password: PasswordOptions

    @Flag(help: "Without the old password (administrators; in parent mode anybody, for children's accounts).")
    var reset = false

    @Argument(help: "The account's name. Default: it is asked for.", completion: NameCompletion.people)
    var name: String?

    func perform(_ session: Session) async throws(GateError) {
        let request = try await request()
        let response = try await ProgressLine().during { () throws(GateError) in
            try await session.gate.call(Methods.SignIn.changePassword, request, timeout: SignInTime.allowed)
        }
        try session.output.result(
            response, at: response.revision,
            localized("{name} has a new password", ["name": VisibleText.line(request.name)]))
    }

    private func request() async throws(GateError) -> ChangePasswordRequest {
        var source = try PasswordSource(
            password, count: reset ? 1 : 2,
            orElse: localized("Run `gatectl password` on a terminal, or give the passwords with --password-file."))
        let name = try await source.name(name, verb: "password")
        let old = reset ? nil : try await source.password(localized("Old password"))
        return ChangePasswordRequest(name: name, oldPassword: old, newPassword: try await source.newPassword())
    }
}
