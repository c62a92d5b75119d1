import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts

struct GrantsVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grants",
        abstract: localized("List kept grants, and end them."),
        discussion: "With a kept grant, a user is not asked again for a gated action for a while.",
        subcommands: [GrantsListVerb.self, GrantsRevokeVerb.self], defaultSubcommand: GrantsListVerb.self)
}

struct GrantsListVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List kept grants: your own, or as an administrator everybody's.")

    @OptionGroup var connection: ConnectionOptions

    func perform(_ session: Session) async throws(GateError) {
        let grants = try await session.gate.authorization.keptGrants()
        let now = BootTime.now()
        try await session.output.list(
            grants, as: ListGrantsResponse.self, orNone: localized("There are no kept grants.")
        ) { grant in
            ["uid \(grant.uid)", grant.gatedAction, DurationWords.left(now.duration(to: grant.deadline))]
        }
    }
}

struct GrantsRevokeVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "End kept grants, so that their user is asked again.",
        discussion: """
            This does not end what grown-ups have allowed in answer to questions that wait. `gatectl asks` lists that, \
            and `gatectl refuse` takes it back.
            """)

    @OptionGroup var connection: ConnectionOptions

    @Option(
        help: ArgumentHelp(
            "The user, by name or uid; others only for administrators. Default: everybody whose grants `list` shows.",
            valueName: "user"),
        transform: UserText.parse)
    var user: UInt32?

    @Argument(
        help: ArgumentHelp("The gated action. Default: all.", valueName: "gated-action"),
        completion: NameCompletion.gatedActions)
    var gatedAction: String?

    func perform(_ session: Session) async throws(GateError) {
        // Of each user whom `list` shows. A request names one user, and without one it means the caller, even for
        // administrators. So each user gets a request.
        let users: [UInt32?] = if let user { [user] } else { try await users(in: session) }
        var response = try await revoke(of: users.first ?? nil, in: session)
        for user in users.dropFirst() {
            let next = try await revoke(of: user, in: session)
            response = RevokeResponse(revision: next.revision, count: response.count + next.count)
        }
        try session.output.result(
            response, at: response.revision, localized("revoked {count}", ["count": "\(response.count)"]))
    }

    private func revoke(of user: UInt32?, in session: Session) async throws(GateError) -> RevokeResponse {
        try await session.gate.call(
            Methods.Authorization.revoke, RevokeRequest(uid: user, gatedAction: gatedAction ?? ""))
    }

    /// The users who have such grants, as far as this user may see them.
    private func users(in session: Session) async throws(GateError) -> [UInt32] {
        let grants = try await session.gate.authorization.keptGrants()
        return Set(grants.filter { gatedAction == nil || $0.gatedAction == gatedAction }.map(\.uid)).sorted()
    }
}
