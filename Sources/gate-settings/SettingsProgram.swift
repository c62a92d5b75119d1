import ArgumentParser
import CGTK
import GateClient
import GateModel
import GateTexts
import GateWindows
import Glibc

/// The command line of the grown-up's window.
@main
struct SettingsProgram: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gate-settings",
        abstract:
            "Shows the mode, gates, people, purchases, forms and rules of this device in a window, and changes them.",
        discussion: """
            Everybody may start it; it shows what the daemon lets this user see. Wrong answers, the journal and the passcode are \
            there for administrators: group gate-admin. It ends with 69 where there is no display.
            """,
        version: GateRelease.version)

    @Option(
        help: ArgumentHelp(
            "Where the daemon listens. Default: $GATE_SOCKET, or /run/gated/gate.sock.", valueName: "path"))
    var socket: String?

    @Option(help: ArgumentHelp("The user that the daemon may run as, beside root; a name or a uid.", valueName: "name"))
    var serverUser = GateClientOptions.defaultServerUser

    func validate() throws {
        if serverUser != GateClientOptions.defaultServerUser,
            GateClientOptions.TrustedServers.userID(of: serverUser) == nil
        {
            throw ValidationError("There is no user '\(serverUser)' on this device. Give a name or a uid.")
        }
        if let socket, socket.isEmpty {
            throw ValidationError("--socket needs a path.")
        }
    }

    func run() throws {
        // Half the memory of OpenGL's, and next to nothing here moves.
        setenv("GSK_RENDERER", "cairo", 0)
        Localization.begin()
        g_set_prgname("gate-settings")
        g_set_application_name("Gate")
        guard gtk_init_check() != 0, let loop = g_main_loop_new(nil, 0) else {
            let line = "gate-settings: there is no display. Start it in a desktop session.\n"
            _ = line.utf8.withContiguousStorageIfAvailable { write(STDERR_FILENO, $0.baseAddress, $0.count) }
            throw ExitCode(69)
        }
        adw_init()
        let gate = GateClient(
            GateClientOptions(
                socketPath: socket, trustedServers: .rootAnd(user: serverUser), programName: "gate-settings"))
        let ending = Ending(loop)
        Task { @GLibLoop in
            Style.load()
            await SettingsController(gate).run()
            ending.quit()
        }
        for signal in [SIGTERM, SIGINT, SIGHUP] {
            g_unix_signal_add(
                signal,
                { loop in
                    g_main_loop_quit(loop.map { OpaquePointer($0) })
                    return 1
                }, UnsafeMutableRawPointer(loop))
        }
        g_main_loop_run(loop)
    }
}

/// Ends the main loop, from its own thread.
private final class Ending: @unchecked Sendable {
    private let loop: OpaquePointer

    init(_ loop: OpaquePointer) {
        self.loop = loop
    }

    func quit() { g_main_loop_quit(loop) }
}
