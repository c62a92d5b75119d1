package import GateModel

/// A grown-up's choice of what stands before a gated action. It replaces everything that the shipped layer says about
/// that action.
package struct GateChoice: Hashable, Sendable {
    package var name: String
    package var gatedAction: GatedAction

    package init(name: String, gatedAction: GatedAction) {
        self.name = name
        self.gatedAction = gatedAction
    }

    /// The choice in the notation of policy files, on one line, as it is stored: `{requires: …, keep: 5m}`.
    package var notation: String { gatedAction.notation }

    /// The name under which mistakes of the choice are reported.
    package static func fileName(of gatedAction: String) -> String { "choice of \(gatedAction)" }

    /// The stored choices as files of the policy, one for each, so that one with a mistake denies its own action alone.
    ///
    /// - Parameter choices: the notation of each choice, by the name of its gated action.
    static func sources(of choices: [String: String]) -> [PolicySource] {
        choices.filter(\.key.isDottedName).sorted { $0.key < $1.key }.map { name, notation in
            var source = PolicySource(name: fileName(of: name), text: "gated-actions:\n  \(name): \(notation)\n")
            source.readAs = .policy
            source.layer = .choices
            source.namedAction = name
            return source
        }
    }

    /// What stored choices say, by the names of their gated actions. Choices with mistakes are left out. Whether the
    /// forms, entitlements and questions exist that they ask for is known only when the whole policy is read.
    ///
    /// - Parameter choices: the notation of each choice, by the name of its gated action.
    package static func gatedActions(of choices: [String: String]) -> [String: GatedAction] {
        var found: [String: GatedAction] = [:]
        for source in sources(of: choices) {
            guard let name = source.namedAction else { continue }
            var draft = PolicyDraft(hasPolicy: false, hasForms: false, rootFiles: .given([:]))
            draft.layer = .choices
            if let tree = YAMLText(source: source).tree(&draft.problems) { draft.read(tree) }
            if draft.problems.isEmpty { found[name] = draft.configuration.gatedActions[name] }
        }
        return found
    }
}

extension PolicyReader {
    /// Reads a requirement in the notation of policy files, like `{any: [{mode: parent}, {challenge: passcode}]}`. The
    /// name of a challenge alone, like `passcode`, stands for `{challenge: passcode}`, and `parent` for
    /// `{mode: parent}`.
    ///
    /// Whether the entitlements, forms and questions exist that it names is known only when the whole policy is read.
    package static func requirement(_ text: String, named name: String = "requires") throws(PolicyError) -> Requirement
    {
        if text == "parent" { return .parentMode }
        if let kind = Challenge.Kind(rawValue: text) { return .challenge(ChallengeRule(kind)) }
        var draft = PolicyDraft(hasPolicy: false, hasForms: false, rootFiles: .given([:]))
        var source = PolicySource(name: name, text: text)
        source.readAs = .policy
        let tree = YAMLText(source: source).tree(&draft.problems)
        let requirement = tree.flatMap { draft.requirement($0, depth: 1) }
        if let requirement, draft.problems.isEmpty { return requirement }
        if draft.problems.isEmpty {
            draft.problems.add(
                PolicyProblem(
                    file: name, message: "This requires nothing. Write for example {challenge: passcode}.",
                    kind: .required))
        }
        throw PolicyError(problems: draft.problems.sorted(orderOfFiles: [name]))
    }
}
