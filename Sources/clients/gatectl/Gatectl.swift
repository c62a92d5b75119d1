import ArgumentParser
import GateModel
import GateTexts
import Glibc

/// Gate for the shell. Each verb has a file of its own in Verbs/.
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
                    LoginVerb.self, LogoutVerb.self, RegisterVerb.self, AccountsVerb.self, PasswordVerb.self,
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

    /// Not an asynchronous `main`: that ends its thread with pthread_exit, for which a statically linked program sorts its
    /// unwind tables first, and takes three times as long for it as for all the rest.
    static func main() {
        StartConditions.remember()
        openStandardDescriptors()
        TerminalText.learn(.ofEnvironment())
        // JSON is the same in every language, and other characters than those of ASCII need a terminal that reads them.
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
            // Signals come to this thread, even where anyone who started us had blocked them.
            var none = sigset_t()
            sigemptyset(&none)
            while true { sigsuspend(&none) }
        } catch {
            exit(withError: error)
        }
    }

    /// `gatectl --json status` is how many programs have it; here an option belongs to a verb.
    static func checkVerbComesFirst(_ arguments: [String]) throws(ValidationError) {
        guard let option = arguments.first?.prefix(while: { $0 != "=" }), option.hasPrefix("-"),
            !["--help", "-h", "--version", "--generate-completion-script"].contains(option),
            let place = arguments.firstIndex(where: verbs.contains)
        else { return }
        let words = [arguments[place]] + arguments[..<place] + arguments[(place + 1)...]
        throw ValidationError("The verb comes first: gatectl \(words.joined(separator: " "))")
    }

    private static var verbs: Set<String> {
        Set(configuration.groupedSubcommands.flatMap(\.subcommands).compactMap { $0.configuration.commandName })
    }

    /// Started with one of them closed (`>&-`), the next descriptor opened would take its number, and what is printed
    /// would be written there.
    private static func openStandardDescriptors() {
        var descriptor: CInt
        repeat { descriptor = open("/dev/null", O_RDWR) } while (0..<3).contains(descriptor)
        close(descriptor)
    }
}
