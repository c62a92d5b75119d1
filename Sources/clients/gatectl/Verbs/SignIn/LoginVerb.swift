import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts

struct LoginVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: localized("Sign in on this device."),
        discussion: """
            For example: gatectl login anna
            In a script: pass show anna | gatectl login anna --password-file -

            Asks for the name if it is missing, and for the password, which is not shown. Status 1: the name or \
            the password is wrong, or somebody is signed in or just signing in; 75: too many wrong passwords. \
            Signing in is not parent mode.
            """)

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var password: PasswordOptions

    @Argument(help: "The account's name. Default: it is asked for.", completion: NameCompletion.people)
    var name: String?

    func perform(_ session: Session) async throws(GateError) {
        let (name, secret) = try await nameAndPassword()
        let response = try await ProgressLine().during { () throws(GateError) in
            try await session.gate.call(
                Methods.SignIn.logIn, LogInRequest(name: name, password: secret), timeout: SignInTime.allowed)
        }
        let text = SignInText(state: response.state).line(now: .now())
        try session.output.result(response, at: response.revision, text)
    }

    /// Ctrl-C is caught only until this returns. Afterwards it ends the program again.
    private func nameAndPassword() async throws(GateError) -> (String, GateSecret) {
        var source = try PasswordSource(
            password, count: 1,
            orElse: localized("Run `gatectl login` on a terminal, or give the password with --password-file."))
        let name = try await source.name(name, verb: "login")
        return (name, try await source.password(localized("Password")))
    }
}

struct LogoutVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "logout", abstract: localized("Sign out the person who is signed in."),
        discussion: """
            For example: gatectl logout. If nobody is signed in, nothing changes.

            Administrators and the user who signed in may do so as often as they like; others three times, and \
            once more after each hour (status 75).
            """)

    @OptionGroup var connection: ConnectionOptions

    func perform(_ session: Session) async throws(GateError) {
        let response = try await session.gate.call(Methods.SignIn.logOut, LogOutRequest())
        let text = SignInText(state: response.state).line(now: .now())
        try session.output.result(response, at: response.revision, text)
    }
}
