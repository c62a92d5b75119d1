import ArgumentParser
import GateClient
import GatePolicy
import GateTexts
import Glibc

struct PolicyOptions: ParsableArguments, Sendable {
    @Option(help: ArgumentHelp(localized("Where the policy files are."), valueName: "path"))
    var configDirectory = "/etc/gate"

    /// - Parameter serverUser: a user who may own the files, beside root and the user who runs this.
    func policy(serverUser: String) throws(PolicyError) -> Policy {
        let owners = [0, geteuid(), GateClientOptions.TrustedServers.userID(of: serverUser)].compactMap(\.self)
        return try PolicyReader.read(directory: configDirectory, trustedOwners: Set(owners))
    }
}
