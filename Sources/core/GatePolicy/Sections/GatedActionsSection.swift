import GateModel

/// Reads `gated-actions`: what is guarded, and what it requires.
extension PolicyDraft {
    mutating func readGatedActions(_ node: PolicyNode) {
        guard let entries = entries(of: "gated actions", node) else { return mayNameMore(node.place.file) }
        for entry in entries {
            guard maySayWhatStandsBefore(entry) else { continue }
            names(entry.key, in: entry.keyPlace.file)
            // What a later layer says of the action replaces this as a whole.
            guard !isDenied(entry.key), !isOverruled("gated-actions.\(entry.key)") else {
                _ = isGoodName(entry)
                continue
            }
            let isNamed = isGoodName(entry)
            guard let gatedAction = gatedAction(entry.key, entry.value), isNamed else { continue }
            guard
                hasRoom(
                    for: "gated actions", after: configuration.gatedActions.count, of: PolicyLimits.gatedActions,
                    at: entry.keyPlace)
            else { return mayNameMore(entry.keyPlace.file) }
            configuration.gatedActions[entry.key] = gatedAction
        }
    }

    /// Whether this layer may say what stands before the gated action. If it may not, reports a problem.
    ///
    /// `gate.change` stands before everything that weakens a gate, so nobody but root decides about it: it is said in
    /// the device's own files, and otherwise it is built in.
    private mutating func maySayWhatStandsBefore(_ entry: PolicyNode.Entry) -> Bool {
        guard entry.key == GatedAction.change, layer != .device else { return true }
        let advice =
            layer == .choices
            ? "This choice does not count. Take it back: `sudo gatectl gates unset \(entry.key)`."
            : "Remove it here. If you mean it, write it into \(PolicyReader.defaultDirectory) of each device."
        problems.add(
            "Only \(PolicyReader.defaultDirectory) says what stands before '\(entry.key)'. \(advice)",
            kind: .businessRule, at: entry.keyPlace)
        return false
    }

    /// Counters of wrong answers have these names, too.
    private static let reservedNames: Set<String> = ["mode", "passcode", "totp", "sign-in"]

    private mutating func isGoodName(_ entry: PolicyNode.Entry) -> Bool {
        let name = entry.key
        guard isDottedName(entry, of: "a gated action", like: "photos.delete") else { return false }
        guard !Self.reservedNames.contains(name) else {
            problems.add(
                "'\(name)' is a name that Gate needs itself. Take another one.", kind: .value, at: entry.keyPlace)
            return false
        }
        return isFirst("gated-actions.\(name)", called: name, at: entry.keyPlace)
    }

    private mutating func gatedAction(_ name: String, _ node: PolicyNode) -> GatedAction? {
        let keys = ["title", "requires", "keep", "style", "more-time"]
        guard let fields = PolicyFields(node, of: "a gated action", keys: keys, &problems) else { return nil }
        var title = LocalizedText(name)
        var style = Presentation.Style.sheet
        let keep = fields.value("keep")?.duration(of: "keep", in: PolicyLimits.keep, &problems)
        if let effect = GatedAction.effectElsewhere(of: name), keep != nil, let place = fields.value("keep")?.place {
            problems.add(
                "'\(name)' can't have 'keep': a kept answer would \(effect) without a question. Remove it.",
                kind: .value, at: place)
        }
        if let value = fields.value("title") {
            title = value.texts(of: "title", atMost: PolicyLimits.titleLength, &self) ?? title
        }
        if let value = fields.value("style") {
            style = value.word("style", &problems) ?? .sheet
        }
        let requires = fields.value(needed: "requires", "The gated action '\(name.shortened)'", &problems)
        waits = []
        defer { checkWaits(of: name, keep: fields.value("keep")?.place) }
        guard let requires, let requirement = self.requirement(requires, depth: 1) else { return nil }
        if let effect = GatedAction.effectElsewhere(of: name), !requirement.takesGrownUp {
            problems.add(
                "'\(name)' has to ask each time what only a grown-up can answer: any program could \(effect) "
                    + "otherwise. Write {challenge: passcode}, alone or within 'all', or add 'answered-by: grown-up' to "
                    + "another question.",
                kind: .value, at: requires.place)
        }
        let moreTime = fields.value("more-time").map { self.moreTime($0, beyond: requirement) } ?? []
        return GatedAction(title: title, requirement: requirement, keep: keep, style: style, moreTime: moreTime)
    }

    /// Checks that the gated action may have a question that waits, and that it has only one. A yes names the action
    /// and the words, and would not tell two questions apart.
    ///
    /// - Parameter keep: where the action says `keep`.
    private mutating func checkWaits(of name: String, keep: PolicyNode.Place?) {
        for place in waits {
            if name.hasPrefix("pam.") {
                problems.add(
                    "'\(name.shortened)' can't wait: PAM does not know what will be done, so a yes to one command "
                        + "would count for any other. Remove 'may-wait'.", kind: .businessRule, at: place)
            } else if let effect = GatedAction.effectElsewhere(of: name) {
                problems.add(
                    "'\(name)' can't wait: an answer that is kept would \(effect) later, without a question. Remove "
                        + "'may-wait'.", kind: .businessRule, at: place)
            }
        }
        if let keep, !waits.isEmpty {
            problems.add(
                "'keep' can't stand beside 'may-wait': a yes to one thing would let everything else through, too. "
                    + "Remove 'keep', and write how long a yes lasts into 'choices', like [once, 10m].",
                kind: .businessRule, at: keep)
        }
        if waits.count > 1, let second = waits.dropFirst().first {
            problems.add(
                "Only one question of a gated action can wait. Remove 'may-wait' here or there.", kind: .businessRule,
                at: second)
        }
    }

