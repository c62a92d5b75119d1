package import GateModel

/// Reads policy files, and returns a policy or everything that is wrong with them.
public enum PolicyReader {
    /// Where the daemon looks for the device's own files.
    public static let defaultDirectory = "/etc/gate"
    /// Where packages install the defaults, the layer that counts least.
    public static let shippedDirectory = "/usr/share/gate/policy.d"

    /// Reads a configuration directory: `policy.yaml`, `providers.yaml` with the certificates that it names,
    /// `household.yaml`, and in the order of their names `policy.d/*.yaml`, `questions.d/*.yaml`,
    /// `questionnaires.d/*.json` and `*.yaml`, and `release-notes.d/*.yaml`. All of these are optional. With
    /// `defaultDirectory`, the files of `shippedDirectory` are read, too; they count where the directory says nothing
    /// else. Without any file, the result is the built-in policy.
    ///
    /// - Parameter trustedOwners: the uids that directories and files may belong to, writable for nobody else.
    public static func read(directory: String, trustedOwners: Set<UInt32>) throws(PolicyError) -> Policy {
        try read(directory: directory, shipped: shippedDirectory(beside: directory), trustedOwners: trustedOwners)
    }

    /// The directory of the shipped defaults that belongs to a configuration directory; `nil` if that is a directory of
    /// somebody's own, for which nothing is shipped.
    package static func shippedDirectory(beside directory: String) -> String? {
        directory == defaultDirectory ? shippedDirectory : nil
    }

    /// - Parameters:
    ///   - shipped: the directory of the shipped defaults; `nil`: there are none.
    ///   - household: the policy that the household has for all its devices.
    ///   - choices: what grown-ups have chosen, in the notation of policy files (`GateChoice`), by name.
    package static func read(
        directory: String, shipped: String?, trustedOwners: Set<UInt32>, household: HouseholdPolicy? = nil,
        choices: [String: String] = [:]
    ) throws(PolicyError) -> Policy {
        try files(directory: directory, shipped: shipped, trustedOwners: trustedOwners).policy(household, choices)
    }

    /// Reads the files of a device, without looking for mistakes in them.
    ///
    /// - Parameter shipped: the directory of the shipped defaults; `nil`: there are none.
    /// - Throws: all files that can't be read or trusted.
    package static func files(
        directory: String, shipped: String?, trustedOwners: Set<UInt32>
    ) throws(PolicyError) -> DevicePolicyFiles {
        let reading = PolicyDirectory(path: directory, trustedOwners: trustedOwners)
        let (sources, warnings) = try reading.sources()
        let defaults = shipped.map { PolicyDirectory(path: $0, trustedOwners: trustedOwners).shippedSources() }
        let rootFiles = RootFiles.configuration(directory, trustedOwners: trustedOwners, read: ReadRootFiles())
        return DevicePolicyFiles { household, choices throws(PolicyError) in
            try read(
                sources, rootFiles, hasForms: true, household: household, choices: choices,
                shipped: defaults ?? ([], []), warnings: warnings)
        }
    }

    /// Reads single files whoever owns them, to check them before they are put into force. Names and directories say
    /// what is in each (`PolicySource.name`). Certificates are looked for next to the file that names them. If no form
    /// is among the files, a policy that asks for a form gets a warning, not an error.
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

    /// - Parameters:
    ///   - household: the policy that the household has for all its devices.
    ///   - choices: what grown-ups have chosen, in the notation of policy files (`GateChoice`), by name.
    ///   - shipped: the files of the shipped layer.
    package static func read(
        _ sources: [PolicySource], rootFiles: [String: [UInt8]] = [:], household: HouseholdPolicy?,
        choices: [String: String] = [:], shipped: [PolicySource] = []
    ) throws(PolicyError) -> Policy {
        let shipped = shipped.map { source in
            var source = source
            source.layer = .shipped
            return source
        }
        return try read(
            sources, .given(rootFiles), hasForms: true, household: household, choices: choices,
            shipped: (shipped, []))
    }

    /// Reads all layers. A file that may be broken and has mistakes is left out, and the rest is read again.
    private static func read(
        _ ownSources: [PolicySource], _ rootFiles: RootFiles, hasForms: Bool, household: HouseholdPolicy? = nil,
        choices: [String: String] = [:], shipped: (sources: [PolicySource], broken: [BrokenPolicyFile]) = ([], []),
        warnings: [PolicyProblem] = []
    ) throws(PolicyError) -> Policy {
        let firm = ownSources + (try household.map(Self.sources) ?? [])
        try checkCounts(of: firm)
        // The layer that counts most is read first.
        let sources = firm + GateChoice.sources(of: choices) + shipped.sources
        var broken = shipped.broken
        while true {
            let left = sources.filter { source in !broken.contains { $0.file == source.name } }
            var draft = draft(of: left, rootFiles, hasForms: hasForms, broken: broken)
            guard !draft.problems.isEmpty else {
                for warning in warnings { draft.warnings.add(warning) }
                return draft.policy(of: left, household: household)
            }
            let files = sources.map(\.name)
            let problems = draft.problems.sorted(orderOfFiles: files)
            let more = left.filter { $0.layer.mayBeBroken }.compactMap { source in
                let own = problems.filter { $0.file == source.name }
                // `gate.change` is never denied: without a rule in the device's own files, the built-in one counts.
                let named = draft.namedActions[source.name, default: []].union([source.namedAction].compactMap(\.self))
                    .subtracting([GatedAction.change])
                return own.isEmpty
                    ? nil
                    : BrokenPolicyFile(
                        file: source.name, layer: source.layer, problems: own, gatedActions: named.sorted(),
                        mayNameMore: source.layer == .shipped && draft.filesThatMayNameMore.contains(source.name))
            }
            guard !more.isEmpty else { throw PolicyError(problems: problems) }
            broken += more
        }
    }

    private static func draft(
        of sources: [PolicySource], _ rootFiles: RootFiles, hasForms: Bool, broken: [BrokenPolicyFile]
    ) -> PolicyDraft {
        var draft = PolicyDraft(
            hasPolicy: sources.contains { $0.kind == .policy }, hasForms: hasForms, rootFiles: rootFiles,
            broken: broken)
        // In a household, gate-household carries the messages, so it has the role unless a policy says otherwise.
        if sources.contains(where: { $0.kind == .household }) {
            draft.roles.households = Principals(users: ["gate-household"])
        }
        for source in sources {
            draft.layer = source.layer
            if source.kind == .questionnaire {
                draft.readForm(source)
                continue
            }
            let problemCount = draft.problems.found.count
            let tree = YAMLText(source: source).tree(&draft.problems)
            if draft.problems.found.count > problemCount {
                draft.isAllYAML = false
                draft.mayNameMore(source.name)
            }
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
        return draft
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

extension PolicyDraft {
    /// The policy of a draft without problems.
    fileprivate func policy(of sources: [PolicySource], household: HouseholdPolicy?) -> Policy {
        let files = sources.filter { $0.layer != .choices }.map(\.name)
        var configuration = configuration
        configuration.householdPolicy = household?.number
        configuration.items = providers.entitlements
        configuration.customers = providers.revenueCat?.users ?? [:]
        var policy = Policy(
            configuration: configuration, roles: roles, providers: providers, browser: browser, files: files,
            warnings: warnings.sorted(orderOfFiles: files), broken: broken, origins: origins)
        (policy.allowances, policy.schedules) = (allowances, schedules)
        return policy
    }
}
