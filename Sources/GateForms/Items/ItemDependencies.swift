/// Which item hangs on which: what it is in, and what its conditions or its parents name. A chain may be as long as
/// there are items.
struct ItemDependencies {
    /// Why one item hangs on another.
    enum Reason: CaseIterable {
        /// `enableWhen`.
        case condition
        /// Our extension.
        case parents
    }

    private var known: Set<String> = []
    private var containers: [String: String] = [:]
    private var targets: [Reason: [String: [String]]] = [:]
    /// In order, so that the same cycle is found each time.
    private var sources: [Reason: [String]] = [:]

    func knows(_ linkID: String) -> Bool { known.contains(linkID) }

    mutating func enter(_ linkID: String) { known.insert(linkID) }

    mutating func contain(_ linkID: String, in container: String) {
        guard linkID != container else { return }
        containers[linkID] = container
    }

    mutating func add(_ linkID: String, hangsOn other: String, by reason: Reason) {
        if targets[reason]?[linkID] == nil { sources[reason, default: []].append(linkID) }
        targets[reason, default: [:]][linkID, default: []].append(other)
    }

    /// The ways around, each from an item back to itself; one that shares items with another may be missing.
    func cycles(by reason: Reason) -> [[String]] {
        var cycles: [[String]] = []
        var done: Set<String> = []
        for source in sources[reason] ?? [] where !done.contains(source) {
            walk(from: source, by: reason, &done, &cycles)
        }
        return cycles
    }

    /// Depth first, with the way in an array.
    private func walk(from source: String, by reason: Reason, _ done: inout Set<String>, _ cycles: inout [[String]]) {
        var way: [(linkID: String, rest: [String])] = [(source, next(source, reason))]
        var indices = [source: 0]
        while let last = way.indices.last {
            guard let linkID = way[last].rest.popLast() else {
                let (finished, _) = way.removeLast()
                indices[finished] = nil
                done.insert(finished)
                continue
            }
            if let start = indices[linkID] {
                cycles.append(way[start...].map(\.linkID) + [linkID])
            } else if !done.contains(linkID) {
                indices[linkID] = way.count
                way.append((linkID, next(linkID, reason)))
            }
        }
    }

    private func next(_ linkID: String, _ reason: Reason) -> [String] {
        let container = containers[linkID].map { [$0] } ?? []
        return container + (targets[reason]?[linkID] ?? []).reversed()
    }
}

extension QuestionnaireReading {
    /// Nothing may hang on itself, however long the way around is.
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
                    }
                wrong(
                    FormPosition(path: "Questionnaire", linkID: linkID), directory[linkID]?.place,
                    "The \(noun) go in a circle: \(around). Take one of them away.")
            }
        }
    }
}
