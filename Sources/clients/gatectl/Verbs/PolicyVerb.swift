import ArgumentParser
import GateClient
import GateModel
import GatePolicy
import GateProtocol
import GateTexts
import Glibc

struct PolicyVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy", abstract: localized("Check policy files, and show what is in force."),
        subcommands: [PolicyCheckVerb.self, PolicyShowVerb.self])
}

struct PolicyCheckVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check policy files, and say how safe they are. Needs no daemon.",
        discussion: """
            For parent mode and each gated action it prints how likely a person who only guesses gets through within \
            an hour, whether a program could, and what is required. Each mistake in a file is a line FILE:LINE:COLUMN: \
            MESSAGE, and the status is 65. Lines with "warning:" are about things that are allowed, but probably not \
            intended: a text that lacks a language that others are in, a question for grown-ups that nobody may show \
            them, a role for a user or group that this device does not have. If the daemon runs, and this user may see \
            the list of people, there is also a warning about a question that waits for a grown-up while no grown-up \
            is there.
            """)

    @OptionGroup var connection: ConnectionOptions

    @Option(
        help: ArgumentHelp(
            "Check what the daemon would read from here. Default: \(defaultDirectory).", valueName: "directory"))
    var configDirectory: String?

    @Argument(
        help: ArgumentHelp("Check these files instead, no matter who owns them.", valueName: "file"),
        completion: .file(extensions: ["yaml"]))
    var files: [String] = []

    private static let defaultDirectory = "/etc/gate"

    func validate() throws {
        if configDirectory != nil, !files.isEmpty {
            throw ValidationError("Name either files or --config-directory.")
        }
    }

    func perform(_ session: Session) async throws(GateError) {
        do throws(PolicyError) {
            let policy = try policy()
            var needs = InstallationFacts.Needs(of: policy)
            if !needs.gatesThatWait.isEmpty || needs.grownUps { needs.grownUpsOnList = await grownUpsOnList() }
            let text = PolicyText(policy, needs: needs)
            for line in session.output.isJSON ? [text.json] : text.lines { session.output.line(line) }
        } catch {
            if session.output.isJSON {
                session.output.line(PolicyText.json(error.problems))
            } else {
                for problem in error.problems { session.output.note(problem.description) }
            }
            let count = error.problems.count
            throw GateError(
                .invalidArgument, .badPolicy,
                saying: localized(
                    "One mistake; this policy would not be put into force.",
                    plural: "{count} mistakes; this policy would not be put into force.", count: count))
        }
    }

    /// The users in whose sessions grown-ups of the list of people answer; `nil` if no daemon tells this user at once.
    private func grownUpsOnList() async -> [String]? {
        var options = connection.client
        (options.connectTimeout, options.callTimeout) = (.seconds(1), .seconds(1))
        guard let people = try? await GateClient(options).people.listed() else { return nil }
        return people.filter { $0.person.kind == .grownUp && !$0.isUserUnknown }.compactMap(\.person.user?.name)
    }

    private func policy() throws(PolicyError) -> Policy {
        guard files.isEmpty else { return try PolicyReader.read(files: files) }
        // The owners that the daemon trusts. In another directory also this user, who may be trying it out.
        var owners: Set<UInt32> = [0]
        if let daemon = GateClientOptions.TrustedServers.userID(of: connection.serverUser) { owners.insert(daemon) }
        if configDirectory != nil { owners.insert(geteuid()) }
        return try PolicyReader.read(directory: configDirectory ?? Self.defaultDirectory, trustedOwners: owners)
    }
}

struct PolicyShowVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print the policy that is in force, as the daemon has it.")

    @OptionGroup var connection: ConnectionOptions

    func perform(_ session: Session) async throws(GateError) {
        let response = try await session.gate.call(Methods.Control.policy, GetPolicyRequest())
        let policy = EffectivePolicy(lines: response.inForce, summary: response.policy)
        let lines = await session.lines(of: policy)
        try session.output.result(response, lines.joined(separator: "\n"))
    }
}