    // MARK: - Requirements

    private static let requirementKeys = [
        "mode", "challenge", "signed-in", "entitlement", "form", "during", "allowance", "all", "any",
    ]

    mutating func requirement(_ node: PolicyNode, depth: Int) -> Requirement? {
        guard depth <= PolicyLimits.requirementDepth else {
            problems.add(
                "Requirements are at most \(PolicyLimits.requirementDepth) deep inside one another.", kind: .tooLong,
                parameters: ["maximum": "\(PolicyLimits.requirementDepth)"], at: node.place)
            return nil
        }
        if node.text == "signed-in" { return .signedIn }
        if let word = node.text {
            problems.add(Self.advice(on: word), kind: .structure, at: node.place)
            return nil
        }
        guard let fields = PolicyFields(node, of: "a requirement", keys: Self.requirementKeys, &problems) else {
            return nil
        }
        let present = Self.requirementKeys.filter { fields.value($0) != nil }
        guard present.count <= 1 else {
            problems.add(
                "A requirement is one of \(present.joined(separator: " and ")). Where both are needed, write "
                    + "{all: [{…}, {…}]}.", kind: .businessRule, at: node.place)
            return nil
        }
        if let value = fields.value("mode") { return mode(value) }
        if let value = fields.value("challenge") { return challengeRule(value).map { .challenge($0) } }
        if let value = fields.value("signed-in") { return signedIn(value) }
        if let value = fields.value("entitlement") { return entitlementName(value).map { .entitlement($0) } }
        if let value = fields.value("form") {
            return usedName(value, "Write the name of a form here", \.usesOfForms).map { .form($0) }
        }
        if let value = fields.value("during") {
            return usedName(value, "'during' is the name of a schedule", \.usesOfSchedules).map {
                .during(Schedule($0))
            }
        }
        if let value = fields.value("allowance") {
            return usedName(value, "'allowance' is the name of an allowance", \.usesOfAllowances)
                .map { .allowance(Allowance($0)) }
        }
        if let value = fields.value("all") { return requirements(value, of: "all", depth).map { .all($0) } }
        if let value = fields.value("any") { return requirements(value, of: "any", depth).map { .any($0) } }
        if case .mapping(let entries) = node.content, entries.isEmpty {
            problems.add("This requires nothing. \(Self.examples)", kind: .required, at: node.place)
        }
        return nil
    }

    private static let examples = "Write for example {mode: parent} or {challenge: passcode}."

    private static func advice(on word: String) -> String {
        if Challenge.Kind(rawValue: word) != nil { return "A challenge is written {challenge: \(word)}." }
        if word == "entitlement" { return "An entitlement is written {entitlement: NAME}." }
        if word == "form" { return "A form is written {form: NAME}." }
        if word == "during" { return "A schedule is written {during: NAME}." }
        if word == "allowance" { return "An allowance is written {allowance: NAME}." }
        if word == "parent" { return "Parent mode is written {mode: parent}." }
        return "'\(word.shortened)' is no requirement. \(examples)"
    }

    private mutating func mode(_ node: PolicyNode) -> Requirement? {
        guard node.text == "parent" else {
            problems.add("'mode' can only be 'parent', not \(node.found).", kind: .value, at: node.place)
            return nil
        }
        return .parentMode
    }

    private mutating func signedIn(_ node: PolicyNode) -> Requirement? {
        guard node.text == "true" else {
            problems.add(
                "'signed-in' can only be 'true', not \(node.found). It may also stand alone, without a colon.",
                kind: .value, at: node.place)
            return nil
        }
        return .signedIn
    }

    private mutating func requirements(_ node: PolicyNode, of key: String, _ depth: Int) -> [Requirement]? {
        guard let list = node.list(of: key, atMost: PolicyLimits.requirements, &problems) else { return nil }
        guard !list.isEmpty else {
            problems.add("'\(key)' has nothing in it. \(Self.examples)", kind: .required, at: node.place)
            return nil
        }
        let requirements = list.map { requirement($0, depth: depth + 1) }
        return requirements.contains(nil) ? nil : requirements.compactMap(\.self)
    }
}

extension Requirement {
    /// Whether each way to meet the requirement takes an answer of a grown-up, at each age: a secret, or a question
    /// that only grown-ups' presenters show. Any other question may be answered by the program that asks. Parent mode,
    /// a sign-in, a payment, a form, a schedule and an allowance do not count, because they then hold for every program
    /// for a while.
    fileprivate var takesGrownUp: Bool {
        switch self {
        case .challenge(let rule):
            rule.bands.allSatisfy { $0.challenge.takesGrownUp }
        case .parentMode, .signedIn, .entitlement, .form, .during, .allowance: false
        case .all(let parts): parts.contains { $0.takesGrownUp }
        case .any(let parts): parts.allSatisfy { $0.takesGrownUp }
        }
    }
}
