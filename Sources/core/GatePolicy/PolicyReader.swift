package import GateModel

/// Policy files → a policy, or everything that is wrong with them.
public enum PolicyReader {
    /// Reads a configuration directory: `policy.yaml`, `providers.yaml` with the certificates that it names, `household.yaml`,
    /// and by name `policy.d/*.yaml`, `questions.d/*.yaml`, `questionnaires.d/*.json` and `*.yaml` (F-46), and
    /// `release-notes.d/*.yaml` (F-56). What is not there is fine; without any file the built-in policy results.
    ///
    /// - Parameter trustedOwners: the uids that directories and files may belong to. Nobody else may be able to write to
    ///   them.
    public static func read(directory: String, trustedOwners: Set<UInt32>) throws(PolicyError) -> Policy {
        try read(directory: directory, trustedOwners: trustedOwners, household: nil)
    }

    /// - Parameter household: the policy that the household has for all of its devices: its files are read behind those of the directory.
    package static func read(
        directory: String, trustedOwners: Set<UInt32>, household: HouseholdPolicy?
    ) throws(PolicyError) -> Policy {
        let reading = PolicyDirectory(path: directory, trustedOwners: trustedOwners)
        let (sources, warnings) = try reading.sources()
        return try read(
            sources, .configuration(directory, trustedOwners: trustedOwners), hasForms: true, household: household,
            warnings: warnings)
    }

    /// Single files, no matter who owns them: to check them before they are put into force. One that is called
    /// `providers.yaml` or `household.yaml` is read as such, and the certificates that it names are looked for beside it; so are files of
    /// directories called `questionnaires.d` and `release-notes.d`, and JSON. Where there is no form among them, it is a
    /// warning that one is asked for.
    public static func read(files: [String]) throws(PolicyError) -> Policy {
        let sources = try PolicyDirectory.sources(files: files)
        return try read(sources, .besideFile, hasForms: sources.contains { $0.kind == .questionnaire })
    }

    /// - Parameters:
    ///   - sources: all there are. Each is read as what its name says.
    ///   - rootFiles: the files that a source called `providers.yaml` names, as it names them.
    public static func read(
        _ sources: [PolicySource], rootFiles: [String: [UInt8]] = [:]
    ) throws(PolicyError) -> Policy {
        try read(sources, rootFiles: rootFiles, household: nil)
    }

    /// - Parameter household: the policy that the household has for all of its devices.
    package static func read(
        _ sources: [PolicySource], rootFiles: [String: [UInt8]] = [:], household: HouseholdPolicy?
    ) throws(PolicyError) -> Policy {
        try read(sources, .given(rootFiles), hasForms: true, household: household)
    }

    private static func read(
        _ ownSources: [PolicySource], _ rootFiles: RootFiles, hasForms: Bool, household: HouseholdPolicy? = nil,
        warnings: [PolicyProblem] = []
    ) throws(PolicyError) -> Policy {
        let sources = ownSources + (try household.map(Self.sources) ?? [])
        try checkCounts(of: sources)
        var draft = PolicyDraft(
            hasPolicy: sources.contains { $0.kind == .policy }, hasForms: hasForms, rootFiles: rootFiles)
        for warning in warnings { draft.warnings.add(warning) }
        // Where there is a household, the program that carries its words has the role, unless a policy says otherwise.
        if sources.contains(where: { $0.kind == .household }) {
            draft.roles.households = Principals(users: ["gate-household"])
        }
        for source in sources {
            if source.kind == .questionnaire {
                draft.readForm(source)
                continue
            }
            let problemCount = draft.problems.found.count
            let tree = YAMLText(source: source).tree(&draft.problems)
            if draft.problems.found.count > problemCount { draft.isAllYAML = false }
            // An explicit nothing: `---` alone, or `~`.
            guard let tree, !tree.isNothing else { continue }
            switch source.kind {
            case .policy: draft.read(tree, isHouseholds: source.isHouseholds)
            case .providers: draft.readProviders(tree)
            case .household: draft.readHousehold(tree)
            case .releaseNotes: draft.readReleaseNotes(tree)
            case .questionnaire, .response: break
            }
            draft.translations.reportMissing(&draft.warnings)
        }
        draft.finish(isWhole: draft.problems.isEmpty)
        let files = sources.map(\.name)
        guard draft.problems.isEmpty else { throw PolicyError(problems: draft.problems.sorted(orderOfFiles: files)) }
        var configuration = draft.configuration
        configuration.householdPolicy = household?.number
        configuration.items = draft.providers.entitlements
        configuration.customers = draft.providers.revenueCat?.users ?? [:]
        return Policy(
            configuration: configuration, roles: draft.roles, providers: draft.providers, browser: draft.browser,
            files: files, warnings: draft.warnings.sorted(orderOfFiles: files))
    }

    private static func checkCounts(of sources: [PolicySource]) throws(PolicyError) {
        for (kind, what) in [
            (PolicySource.Kind.questionnaire, "forms. Take some of them away."),
            (.releaseNotes, "files with release notes. Take some of them away."),
        ] {
            try check(sources.filter { $0.kind == kind }, atMost: kind.maximumCount, what)
        }
        try check(
            sources.filter { [.policy, .providers, .household].contains($0.kind) }, atMost: PolicyLimits.files,
            "policy files. Put some of them together.")
    }

    private static func check(
        _ sources: [PolicySource], atMost count: Int, _ what: String
    ) throws(PolicyError) {
        guard sources.count > count else { return }
        throw PolicyError(problems: [
            PolicyProblem(
                file: sources[count].name, message: "There are more than \(count) \(what)", kind: .tooLong,
                parameters: ["maximum": "\(count)"])
        ])
    }
}
