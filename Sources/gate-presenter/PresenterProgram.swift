import ArgumentParser
import CGTK
import GateClient
import GateModel
import GateScreens
import GateTexts
import GateWindows
import Glibc

/// The presenter's command line.
@main
struct PresenterProgram: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gate-presenter",
        abstract: "Shows the questions of all programs on the device in windows, and takes the answers.",
        discussion: """
            It starts with the desktop session and waits without a window. It is for users with the role presenter: group \
            gate-presenter. SIGTERM ends it; an open question then goes to the next presenter. It ends with 69 where there is no \
            display, with 77 where this user may not present, and with 0 where this session has one already. While parent mode \
            runs, a status icon says so, or where the desktop has none a notification or a small window; each has "Longer" and \
            "Lock now".
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
        // Half the memory of OpenGL's, and nothing here moves.
        setenv("GSK_RENDERER", "cairo", 0)
        Localization.begin()
        g_set_prgname("gate-presenter")
        g_set_application_name("Gate")
        guard gtk_init_check() != 0 else {
            Self.complain("there is no display. Start it in a desktop session.")
            throw ExitCode(69)
        }
        adw_init()
        gtk_window_set_default_icon_name("gate-padlock")
        let gate = GateClient(
            GateClientOptions(
                socketPath: socket, trustedServers: .rootAnd(user: serverUser), programName: "gate-presenter"))
        let ending = Ending()
        Task { @GLibLoop in
            let bus = SessionBus()
            // The daemon would give a second question to a second one, and two windows would stand there.
            let path = gate.options.socketPath
            let name = PresenterName.name(socketPath: path == GateClientOptions.defaultSocketPath ? nil : path)
            guard bus?.claims(name) ?? true else {
                Self.complain("another one runs in this session, and shows its questions.")
                ending.ended(by: nil)
                return
            }
            Style.load()
            let error = await WindowPresenter(gate, on: bus).run()
            ending.ended(by: error)
        }
        for signal in [SIGTERM, SIGINT, SIGHUP] {
            g_unix_signal_add(
                signal,
                { loop in
                    g_main_loop_quit(loop.map { OpaquePointer($0) })
                    return 1
                }, UnsafeMutableRawPointer(ending.loop))
        }
        g_main_loop_run(ending.loop)
        // The connection goes with the process, and with it what is open: to the next presenter.
        if let error = ending.error {
            Self.complain(error.message)
            throw ExitCode(error.code == .permissionDenied ? 77 : 69)
        }
    }

    private static func complain(_ message: String) {
        let line = Array("gate-presenter: \(message.replacingHidden)\n".utf8)
        _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

/// The main loop, and why it has ended. The loop's thread alone touches the error.
private final class Ending: @unchecked Sendable {
    let loop: OpaquePointer
    private(set) var error: GateError?

    init() {
        guard let loop = g_main_loop_new(nil, 0) else { preconditionFailure("GLib has no main loop") }
        self.loop = loop
    }

    func ended(by error: GateError?) {
        self.error = error
        g_main_loop_quit(loop)
    }
}
