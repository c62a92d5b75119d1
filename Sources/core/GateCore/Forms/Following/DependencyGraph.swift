import GateModel

/// Which calculated answers follow from which answers, and in which order they are computed.
///
/// Each item has three nodes for what can change: its answers or the number of its instances; whether it is enabled, if
/// it has conditions; and its content, that is, everything visible in it. A change of one node leads to others.
struct DependencyGraph: Sendable {
    private struct Edge: Sendable {
        let target: Int
        /// The number of repeating items around both, of which the same instance is affected.
        let shared: Int
    }

    private let itemCount: Int
    private var edges: [[Edge]]
    /// The calculated questions by rank: each after those that it depends on. Circular ones are left out.
    private(set) var calculated: [Int] = []
    /// The rank of each item; `nil`: it is not calculated.
    private var ranks: [Int?]
    /// The nodes that depend on the date or the time.
    private var clockReaders: [Int] = []

    /// `nil` if nothing is calculated.
    init?(of items: [CompiledItem]) {
        guard items.contains(where: { $0.calculated != nil }) else { return nil }
        itemCount = items.count
        edges = Array(repeating: [], count: 3 * items.count)
        ranks = Array(repeating: nil, count: items.count)
        for (position, item) in items.enumerated() { connect(position, item, items) }
        rank(items)
    }

    // MARK: - Nodes

    private func answers(_ item: Int) -> Int { item }
    private func enabled(_ item: Int) -> Int { itemCount + item }
    private func content(_ item: Int) -> Int { 2 * itemCount + item }

    private mutating func lead(from node: Int, to target: Int, shared: Int = .max) {
        edges[node].append(Edge(target: target, shared: shared))
    }

    private mutating func connect(_ position: Int, _ item: CompiledItem, _ items: [CompiledItem]) {
        lead(from: answers(position), to: content(position))
        if let parent = item.parent {
            lead(from: content(position), to: content(parent))
        }
        // Other answers have other items below them.
        var around = item.parent
        while let question = around {
            if items[question].item.kind.isQuestion { lead(from: answers(question), to: answers(position)) }
            around = items[question].parent
        }
        for parent in item.parents { lead(from: answers(parent.item), to: answers(position), shared: parent.shared) }
        if item.gatekeeper == position {
            lead(from: enabled(position), to: content(position))
            if let around = item.parent.flatMap({ items[$0].gatekeeper }) {
                lead(from: enabled(around), to: enabled(position))
            }
            for question in item.conditions.compactMap(\.question) {
                lead(from: answers(question.item), to: enabled(position), shared: question.shared)
                if let other = items[question.item].gatekeeper {
                    lead(from: enabled(other), to: enabled(position), shared: question.shared)
                }
            }
            if let expression = item.enableWhen { connect(expression, to: enabled(position), items) }
        }
        if let expression = item.calculated {
            connect(expression, to: answers(position), items)
            // A further instance of an item around it makes a further answer necessary.
            for container in item.containers { lead(from: answers(container), to: answers(position)) }
        }
    }

    private mutating func connect(_ expression: CompiledExpression, to node: Int, _ items: [CompiledItem]) {
        for read in expression.reads {
            lead(from: content(read.items.lowerBound), to: node, shared: read.shared)
            // The gatekeepers inside it already lead to its content.
            if let gatekeeper = items[read.items.lowerBound].gatekeeper, gatekeeper != read.items.lowerBound {
                lead(from: enabled(gatekeeper), to: node, shared: read.shared)
            }
        }
        if expression.readsClock { clockReaders.append(node) }
    }

    /// Ranks the calculated questions: next is always one whose prerequisites are all ranked.
    private mutating func rank(_ items: [CompiledItem]) {
        var waits = [Int](repeating: 0, count: edges.count)
        for edge in edges.joined() { waits[edge.target] += 1 }
        var ready = waits.indices.filter { waits[$0] == 0 }
        while let next = ready.popLast() {
            if next < itemCount, items[next].calculated != nil {
                ranks[next] = calculated.count
                calculated.append(next)
            }
            for edge in edges[next] {
                waits[edge.target] -= 1
                if waits[edge.target] == 0 { ready.append(edge.target) }
            }
        }
    }

    // MARK: - Due answers

    /// The calculated answers to compute, each with the first indices of the repeating items around them.
    struct Due {
        /// The indices by rank; empty: the rank is not due.
        private var prefixes: [Set<[Int]>]
        /// No lower rank is due.
        private var next: Int
        /// The nodes that were visited. No rank leads to a lower one, so the ranks that follow from them are still due.
        private var seen: Set<ItemOccurrence> = []

        fileprivate init(count: Int) {
            prefixes = Array(repeating: [], count: count)
            next = count
        }

        mutating func popFirst() -> (rank: Int, prefixes: Set<[Int]>)? {
            while next < prefixes.count {
                defer { next += 1 }
                guard !prefixes[next].isEmpty else { continue }
                let found = prefixes[next]
                prefixes[next] = []
                return (next, found)
            }
            return nil
        }

        fileprivate mutating func isNew(_ node: Int, _ indices: [Int]) -> Bool {
            seen.insert(ItemOccurrence(node, indices)).inserted
        }

        fileprivate mutating func add(_ rank: Int, _ indices: [Int]) {
            prefixes[rank].insert(indices)
            next = min(next, rank)
        }
    }

    var noneDue: Due { Due(count: calculated.count) }

    var allDue: Due {
        var due = noneDue
        for rank in calculated.indices { due.add(rank, []) }
        return due
    }

    /// Adds what follows from other answers of a question, or from another number of a group's instances.
    func follow(_ changed: ItemOccurrence, _ due: inout Due) {
        var open: [ItemOccurrence] = []
        lead(from: answers(changed.item), changed.indices, &open, &due)
        follow(&open, &due)
    }

    /// Adds a calculated question whose own answers a person changed, and what follows from them.
    func followEdit(_ changed: ItemOccurrence, _ due: inout Due) {
        if let rank = ranks[changed.item] { due.add(rank, changed.indices) }
        follow(changed, &due)
    }

    func followClock(_ due: inout Due) {
        var open = clockReaders.map { ItemOccurrence($0, []) }
        follow(&open, &due)
    }

    /// Stops at calculated answers: what follows from them is added only if they really change.
    private func follow(_ open: inout [ItemOccurrence], _ due: inout Due) {
        while let reached = open.popLast() {
            if reached.item < itemCount, let rank = ranks[reached.item] {
                due.add(rank, reached.indices)
            } else {
                lead(from: reached.item, reached.indices, &open, &due)
            }
        }
    }

    private func lead(from node: Int, _ indices: [Int], _ open: inout [ItemOccurrence], _ due: inout Due) {
        for edge in edges[node] {
            let indices = edge.shared < indices.count ? Array(indices.prefix(edge.shared)) : indices
            if due.isNew(edge.target, indices) { open.append(ItemOccurrence(edge.target, indices)) }
        }
    }
}
