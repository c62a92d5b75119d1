import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts

struct LockoutsVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lockouts",
        abstract: localized("List and clear wrong answers and lockouts (administrators)."),
        subcommands: [LockoutsListVerb.self, LockoutsClearVerb.self], defaultSubcommand: LockoutsListVerb.self)
}

struct LockoutsListVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List who gave how many wrong answers, and who has to wait.")

    @OptionGroup var connection: ConnectionOptions

    func perform(_ session: Session) async throws(GateError) {
        let lockouts = try await session.gate.authorization.lockouts()
        try await session.output.list(
            lockouts, as: ListLockoutsResponse.self, orNone: localized("There are no wrong answers.")
        ) { lockout in
            [
                "\(lockout.owner)", lockout.gate.map { VisibleText.line($0.text) } ?? localized("unknown gate"),
                lockout.limit.map {
                    localized(
                        "{count} wrong of {limit}", ["count": "\(lockout.wrongAnswers)", "limit": "\($0)"])
                } ?? localized("{count} wrong", ["count": "\(lockout.wrongAnswers)"]),
            ]
                + (lockout.remaining.map {
                    [localized("locked out for {duration}", ["duration": DurationWords.short($0)])]
                } ?? [])
        }
    }
}

struct LockoutsClearVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Clear wrong answers and end lockouts.")

    @OptionGroup var connection: ConnectionOptions

    @Option(
        help: ArgumentHelp("The user, by name or uid. Default: everybody.", valueName: "user"),
        transform: UserText.parse
    )
    var user: UInt32?

    @Argument(
        help: ArgumentHelp(
            "Where: mode, passcode, totp, \"sign-in NAME\", or a gated action. Default: everywhere.", valueName: "gate"),
        completion: NameCompletion.gatedActions
    )
    var gate: String?

    func perform(_ session: Session) async throws(GateError) {
        let request = ClearLockoutRequest(uid: user, gate: gate.map(Lockout.Gate.init(text:)))
        let response = try await session.gate.call(Methods.Authorization.clearLockout, request)
        try session.output.result(
            response, at: response.revision, localized("forgot {count}", ["count": "\(response.count)"]))
    }
}
