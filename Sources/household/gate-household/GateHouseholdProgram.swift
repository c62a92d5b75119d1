import ArgumentParser
import GateModel

@main
struct GateHouseholdProgram: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gate-household", abstract: "Connects this device with the others of its household.",
        version: GateRelease.version,
        subcommands: [
            ServeVerb.self, CreateVerb.self, InviteVerb.self, JoinVerb.self, LeaveVerb.self, RevokeVerb.self,
            RenameVerb.self, RenewVerb.self, PublishVerb.self, HomeAssistantVerb.self,
        ], defaultSubcommand: ServeVerb.self)
}
