import ArgumentParser
import GateClient
import GateModel
import GateTexts
import Glibc

/// The program: Gate for the shell.
@main
struct Gatectl: ParsableCommand {
    static let version = GateRelease.version

    static let configuration = CommandConfiguration(
        commandName: "gatectl",
        abstract: localized("Ask Gate who is in charge of this device, and change that."),
        discussion: localized(
            """
            Exit status: 0 done; 1 no (denied, wrong answer); 2 a person is needed and could not be asked; 3 \
            dismissed; 4 asked, not answered yet; 64 wrong usage; 65 wrong data; 69 the daemon can't be reached or \
            can't answer; 75 try later; 77 not permitted; 124 timed out.
            """),
        version: version,
        groupedSubcommands: [
            CommandGroup(
                name: localized("Mode"),
                subcommands: [
                    StatusVerb.self, WatchVerb.self, ToggleVerb.self, CancelVerb.self, LockVerb.self, ExtendVerb.self,
                    OverrideVerb.self, WaitVerb.self,
                ]),
            CommandGroup(
                name: localized("Gated actions"),
                subcommands: [
                    CheckVerb.self, AuthorizeVerb.self, RedeemVerb.self, RunVerb.self, OpenVerb.self, GatesVerb.self,
                    AppsVerb.self,
                    GrantsVerb.self, AsksVerb.self, AllowVerb.self, RefuseVerb.self, WithdrawVerb.self,
                    UsageVerb.self, UseVerb.self, MoreTimeVerb.self, PresentVerb.self,
                    AllowancesVerb.self, SchedulesVerb.self,
                ]),
            CommandGroup(
                name: localized("People and purchases"),
                subcommands: [
                    LoginVerb.self, LogoutVerb.self, RegisterVerb.self, PeopleVerb.self, PasswordVerb.self,
                    AgeVerb.self, EntitlementsVerb.self, PaywallVerb.self, ReceiptVerb.self,
                ]),
            CommandGroup(name: localized("Forms and release notes"), subcommands: [FormVerb.self, WhatsNewVerb.self]),
            CommandGroup(name: localized("Household"), subcommands: [HouseholdVerb.self]),
            CommandGroup(
                name: localized("Set-up"),
                subcommands: [
                    SetupVerb.self, PasscodeVerb.self, TOTPVerb.self, ScreenVerb.self, PolicyVerb.self,
                    LockoutsVerb.self,
                ]),
            CommandGroup(
                name: localized("Daemon"),
                subcommands: [
                    AuditVerb.self, StatisticsVerb.self, CallVerb.self, PingVerb.self, VersionVerb.self,
                    ReloadVerb.self, RecoverVerb.self,
                    BackupVerb.self, RestoreVerb.self, DoctorVerb.self,
                ]),
        ])

    /// Synchronous on purpose: an asynchronous `main` ends its thread with pthread_exit, before which a statically
    /// linked program sorts its unwind tables. That takes three times as long as everything else.
    static func main() {
        StartConditions.remember()
        openStandardDescriptors()
        TerminalText.learn(.ofEnvironment())
        // JSON is the same in every language; and only a UTF-8 terminal can show more than ASCII.
        if TerminalText.isUTF8, !CommandLine.arguments.contains("--json") { Localization.begin() }
        guard !QuickStatus.isPrinted(for: CommandLine.arguments) else { exit() }
        do {
            try checkVerbComesFirst(Array(CommandLine.arguments.dropFirst()))
            var command = try parseAsRoot()
            guard let verb = command as? any Verb else { return try command.run() }
            Task.detached {
                do {
                    try await verb.runAndReport()
                    exit()
                } catch {
                    exit(withError: error)
                }
            }
            // Lets this thread receive signals, even if the parent process had blocked them.
            var none = sigset_t()
            sigemptyset(&none)
            while true { sigsuspend(&none) }
        } catch {
            if let help = HelpText.ofPerson(error) {
                Output.write(help, to: STDOUT_FILENO)
                exit()
            }
            exit(withError: error)
        }
    }

    /// - Throws: a `ValidationError` with the right order, if options stand before the verb (`gatectl --json status`),
    ///   as they may in many programs.
    static func checkVerbComesFirst(_ arguments: [String]) throws(ValidationError) {
        guard let option = arguments.first?.prefix(while: { $0 != "=" }), option.hasPrefix("-"),
            // With the last one a shell's completion asks for names.
            !["--help", "-h", "--version", "--generate-completion-script", "---completion"].contains(option),
            let place = arguments.firstIndex(where: verbs.contains)
        else { return }
        let words = [arguments[place]] + arguments[..<place] + arguments[(place + 1)...]
        throw ValidationError("The verb comes first: gatectl \(words.joined(separator: " "))")
    }

