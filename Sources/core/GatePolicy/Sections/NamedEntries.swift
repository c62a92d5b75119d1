import GateModel

/// Sections whose entries have names, like gated actions, and the places elsewhere that use such a name.
extension PolicyDraft {
    typealias NameUse = (name: String, place: PolicyNode.Place, layer: PolicyLayer)

    /// The entries of a section. If it is written as something else than entries, reports that, and returns `nil`.
    mutating func entries(of things: String, _ node: PolicyNode) -> [PolicyNode.Entry]? {
        if case .mapping(let entries) = node.content { return entries }
        problems.add(
            "Write \(things) here, each with its name and a colon, not \(node.found).", kind: .structure,
            at: node.place)
        return nil
    }

    /// Whether an entry has a name that things of this kind can have; if not, reports that.
    mutating func isDottedName(_ entry: PolicyNode.Entry, of thing: String, like example: String) -> Bool {
        if entry.key.isDottedName { return true }
        problems.add(
            "'\(entry.key.shortened)' can't be the name of \(thing). Names are lower-case words of letters, digits and "
                + "hyphens, joined by dots, like \(example); at most \(PolicyLimits.nameLength) characters.",
            kind: .value, at: entry.keyPlace)
        return false
    }

    /// Whether one more thing of this kind is allowed after `count` others; if not, reports that.
    mutating func hasRoom(
        for things: String, after count: Int, of maximum: Int, at place: PolicyNode.Place
    ) -> Bool {
        if count < maximum { return true }
        problems.add(
            "There are more than \(maximum) \(things).", kind: .tooLong, parameters: ["maximum": "\(maximum)"],
            at: place)
        return false
    }

    /// Replaces each condition of all gated actions.
    mutating func mapConditions(_ replacement: (Requirement) -> Requirement) {
        for (name, action) in configuration.gatedActions {
            configuration.gatedActions[name]?.requirement = action.requirement.mapConditions(replacement)
        }
    }

    /// Reads the name of something that may be in a file that is read later. So names are checked when all files have
    /// been read. `advice` says what to write, as in "Write the name of a form here".
    mutating func usedName(
        _ node: PolicyNode, _ advice: String, _ uses: WritableKeyPath<PolicyDraft, [NameUse]>
    ) -> String? {
        guard let name = node.text else {
            problems.add("\(advice), not \(node.found).", kind: .structure, at: node.place)
            return nil
        }
        self[keyPath: uses].append((name, node.place, layer))
        return name
    }

    /// Reports the uses of names that no file defines. Only choices may use a name that only a choice defines: the
    /// daemon can start with the files alone, so the files must not need any choice.
    ///
    /// - Parameters:
    ///   - noun: what such a name stands for, like "schedule".
    ///   - names: the names that files define, including those of entries with mistakes.
    ///   - isWhole: whether all files could be read. If not, the names may be defined in one that could not.
    ///   - ifNone: the message about a use if no names are defined at all. `advice` follows, if there is a policy.
    /// - Returns: the names that may be defined in a file that was left out. They are not reported.
    @discardableResult
    mutating func namesOfLeftOutFiles(
        _ uses: [NameUse], of noun: String, among names: Set<String>, isWhole: Bool, ifNone: String, advice: String
    ) -> [String] {
        guard isAllYAML else { return [] }
        var leftOut: [String] = []
        for (name, place, layer) in uses {
            guard !names.contains(name) else {
                if layer != .choices, isOnlyChosen("\(noun)s.\(name)") {
                    problems.add(
                        "'\(name)' was only chosen on this device, and the choice may be taken back. \(advice)",
                        kind: .notFound, at: place)
                }
                continue
            }
            if !broken.isEmpty, !layer.mayBeBroken, name.isDottedName {
                leftOut.append(name)
            } else if !names.isEmpty {
                problems.addUnknown(name, noun, among: names.sorted(), at: place)
            } else if isWhole {
                let advice = hasPolicy ? advice : "Check this file together with policy.yaml."
                problems.add("'\(name.shortened)' \(ifNone) \(advice)", kind: .notFound, at: place)
            }
        }
        return leftOut
    }
}
