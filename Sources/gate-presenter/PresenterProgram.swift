import ArgumentParser
import CGTK
import GateClient
import GateModel
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

    @Flag(
        help: ArgumentHelp(
            "Present on a screen of its own, as gate-screen.service does: passcodes, codes and sign-ins alone. logind gives it the monitor when one is asked, and to where it was before when it is closed."
        ))
    var screenOfItsOwn = false

    @Flag(
        help: ArgumentHelp(
            "With --screen-of-its-own: every question, where it is the only screen. A grown-up's mere yes is never asked there."
        ))
    var allQuestions = false

    @Option(
        help: ArgumentHelp(
            "With --screen-of-its-own: the file with the word that tells this screen from an imitation.",
            valueName: "path"))
    var wordFile = ScreenWord.path

    @Flag(
        help: ArgumentHelp(
            "Offer no button that opens the page to pay on: there is no browser on this screen."))
    var noPages = false

    func validate() throws {
        if allQuestions, !screenOfItsOwn {
            throw ValidationError("--all-questions is for a screen of its own: add --screen-of-its-own.")
        }
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
        GLibLoop.takeAllJobs()
        Localization.begin()
        g_set_prgname("gate-presenter")
        g_set_application_name("Gate")
        guard gtk_init_check() != 0 else {
            Self.complain("there is no display. Start it in a desktop session.")
            throw ExitCode(69)
        }
        adw_init()
        gtk_window_set_default_icon_name("gate-padlock")
        var options = GateClientOptions(
            socketPath: socket, trustedServers: .rootAnd(user: serverUser), programName: "gate-presenter")
        options.pause = { try await GLibLoop.sleep(for: $0) }
        options.clock?.sleep = { try await GLibLoop.sleep(until: $0) }
        let gate = GateClient(options)
        let words = (socket.map { ["--socket", $0] } ?? []) + ["--server-user", serverUser]
        let hasPages = !noPages && !screenOfItsOwn
        let ending = Ending()
        Task { @GLibLoop in
            let bus = SessionBus()
            // The daemon would give a second question to a second one, and two windows would stand there.
            guard bus?.claims("org.gate.Presenter") ?? true else {
                Self.complain("another one runs in this session, and shows its questions.")
                ending.ended(by: nil)
                return
            }
            Style.load()
            let ownScreen =
                screenOfItsOwn
                ? OwnScreen(takesAllQuestions: allQuestions, wordFile: WordFile(path: wordFile)) : nil
            let pages = hasPages ? PageOpening(options: words) : nil
            let error = await WindowPresenter(gate, on: bus, ownScreen, pages: pages).run()
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

    /// Writes a line to standard error.
    static func complain(_ message: String) {
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
