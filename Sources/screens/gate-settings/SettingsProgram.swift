import ArgumentParser
import GateClient
import GateModel
import GateScreens
import GateTexts
import GateWindows
import Glibc

/// The command line of the grown-ups' window.
@main
struct SettingsProgram: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gate-settings",
        abstract:
            "Shows the mode, questions that wait, apps, gates, people, purchases, forms and rules of this device in a window, and changes them.",
        discussion: """
            Everybody may start it; it shows what the daemon lets this user see. A child sees what became of their own questions. Wrong answers, the journal and the passcode are \
            there for administrators: group gate-admin. It ends with 69 where there is no display.
            """,
        version: GateRelease.version)

    @Option(
        help: ArgumentHelp(
            "Where the daemon listens. Default: $GATE_SOCKET, or /run/gated/gate.sock.", valueName: "path"))
    var socket: String?

    @Option(help: ArgumentHelp("The user that the daemon may run as, beside root; a name or a uid.", valueName: "name"))
    var serverUser = GateClientOptions.defaultServerUser

    @Option(
        help: ArgumentHelp("An option of gatectl setup for the assistant, for tests.", visibility: .hidden))
    var setupOption: [String] = []

    @Option(help: ArgumentHelp("A copy of a device whose apps are shown, for tests.", visibility: .hidden))
    var appsRoot = ""

    @Option(
        help: ArgumentHelp(
            "The page to begin with: \(SettingsPage.ID.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "name"))
    var page = SettingsPage.ID.padlock.rawValue

    func validate() throws {
        guard SettingsPage.ID(rawValue: page) != nil else {
            throw ValidationError("There is no page '\(page)'. --help lists them.")
        }
        if let problem = GateClientOptions.problem(socket: socket, serverUser: serverUser) {
            throw ValidationError(problem)
        }
    }

    func run() throws {
        Localization.begin()
        guard let loop = MainLoop(name: "gate-settings") else {
            let line = "gate-settings: there is no display. Start it in a desktop session.\n"
            _ = line.utf8.withContiguousStorageIfAvailable { write(STDERR_FILENO, $0.baseAddress, $0.count) }
            throw ExitCode(69)
        }
        var options = GateClientOptions(
            socketPath: socket, trustedServers: .rootAnd(user: serverUser), programName: "gate-settings")
        options.pause = { try await GLibLoop.sleep(for: $0) }
        options.clock?.sleep = { try await GLibLoop.sleep(until: $0) }
        let gate = GateClient(options)
        // pkexec passes no $GATE_SOCKET on.
        var connection = ["--server-user", serverUser]
        if options.socketPath != GateClientOptions.defaultSocketPath { connection += ["--socket", options.socketPath] }
        let setup = GatectlProcess.setup(connection + setupOption)
        let apps = AppsReading(connection: connection, root: appsRoot)
        let page = SettingsPage.ID(rawValue: page) ?? .padlock
        loop.run { await SettingsController(gate, setup: setup, apps: apps, page: page).run() }
    }
}
