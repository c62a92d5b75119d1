import ArgumentParser
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
            It starts with the desktop session and waits without a window. In a grown-up's session it shows every \
            question, in a child's those that this child asks, and in that of a member of the group gate-presenter those \
            that are not for grown-ups alone. SIGTERM ends it; an open question then goes to the next presenter. It ends with 69 where there is no \
            display, with 77 where this user may not present, and with 0 where this session has one already. While parent mode \
            runs, a status icon says so, or where the desktop has none a notification or a small window; each has "More time" and \
            "Lock now". The icon's menu also asks for more time, where the policy offers it. A notification tells a grown-up of \
            questions and apps that wait, and a child of questions that were answered. Another one tells five minutes before \
            the time for something ends, one minute before, and at the end.

            With --refused it does nothing of this: it shows the reason why `gatectl open` or `gatectl run` did nothing, \
            until that window is closed. gatectl starts it so if a desktop started gatectl.
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

    @Option(help: ArgumentHelp("Show only a refusal: this says what did not happen.", valueName: "text"))
    var refused: String?

    @Option(help: ArgumentHelp("With --refused: the address or the command line.", valueName: "text"))
    var details = ""

    @Option(help: ArgumentHelp("With --refused: why, and what to do now.", valueName: "text"))
    var because = ""

    func validate() throws {
        if allQuestions, !screenOfItsOwn {
            throw ValidationError("--all-questions is for a screen of its own: add --screen-of-its-own.")
        }
        if let problem = GateClientOptions.problem(socket: socket, serverUser: serverUser) {
            throw ValidationError(problem)
        }
    }

    func run() throws {
        Localization.begin()
        guard let loop = MainLoop(name: "gate-presenter") else {
            Self.complain("there is no display. Start it in a desktop session.")
            throw ExitCode(69)
        }
        if let refused {
            let (details, because) = (details, because)
            loop.run { await RefusalWindow.show(heading: refused, details: details, sentence: because) }
            return
        }
        var options = GateClientOptions(
            socketPath: socket, trustedServers: .rootAnd(user: serverUser), programName: "gate-presenter")
        options.pause = { try await GLibLoop.sleep(for: $0) }
        options.clock?.sleep = { try await GLibLoop.sleep(until: $0) }
        let gate = GateClient(options)
        let words = (socket.map { ["--socket", $0] } ?? []) + ["--server-user", serverUser]
        let (screenOfItsOwn, allQuestions, wordFile, hasPages) =
            (screenOfItsOwn, allQuestions, wordFile, !noPages && !screenOfItsOwn)
        let refusal = Refusal()
        loop.run {
            let bus = SessionBus()
            // The daemon would send a second question to a second presenter, and there would be two windows.
            let path = gate.options.socketPath
            let name = PresenterName.name(socketPath: path == GateClientOptions.defaultSocketPath ? nil : path)
            guard bus?.claims(name) ?? true else {
                Self.complain("another one runs in this session, and shows its questions.")
                return
            }
            let ownScreen =
                screenOfItsOwn
                ? OwnScreen(takesAllQuestions: allQuestions, wordFile: WordFile(path: wordFile)) : nil
            let pages = hasPages ? PageOpening(options: words) : nil
            let settings = SettingsOpening(options: words, on: bus)
            refusal.error = await WindowPresenter(
                gate, on: bus, name: name, ownScreen, pages: pages, settings: settings
            ).run()
        }
        // The connection is closed when the process ends, and the daemon gives the open question to the next presenter.
        if let error = refusal.error {
            Self.complain(error.message)
            throw ExitCode(error.code == .permissionDenied ? 77 : 69)
        }
    }

    static func complain(_ message: String) {
        let line = Array("gate-presenter: \(message.replacingHidden)\n".utf8)
        _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

/// Why the daemon does not let this user present. Used only on the loop's thread, so it can be `Sendable` unchecked.
private final class Refusal: @unchecked Sendable {
    var error: GateError?
}
