public import ArgumentParser
public import GateModel

struct HolderOptions: ParsableArguments, Sendable {
    @Option(help: ArgumentHelp("For this account.", valueName: "name"))
    var account: String?

    @Flag(help: "For everybody on this device.")
    var device = false

    /// `nil` if neither option was given.
    var holder: Claim.Holder? {
        if device { return .device }
        return account.map { .account($0) }
    }

    func validate() throws {
        if device, account != nil { throw ValidationError("Give either --account or --device.") }
        if let account, account.isEmpty { throw ValidationError("--account needs the name of an account.") }
    }
}

extension ClaimProvider: ExpressibleByArgument {}

extension Presentation.Style: ExpressibleByArgument {}

extension StoreKitSettings.Environment: ExpressibleByArgument {}
