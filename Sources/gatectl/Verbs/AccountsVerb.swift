import ArgumentParser
import GateClient
import GateModel
import GateProtocol

struct AccountsVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts",
        abstract: "List who can sign in, and remove accounts.",
        discussion: """
            For example: gatectl accounts
            And: gatectl accounts remove anna
            """,
        subcommands: [AccountsListVerb.self, AccountsRemoveVerb.self], defaultSubcommand: AccountsListVerb.self)
}

struct AccountsListVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List who can sign in (administrators; in parent mode everybody).")

    @OptionGroup var connection: ConnectionOptions

    func perform(_ session: Session) async throws(GateError) {
        let accounts = try await session.gate.accounts()
        guard !session.output.isJSON else {
            for page in accounts.pages {
                session.output.line(try ListAccountsResponse(accounts: page, nextPageToken: "").json())
            }
            return
        }
        let today = CivilDate(WallTime.now())
        let rows = accounts.map { AccountText.columns($0, today: today) }
        for line in TextTable(rows: rows).lines { session.output.line(line) }
        if rows.isEmpty { session.output.note("There are none. Make one with `gatectl register NAME`.") }
    }
}

struct AccountsRemoveVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove an account, with what was paid for by it.",
        discussion: """
            For administrators; in parent mode for everybody, for the accounts of children. Whoever is signed in with it is \
            signed out.
            """)

    @OptionGroup var connection: ConnectionOptions

    @Argument(help: "Of the account.")
    var name: String

    func perform(_ session: Session) async throws(GateError) {
        let response = try await session.gate.call(
            Methods.SignIn.removeAccount, RemoveAccountRequest(name: name))
        try session.output.result(response, "rev \(response.revision)  \(VisibleText.line(name)) is removed")
    }
}
