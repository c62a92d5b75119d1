import ArgumentParser

/// Gate for the shell. Each verb has a file of its own in Verbs/.
@main
struct Gatectl: AsyncParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "gatectl",
        abstract: "Asks Gate who is in charge of this device, and changes it.",
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
                name: "Daemon",
                subcommands: [
                    AuditVerb.self, CallVerb.self, PingVerb.self, VersionVerb.self, ReloadVerb.self, RecoverVerb.self,
                    DoctorVerb.self,
                ]),
        ])
}
