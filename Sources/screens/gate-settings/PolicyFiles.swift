import GateClient
import GateCore
import GateModel
import GatePolicy
import GateScreens
import Glibc

/// How safe the gates are by the policy's files, as in `gatectl policy check`, if this user may read them.
enum PolicyFiles {
    private static let defaultDirectory = "/etc/gate"

    /// - Parameters:
    ///   - inForce: the policy in the daemon. The files may have changed since it was read.
    ///   - gates: the gated actions in the daemon.
    static func odds(
        of inForce: PolicySummary, _ gates: [GatedActionSummary], for options: GateClientOptions
    ) -> PolicyFacts.Odds {
        let directory = inForce.files.first.map(folder) ?? defaultDirectory
        var owners: Set<UInt32> = [0, geteuid()]
        if let daemon = GateClientOptions.TrustedServers.userID(of: GateClientOptions.defaultServerUser) {
            owners.insert(daemon)
        }
        // If the policy has no files, none has to be readable.
        guard inForce.files.isEmpty || inForce.files.allSatisfy({ access($0, R_OK) == 0 }),
            let policy = try? PolicyReader.read(directory: directory, trustedOwners: owners)
        else { return .unreadable }
        let configuration = policy.configuration
        let summary = PolicySummary(
            configuration, files: inForce.files, roles: inForce.roles, browser: inForce.browser)
        guard summary == inForce, configuration.summaries == gates.sorted(by: { $0.name < $1.name }) else {
            return .outdated
        }
        let mode = GateOdds(.challenge(configuration.modeChallenge), OddsByAge(ofModeIn: configuration), named: nil)
        return .known(
            [mode]
                + configuration.gatedActions.sorted { $0.key < $1.key }.map { name, gatedAction in
                    GateOdds(
                        gatedAction.requirement, OddsByAge(of: gatedAction.requirement, in: configuration), named: name)
                })
    }

    private static func folder(of file: String) -> String {
        let folder = file.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        return folder.isEmpty ? "/" : folder
    }
}

extension Configuration {
    /// The gated actions by name, as the daemon lists them.
    fileprivate var summaries: [GatedActionSummary] {
        gatedActions.sorted { $0.key < $1.key }.map { name, gatedAction in
            GatedActionSummary(
                name: name, title: gatedAction.titles, requirement: gatedAction.requirement.text, keep: gatedAction.keep
            )
        }
    }
}

extension GateOdds {
    fileprivate init(_ requirement: Requirement, _ odds: OddsByAge, named name: String?) {
        let likeliest = odds.likeliest.probability()
        let ages = odds.bands.filter { $0.odds.probability() == likeliest }.map(\.ages)
        self.init(
            gatedAction: name, requirement: requirement, guessed: odds.isGuessed ? likeliest : nil,
            ages: odds.bands.count == 1 ? [] : ages,
            programPasses: odds.programPasses)
    }
}
