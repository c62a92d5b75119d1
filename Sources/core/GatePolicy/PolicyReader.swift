package import GateModel

/// Reads policy files, and returns a policy or everything that is wrong with them.
public enum PolicyReader {
    /// Reads a configuration directory: `policy.yaml`, `providers.yaml` with the certificates that it names,
    /// `household.yaml`, and in the order of their names `policy.d/*.yaml`, `questions.d/*.yaml`,
    /// `questionnaires.d/*.json` and `*.yaml`, and `release-notes.d/*.yaml`. All of these are optional; without any,
    /// the result is the built-in policy.
    ///
    /// - Parameter trustedOwners: the uids that directories and files may belong to. Nobody else may be able to write
    ///   to them.
    public static func read(directory: String, trustedOwners: Set<UInt32>) throws(PolicyError) -> Policy {
        try read(directory: directory, trustedOwners: trustedOwners, household: nil)
    }

    /// - Parameter household: the policy that the household has for all its devices, whose files are read after the
    ///   directory's.
    package static func read(
        directory: String, trustedOwners: Set<UInt32>, household: HouseholdPolicy?
    ) throws(PolicyError) -> Policy {
        let reading = PolicyDirectory(path: directory, trustedOwners: trustedOwners)
        let (sources, warnings) = try reading.sources()
        return try read(
            sources, .configuration(directory, trustedOwners: trustedOwners), hasForms: true, household: household,
            warnings: warnings)
    }

    /// Reads single files whoever owns them, to check them before they are put into force. Files called
    /// `providers.yaml` or `household.yaml` are read as such, and so are files in directories called `questionnaires.d`
    /// or `release-notes.d`, and JSON. Certificates are looked for next to the file that names them. If no form is
    /// among the files, a form that is asked for is only a warning.
    public static func read(files: [String]) throws(PolicyError) -> Policy {
        let sources = try PolicyDirectory.sources(files: files)
        return try read(sources, .besideFile, hasForms: sources.contains { $0.kind == .questionnaire })
    }

    /// - Parameters:
    ///   - sources: all files that there are. The name of each says what is in it.
    ///   - rootFiles: the certificates that `providers.yaml` names, by the paths that it writes.
    public static func read(
        _ sources: [PolicySource], rootFiles: [String: [UInt8]] = [:]
    ) throws(PolicyError) -> Policy {
        try read(sources, rootFiles: rootFiles, household: nil)
    }

    /// - Parameter household: the policy that the household has for all its devices.
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
        // In a household, gate-household carries the messages, so it has the role unless a policy says otherwise.
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
            // The file says explicitly that it is empty: `---` alone, or `~`.
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
