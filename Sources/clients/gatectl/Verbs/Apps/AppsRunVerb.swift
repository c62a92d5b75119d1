import ArgumentParser
import GateModel
import GateTexts
import Glibc

struct AppsRunVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: localized("Start a guarded app, after a question if one is required."),
        discussion: localized(
            """
            For example: gatectl apps run supertux2

            The menu entries of guarded apps run this. The app NAME is guarded by the gated action app.NAME. If it is \
            granted, gate-launcher starts the app as a unit of systemd, in the app's group and with an environment of \
            its own: of the variables here, the app gets only those for display, desktop, terminal, language and time \
            zone. The time that the app runs is counted, and the app is ended when its time is over.

            An app with windows goes on running when this command has ended. An app for terminals uses this terminal, \
            and its status is the status of this command. Status 124: the app was ended because its time was over.

            If nobody can be asked, the status is 2, and nothing starts. If a desktop started the command, without a \
            terminal, a small window says why nothing starts. If the policy lets the question wait (may-wait), and no \
            grown-up answers now, the status is 4. Run the command again after a grown-up has said yes.
            """))

    @OptionGroup var connection: ConnectionOptions

    @Option(help: ArgumentHelp("Where gate-launcher listens.", valueName: "path", visibility: .hidden))
    var launcher = "/run/gate-apps/launch.sock"

    @OptionGroup var question: QuestionOptions

    @Argument(help: ArgumentHelp(localized("The app, as `gatectl apps list` names it."), valueName: "app"))
    var name: String

    func perform(_ session: Session) async throws(GateError) {
        let gatedAction = "app.\(name)"
        guard gatedAction.isDottedName else { throw AppLaunch.notGuarded(name) }
        // A client of the launcher has to send the proof soon after it has connected. So this only checks that the
        // socket exists.
        guard access(launcher, F_OK) == 0 else { throw AppLaunch.unreachable(errno) }
        let request = AuthorizationRequest(gatedAction: gatedAction, details: name, redeemer: 0)
        let grant = try await session.grant(for: request, opening: .program, readsStandardInput: question.stdin)
        let launch = try AppLaunch(connectedTo: launcher)
        try launch.send(name, grant.proof, variables: AppLaunch.variables { getenv($0).map { String(cString: $0) } })
        let outcome = try await launch.outcome(of: name)
        // The grant ends with the connection to gated, so it has to be open until here.
        withExtendedLifetime(session) {}
        if case .ended(let status) = outcome { Glibc.exit(status) }
    }

    func showOnDesktop(_ error: GateError) {
        guard DesktopNotice.isNeeded(isReadByProgram: connection.json || question.stdin) else { return }
        if let notice = RefusalNotice(error, .program) {
            DesktopNotice.show(notice, details: AppDevice().title(of: name))
        }
    }
}