    private static var verbs: Set<String> {
        Set(configuration.groupedSubcommands.flatMap(\.subcommands).compactMap { $0.configuration.commandName })
    }

    /// Opens /dev/null for each standard descriptor that is closed (`>&-`). Otherwise the next file that is opened
    /// would take its number, and output would be written into that file.
    private static func openStandardDescriptors() {
        var descriptor: CInt
        repeat { descriptor = open("/dev/null", O_RDWR) } while (0..<3).contains(descriptor)
        close(descriptor)
    }
}

/// One verb of gatectl, which ArgumentParser makes from the command line.
protocol Verb: ParsableCommand, Sendable {
    var connection: ConnectionOptions { get }

    func perform(_ session: Session) async throws(GateError)

    /// Called after an error was printed. Verbs that a desktop starts show it there, if nobody reads what is printed.
    func showOnDesktop(_ error: GateError)
}

struct Session: Sendable {
    let gate: GateClient
    let output: Output
}

extension Verb {
    func showOnDesktop(_ error: GateError) {}

    /// - Throws: the status to exit with. The error was printed already.
    func runAndReport() async throws(ExitCode) {
        let session = Session(gate: GateClient(connection.client), output: Output(isJSON: connection.json))
        do throws(GateError) {
            if let timeout = connection.timeout {
                try await perform(session, within: timeout)
            } else {
                try await perform(session)
            }
        } catch {
            session.output.report(error)
            showOnDesktop(error)
            throw ExitCode(error.exitStatus)
        }
    }

    /// After `timeout`, the verb is cancelled, which also withdraws what it asked of the daemon.
    private func perform(_ session: Session, within timeout: Duration) async throws(GateError) {
        let result = await withTaskGroup(of: Result<Void, GateError>?.self) { group in
            group.addTask {
                do throws(GateError) {
                    try await perform(session)
                    return .success(())
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                try? await Task.sleep(for: timeout)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        guard let result else {
            throw GateError(
                .deadlineExceeded, .unspecified,
                saying: localized(
                    "Gave up after {duration} (`--timeout`).", ["duration": DurationWords.short(timeout)]))
        }
        try result.get()
    }
}

/// The options that every verb has.
struct ConnectionOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            localized("Where the daemon listens. Default: $GATE_SOCKET, or /run/gated/gate.sock."), valueName: "path"))
    var socket: String?

    @Option(
        help: ArgumentHelp(
            localized("The user, by name or uid, as whom the daemon may run, besides root."), valueName: "name"))
    var serverUser = GateClientOptions.defaultServerUser

    @Flag(help: ArgumentHelp(localized("Print proto3 JSON, one object per line; errors too.")))
    var json = false

    @Option(
        help: ArgumentHelp(
            localized("Give up after this long, like 90s, 5m or 1h30m, with status 124."), valueName: "duration"),
        transform: DurationText.parse)
    var timeout: Duration?

    @Flag(
        help: ArgumentHelp(
            "The daemon has a clock of its own, as in Gate's tests: leave deadlines to it.", visibility: .hidden))
    var foreignClock = false

    /// How to reach the daemon. A call may take as long as `--timeout` says, or 10 s without it, so that a daemon that
    /// hangs is noticed; a connection may take at most 5 s.
    var client: GateClientOptions {
        var options = GateClientOptions(
            socketPath: socket, trustedServers: .rootAnd(user: serverUser), programName: "gatectl")
        if let timeout {
            options.callTimeout = timeout
            options.connectTimeout = min(timeout, options.connectTimeout)
        }
        if foreignClock { options.clock = nil }
        return options
    }

    func validate() throws {
        if let problem = GateClientOptions.problem(socket: socket, serverUser: serverUser) {
            throw ValidationError(problem)
        }
    }
}

extension GateError {
    /// The status that gatectl ends with (docs/shell.md).
    var exitStatus: Int32 {
        switch code {
        // Files with mistakes are wrong data, even if the daemon found the mistakes.
        case .failedPrecondition where reason == .badPolicy: 65
        case .failedPrecondition: reason == .asked ? 4 : 1
        case .unauthenticated: 1
        case .aborted: reason == .noPresenter || reason == .notParent ? 2 : 75
        case .cancelled: 3
        case .invalidArgument, .notFound, .unimplemented, .alreadyExists, .outOfRange: 65
        case .unavailable, .internal, .unknown, .dataLoss: 69
        case .resourceExhausted: 75
        case .permissionDenied: 77
        case .deadlineExceeded: 124
        }
    }
}
