import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts

struct AccountsVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts",
        abstract: "List who can sign in, confirm and remove accounts.",
        discussion: """
            For example: gatectl accounts
            And: gatectl accounts remove anna
            """,
        subcommands: [AccountsListVerb.self, AccountsConfirmVerb.self, AccountsRemoveVerb.self],
        defaultSubcommand: AccountsListVerb.self)
}

struct AccountsListVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List who can sign in (administrators; in parent mode anybody).")

    @OptionGroup var connection: ConnectionOptions

    func perform(_ session: Session) async throws(GateError) {
        let accounts = try await session.gate.accounts.list()
        guard !session.output.isJSON else {
            for page in accounts.pages {
                session.output.line(try ListAccountsResponse(page, nextPageToken: "").json())
            }
            return
        }
        let today = CivilDate(WallTime.now())
        let rows = accounts.map { AccountText.columns($0, today: today) }
        session.output.table(rows, orNone: localized("There are none. Make one with `gatectl register NAME`."))
    }
}

struct AccountsConfirmVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "confirm",
        abstract: "Confirm an account, so that its age counts (administrators).",
        discussion: """
            For example: sudo gatectl accounts confirm anna
            In a script: sudo gatectl accounts confirm anna --password-file anna.password
            If an account was made, or its password changed, in parent mode, it is unconfirmed: it can sign in, \
            but gets the questions for an unknown age. Confirm it if the date of birth is right. Confirming sets \
            another password, which only the account's owner should know, because nobody can say who set the old \
            one.
            """)

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var password: PasswordOptions

    @Argument(help: "The account's name.")
    var name: String

    func perform(_ session: Session) async throws(GateError) {
        guard let account = try await session.gate.accounts.list().first(where: { $0.name == name }) else {
            throw GateError(
                .notFound, .unknown,
                saying: localized("There is no account '{name}'. See them with `gatectl accounts`.", ["name": name]))
        }
        let confirmed = GateAccount(name: account.name, kind: account.kind)
        let text = ListText.things(AccountText.columns(confirmed, today: CivilDate(WallTime.now())))
        // Show the account before the password is asked for, so that the person sees what they confirm.
        session.output.note(text)
        var source = try PasswordSource(
            password, count: 1,
            orElse: localized(
                "Run `gatectl accounts confirm` on a terminal, or give the password with --password-file."))
        let newPassword = try await source.newPassword()
        let response = try await ProgressLine().during { () throws(GateError) in
            try await session.gate.call(
                Methods.SignIn.confirmAccount, ConfirmAccountRequest(account: account, newPassword: newPassword),
                timeout: SignInTime.allowed)
        }
        try session.output.result(
            response, RevisionText.row(response.revision, localized("{account}: confirmed", ["account": text])))
    }
}

struct AccountsRemoveVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove an account, with its purchases.",
        discussion: """
            For administrators; in parent mode anybody can remove children's accounts. Anyone who is signed in \
            with the account is signed out.
            """)

    @OptionGroup var connection: ConnectionOptions

    @Argument(help: "The account's name.")
    var name: String

    func perform(_ session: Session) async throws(GateError) {
        let response = try await session.gate.call(
            Methods.SignIn.removeAccount, RemoveAccountRequest(name: name))
        try session.output.result(
            response,
            RevisionText.row(response.revision, localized("{name} is removed", ["name": VisibleText.line(name)])))
    }
}
