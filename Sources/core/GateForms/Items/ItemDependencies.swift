/// Which items an item depends on: the one that it is in, and those that its conditions, its parents or its expressions
/// name. A chain may be as long as there are items.
struct ItemDependencies {
    /// Why one item depends on another.
    enum Reason: CaseIterable {
        /// `enableWhen`.
        case condition
        /// Gate's extension `parents`.
        case parents
        /// `calculatedExpression` and `enableWhenExpression`. They read an item with everything in it, which depends on
        /// conditions and parents, too.
        case expression
    }

    /// A step of a path: an item, or an item with everything in it.
    private struct Step: Hashable {
        var linkID: String
        var isWhole = false
    }

    private var known: Set<String> = []
    private var containers: [String: String] = [:]
    private var contents: [String: [String]] = [:]
    private var targets: [Reason: [String: [String]]] = [:]
    /// The items that depend on others, in the order of the form, so that the same cycle is found each time.
    private var sources: [Reason: [String]] = [:]

    func knows(_ linkID: String) -> Bool { known.contains(linkID) }

    mutating func enter(_ linkID: String) { known.insert(linkID) }

    mutating func contain(_ linkID: String, in container: String) {
        guard linkID != container else { return }
        containers[linkID] = container
        contents[container, default: []].append(linkID)
    }

    mutating func add(_ linkID: String, hangsOn other: String, by reason: Reason) {
        if targets[reason]?[linkID] == nil { sources[reason, default: []].append(linkID) }
        targets[reason, default: [:]][linkID, default: []].append(other)
    }

    /// The cycles, each from an item back to itself. A cycle that shares items with another may be missing.
    func cycles(by reason: Reason) -> [[String]] {
        var cycles: [[Step]] = []
        var done: Set<Step> = []
        for source in (sources[reason] ?? []).map({ Step(linkID: $0) })
        where !done.contains(source) && cycles.count < FormsLimits.problems {
            walk(from: source, by: reason, &done, &cycles)
        }
        // A cycle without an expression is one of conditions or parents, and found among those.
        if reason == .expression { cycles.removeAll { way in !way.contains(where: \.isWhole) } }
        return cycles.map { way in
            let linkIDs = way.map(\.linkID).reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
            return linkIDs.count > 1 ? linkIDs : linkIDs + linkIDs
        }
    }

    /// Depth first. The path is in an array, so that a long one does not fill the stack.
    private func walk(from source: Step, by reason: Reason, _ done: inout Set<Step>, _ cycles: inout [[Step]]) {
        var way: [(step: Step, rest: [Step])] = [(source, next(source, reason))]
        var indices = [source: 0]
        while let last = way.indices.last {
            guard let step = way[last].rest.popLast() else {
                let (finished, _) = way.removeLast()
                indices[finished] = nil
                done.insert(finished)
                continue
            }
            if let start = indices[step] {
                guard cycles.count < FormsLimits.problems else { continue }
                cycles.append(way[start...].map(\.step) + [step])
            } else if !done.contains(step) {
                indices[step] = way.count
                way.append((step, next(step, reason)))
            }
        }
    }

    /// The next steps, in reverse, since the last one is taken first.
    private func next(_ step: Step, _ reason: Reason) -> [Step] {
        guard !step.isWhole else {
            let contents = (contents[step.linkID] ?? []).map { Step(linkID: $0, isWhole: true) }
            return contents.reversed() + [Step(linkID: step.linkID)]
        }
        let container = containers[step.linkID].map { [Step(linkID: $0)] } ?? []
        func named(by reason: Reason) -> [Step] {
            (targets[reason]?[step.linkID] ?? []).reversed().map { Step(linkID: $0, isWhole: reason == .expression) }
        }
        return container + (reason == .expression ? Reason.allCases.flatMap(named) : named(by: reason))
    }
}

extension QuestionnaireReading {
    /// Reports items that depend on themselves, directly or through others.
    mutating func checkDependencies() {
        for reason in ItemDependencies.Reason.allCases {
            for way in dependencies.cycles(by: reason) {
                let linkID = way.first { directory[$0] != nil } ?? ""
                let shown = way.count <= 12 ? way : way.prefix(6) + ["…"] + way.suffix(5)
                let around = shown.map(\.shortened).joined(separator: " → ")
                let noun =
                    switch reason {
                    case .condition: "conditions"
                    case .parents: "parents"
                    case .expression: "expressions"
                    }
                wrong(
                    FormPosition(path: "Questionnaire", linkID: linkID), directory[linkID]?.place,
                    "The \(noun) form a circle: \(around). Take one of them away.")
            }
        }
    }
}
