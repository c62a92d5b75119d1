import GateModel

/// Policy files → a policy, or everything that is wrong with them.
public enum PolicyReader {
    /// What is in a configuration directory: `policy.yaml`, `providers.yaml` with the certificates that it names,
    /// `policy.d/*.yaml` by name, `questions.d/*.yaml` by name. What is not there is fine; without any file the built-in
    /// policy results.
    ///
    /// - Parameter trustedOwners: the uids that directories and files may belong to. Nobody else may be able to write to
    ///   them.
    public static func read(directory: String, trustedOwners: Set<UInt32>) throws(PolicyError) -> Policy {
        let reading = PolicyDirectory(path: directory, trustedOwners: trustedOwners)
        return try read(try reading.sources(), .configuration(directory, trustedOwners: trustedOwners))
    }

    /// Single files, whoever they belong to: to check them before they are put into force. One that is called
    /// `providers.yaml` is read as such, and the certificates that it names are looked for beside it.
    public static func read(files: [String]) throws(PolicyError) -> Policy {
        try read(try PolicyDirectory.sources(files: files), .besideFile)
    }

    /// - Parameter rootFiles: the files that a source called `providers.yaml` names, as it names them.
    public static func read(
        _ sources: [PolicySource], rootFiles: [String: [UInt8]] = [:]
    ) throws(PolicyError) -> Policy {
        try read(sources, .given(rootFiles))
    }

    private static func read(_ sources: [PolicySource], _ rootFiles: RootFiles) throws(PolicyError) -> Policy {
        guard sources.count <= PolicyLimits.files else {
            throw PolicyError(problems: [
                PolicyProblem(
                    file: sources[PolicyLimits.files].name,
                    message: "There are more than \(PolicyLimits.files) policy files. Put some of them together.")
            ])
        }
        var draft = PolicyDraft(hasPolicy: sources.contains { !$0.isProviders }, rootFiles: rootFiles)
        for source in sources {
            let problemCount = draft.problems.found.count
            let tree = YAMLText(source: source).tree(&draft.problems)
            if draft.problems.found.count > problemCount { draft.isAllYAML = false }
            // An explicit nothing: `---` alone, or `~`.
            guard let tree, !tree.isNothing else { continue }
            if source.isProviders { draft.readProviders(tree) } else { draft.read(tree) }
        }
        draft.finish(isWhole: draft.problems.isEmpty)
        guard draft.problems.isEmpty else { throw draft.problems.error(orderOfFiles: sources.map(\.name)) }
        var configuration = draft.configuration
        configuration.items = draft.providers.entitlements
        configuration.customers = draft.providers.revenueCat?.users ?? [:]
        return Policy(
            configuration: configuration, roles: draft.roles, providers: draft.providers, browser: draft.browser,
            files: sources.map(\.name))
    }
}
