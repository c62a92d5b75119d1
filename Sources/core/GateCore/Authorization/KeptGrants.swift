package import GateModel
import HeapModule

/// The kept grants, by user and gated action, and the end that comes next: that is asked for with every command, however many are kept.
package struct KeptGrants: Sendable {
    /// The end that a grant has, or had.
    private struct End: Comparable, Sendable {
        let deadline: BootTime
        let key: KeptGrant.Key

        static func < (left: End, right: End) -> Bool { left.deadline < right.deadline }
    }

    private var grants: [KeptGrant.Key: KeptGrant]
    /// The end of each grant is in it, beside some that are past. The first one is a grant's.
    private var ends: Heap<End>

    /// Takes grants that are kept.
    package init(_ grants: [KeptGrant.Key: KeptGrant] = [:]) {
        self.grants = grants
        ends = Heap(grants.map { End(deadline: $0.value.deadline, key: $0.key) })
    }

    /// When the next one ends; `nil`: there are none.
    package var nextEnd: BootTime? { ends.min?.deadline }

    package var count: Int { grants.count }
    package var isEmpty: Bool { grants.isEmpty }
    package var keys: Dictionary<KeptGrant.Key, KeptGrant>.Keys { grants.keys }

    /// `nil`: none is kept.
    package subscript(key: KeptGrant.Key) -> KeptGrant? {
        get { grants[key] }
        set {
            grants[key] = newValue
            if let newValue { ends.insert(End(deadline: newValue.deadline, key: key)) }
            while let first = ends.min, grants[first.key]?.deadline != first.deadline { ends.removeMin() }
            // Grants that were renewed again and again leave their old ends.
            if ends.count > 2 * grants.count + 16 { self = KeptGrants(grants) }
        }
    }
}

extension KeptGrants: Sequence {
    package func makeIterator() -> Dictionary<KeptGrant.Key, KeptGrant>.Iterator { grants.makeIterator() }
}

extension KeptGrants: Hashable {
    package static func == (left: KeptGrants, right: KeptGrants) -> Bool { left.grants == right.grants }
    package func hash(into hasher: inout Hasher) { hasher.combine(grants) }
}
