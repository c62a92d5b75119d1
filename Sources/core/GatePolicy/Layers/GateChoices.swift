package import GateModel

/// What grown-ups have chosen: what stands before gated actions, allowances and schedules. A choice replaces everything
/// that the shipped layer says about the same thing. It is stored in the notation of policy files, on one line:
/// `{requires: …, keep: 5m}`, `{mon-fri: 1h}`.
package enum GateChoice {
    /// The name under which mistakes of a choice are reported.
    ///
    /// - Parameter name: the name of the gated action, or `TimeRule.choiceName`.
    package static func fileName(of name: String) -> String { "choice of \(name)" }

    /// The stored choices as files of the policy, one for each, so that one with a mistake denies its own action alone.
    ///
    /// - Parameter choices: the notation of each choice, by its name.
    static func sources(of choices: [String: String]) -> [PolicySource] {
        choices.sorted { $0.key < $1.key }.compactMap { name, notation in
            let rule = TimeRule.chosen(as: name)
            guard rule != nil || name.isDottedName else { return nil }
            let section = rule.map { "\($0.kind.word)s" } ?? "gated-actions"
            var source = PolicySource(
                name: fileName(of: name), text: "\(section):\n  \(rule?.name ?? name): \(notation)\n")
            source.readAs = .policy
            source.layer = .choices
            if rule == nil { source.namedAction = name }
            return source
        }
    }

    /// What stored choices say, by their names. Choices with mistakes are left out. Whether the forms, entitlements,
    /// questions, allowances and schedules exist that they ask for is known only when the whole policy is read.
    ///
    /// - Parameter choices: the notation of each choice, by its name.
    package static func rules(of choices: [String: String]) -> [String: ChosenRule] {
        var found: [String: ChosenRule] = [:]
        for (name, notation) in choices {
            guard let source = sources(of: [name: notation]).first else { continue }
            var draft = PolicyDraft(hasPolicy: false, hasForms: false, rootFiles: .given([:]))
            draft.layer = .choices
            if let tree = YAMLText(source: source).tree(&draft.problems) { draft.read(tree) }
            guard draft.problems.isEmpty else { continue }
            found[name] =
                if let rule = TimeRule.chosen(as: name) {
                    draft.allowances[rule.name].map { .allowance($0) }
                        ?? draft.schedules[rule.name].map { .schedule($0) }
                } else {
                    draft.configuration.gatedActions[name].map { .gate($0) }
                }
        }
        return found
    }
}

extension PolicyDraft {
    /// Whether a choice with mistakes was to replace this shipped allowance or schedule. Then neither counts: gates that
    /// need it stay closed, since the shipped one might open more than the choice was meant to.
    func hasBrokenChoice(_ kind: TimeRule.Kind, _ name: String) -> Bool {
        let file = GateChoice.fileName(of: TimeRule.choiceName(kind, name))
        return layer == .shipped && broken.contains { $0.file == file }
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
        return try value(of: text, named: name, "This requires nothing. Write for example {challenge: passcode}.") {
            $0.requirement($1, depth: 1)
        }
    }

    /// Reads an allowance or a schedule in the notation of policy files, like `{mon-fri: 1h, sat-sun: 2h}`, and returns
    /// it as it is stored.
    package static func timeRule(_ kind: TimeRule.Kind, _ text: String) throws(PolicyError) -> String {
        let example = kind == .allowance ? "{mon-fri: 1h, sat-sun: 2h}" : "{mon-fri: 15:00-19:00}"
        return try value(of: text, named: kind.word, "This says nothing. Write for example \(example).") {
            kind == .allowance
                ? $0.allowance("", $1)?.notation : $0.days($1).map { Schedule("", days: $0).notation }
        }
    }

    /// - Parameters:
    ///   - name: the name under which mistakes are reported.
    ///   - advice: what is reported if there is nothing in the text.
    private static func value<Value>(
        of text: String, named name: String, _ advice: String, _ read: (inout PolicyDraft, PolicyNode) -> Value?
    ) throws(PolicyError) -> Value {
        var draft = PolicyDraft(hasPolicy: false, hasForms: false, rootFiles: .given([:]))
        var source = PolicySource(name: name, text: text)
        source.readAs = .policy
        let tree = YAMLText(source: source).tree(&draft.problems)
        let value = tree.flatMap { read(&draft, $0) }
        if let value, draft.problems.isEmpty { return value }
        if draft.problems.isEmpty {
            draft.problems.add(PolicyProblem(file: name, message: advice, kind: .required))
        }
        throw PolicyError(problems: draft.problems.sorted(orderOfFiles: [name]))
    }
}
