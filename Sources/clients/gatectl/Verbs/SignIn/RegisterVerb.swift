import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts

struct RegisterVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "register",
        abstract: localized("Add a person with a password (administrators; in parent mode anybody)."),
        discussion: """
            For example: gatectl register anna --child 2015-03-02
            In a script: gatectl register anna --password-file ~/anna.password

            The person can sign in, but has no Unix user; for people who have one: gatectl people set. On a terminal \
            the password is typed twice, and not shown. It has 4 to 128 bytes. A person who was registered in parent \
            mode, and not by an administrator, is unconfirmed: their age counts only after an administrator has \
            confirmed them (gatectl people confirm).
            """)

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var password: PasswordOptions

    @Option(
        help: ArgumentHelp(
            "A child with this date of birth; the age decides which questions are asked. Default: a grown-up.",
            valueName: "YYYY-MM-DD"),
        transform: BirthdateText.parse)
    var child: CivilDate?

    @Argument(help: "The person's name, as it will be typed.")
    var name: String

    func perform(_ session: Session) async throws(GateError) {
        let person = GatePerson(name: name, kind: child.map { .child(born: $0) } ?? .grownUp)
        let secret = try await newPassword()
        let response = try await ProgressLine().during { () throws(GateError) in
            try await session.gate.call(
                Methods.SignIn.register, RegisterAccountRequest(account: person, password: secret),
                timeout: SignInTime.allowed)
        }
        try session.output.result(
            response, at: response.revision, localized("{name} can sign in", ["name": VisibleText.line(name)]))
        let listed = try? await session.gate.people.list().first { $0.name == name }
        if child != nil, listed?.isConfirmed == false {
            session.output.note(
                localized(
                    "Their age counts once an administrator has confirmed them: `sudo gatectl people confirm {name}`.",
                    ["name": ShellText.quoted(name)])
            )
        }
    }

    private func newPassword() async throws(GateError) -> GateSecret {
        var source = try PasswordSource(
            password, count: 1,
            orElse: localized("Run `gatectl register` on a terminal, or give the password with --password-file."))
        return try await source.newPassword()
    }
}

/// How long a call may take in which the daemon hashes a password. The daemon gives up earlier.
enum SignInTime {
    static let allowed = Duration.seconds(40)
}
