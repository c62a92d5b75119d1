import GateClient
import GateCore
import GateModel
import GatePolicy
import GateScreens
import Glibc

/// How safe the gates are by the policy's files, as in `gatectl policy check`, if this user may read them.
enum PolicyFiles {
    /// - Parameters:
    ///   - inForce: the policy in the daemon. The files may have changed since it was read.
    ///   - gates: the gated actions in the daemon.
    static func odds(
        of inForce: PolicySummary, _ gates: [GatedActionSummary], for options: GateClientOptions
    ) -> PolicyFacts.Odds {
        // The device's own files come first, and the shipped ones last.
        let isOfDevice = inForce.files.last?.hasPrefix(PolicyReader.shippedDirectory) ?? true
        let directory = isOfDevice ? PolicyReader.defaultDirectory : inForce.files.first.map(folder) ?? "/"
        // Choices of grown-ups are in no file, so their gates are left out.
        let chosen = Set(gates.filter { $0.origin?.layer == .choices }.map(\.name))
        let gates = gates.filter { !chosen.contains($0.name) }
        var owners: Set<UInt32> = [0, geteuid()]
        if let daemon = GateClientOptions.TrustedServers.userID(of: GateClientOptions.defaultServerUser) {
            owners.insert(daemon)
        }
        // If the policy has no files, none has to be readable.
        guard inForce.files.isEmpty || inForce.files.allSatisfy({ access($0, R_OK) == 0 }),
            let policy = try? PolicyReader.read(directory: directory, trustedOwners: owners)
        else { return .unreadable }
        let configuration = policy.configuration
        let gatedActions = configuration.gatedActions.filter { !chosen.contains($0.key) }.sorted { $0.key < $1.key }
        let summary = PolicySummary(
            configuration, files: inForce.files, roles: inForce.roles, browser: inForce.browser,
            origins: inForce.origins, mistakes: inForce.mistakes)
        let summaries = gatedActions.map { name, gatedAction in
            GatedActionSummary(
                name: name, title: gatedAction.titles, requirement: gatedAction.requirement.text,
                keep: gatedAction.keep, origin: gates.first { $0.name == name }?.origin)
        }
        guard summary == inForce, summaries == gates.sorted(by: { $0.name < $1.name }) else {
            return .outdated
        }
        let mode = GateOdds(.challenge(configuration.modeChallenge), OddsByAge(ofModeIn: configuration), named: nil)
        return .known(
            [mode]
                + gatedActions.map { name, gatedAction in
                    GateOdds(
                        gatedAction.requirement,
                        OddsByAge(of: gatedAction.requirement, before: name, in: configuration), named: name)
                })
    }

    private static func folder(of file: String) -> String {
        let folder = file.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        return folder.isEmpty ? "/" : folder
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
