/// Policy files → a policy, or everything that is wrong with them.
public enum PolicyReader {
    /// What is in a configuration directory: `policy.yaml`, `policy.d/*.yaml` by name, `questions.d/*.yaml` by name. What
    /// is not there is fine; without any file the built-in policy results.
    ///
    /// - Parameter trustedOwners: the uids that directories and files may belong to. Nobody else may be able to write to
    ///   them.
    public static func read(directory: String, trustedOwners: Set<UInt32>) throws(PolicyError) -> Policy {
        let reading = PolicyDirectory(path: directory, trustedOwners: trustedOwners)
        return try read(try reading.sources())
    }

    /// Single files, whoever they belong to: to check them before they are put into force.
    public static func read(files: [String]) throws(PolicyError) -> Policy {
        try read(try PolicyDirectory.sources(files: files))
    }

    public static func read(_ sources: [PolicySource]) throws(PolicyError) -> Policy {
        guard sources.count <= PolicyLimits.files else {
            throw PolicyError(problems: [
                PolicyProblem(
                    file: sources[PolicyLimits.files].name,
                    message: "There are more than \(PolicyLimits.files) policy files. Put some of them together.")
            ])
        }
        var draft = PolicyDraft()
        for source in sources {
            let tree = YAMLText(source: source).tree(&draft.problems)
            // An explicit nothing: `---` alone, or `~`.
            if let tree, !tree.isNothing { draft.read(tree) }
        }
        draft.finish(isWhole: draft.problems.isEmpty)
        guard draft.problems.isEmpty else { throw draft.problems.error(orderOfFiles: sources.map(\.name)) }
        return Policy(
            configuration: draft.configuration, roles: draft.roles, browser: draft.browser, files: sources.map(\.name))
    }
}
