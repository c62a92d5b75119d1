import ArgumentParser
import GateModel
import GateTexts
import Glibc

/// The program: Gate for the shell. Each verb has a file of its own in Verbs/.
@main
struct Gatectl: ParsableCommand {
    static let version = GateRelease.version

    static let configuration = CommandConfiguration(
        commandName: "gatectl",
        abstract: "Ask Gate who is in charge of this device, and change it.",
        discussion: """
            Exit status: 0 done; 1 no (denied, wrong answer); 2 a person is needed and could not be asked; 3 dismissed; \
            64 wrong usage; 65 wrong data; 69 the daemon can't be reached or can't serve; 75 try later; 77 you may not; \
            124 timed out.
            """,
        version: version,
        groupedSubcommands: [
            CommandGroup(
                name: "Mode",
                subcommands: [
                    StatusVerb.self, WatchVerb.self, ToggleVerb.self, CancelVerb.self, LockVerb.self, ExtendVerb.self,
                    OverrideVerb.self, WaitVerb.self,
                ]),
            CommandGroup(
                name: "Gated actions",
                subcommands: [
                    CheckVerb.self, AuthorizeVerb.self, RedeemVerb.self, RunVerb.self, OpenVerb.self, GatesVerb.self,
                    GrantsVerb.self, PresentVerb.self,
                ]),
            CommandGroup(
                name: "People and purchases",
                subcommands: [
                    LoginVerb.self, LogoutVerb.self, RegisterVerb.self, PeopleVerb.self, PasswordVerb.self,
                    EntitlementsVerb.self, PaywallVerb.self, ReceiptVerb.self,
                ]),
            CommandGroup(name: "Forms and release notes", subcommands: [FormVerb.self, WhatsNewVerb.self]),
            CommandGroup(name: "Household", subcommands: [HouseholdVerb.self]),
            CommandGroup(
                name: "Set-up",
                subcommands: [
                    SetupVerb.self, PasscodeVerb.self, TOTPVerb.self, ScreenVerb.self, PolicyVerb.self,
                    LockoutsVerb.self,
                ]),
            CommandGroup(
                name: "Daemon",
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
            exit(withError: error)
        }
    }

    /// Explains the order to people who write `gatectl --json status`, as many programs have it. Here options belong to
    /// a verb.
    /// - Throws: a `ValidationError` with the command line in the right order.
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
