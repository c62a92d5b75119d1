package import GateModel
import HeapModule

/// The kept grants by user and gated action. Every command asks when the next of them ends, so a heap finds that, no
/// matter how many grants are kept.
package struct KeptGrants: Sendable {
    /// The end of a grant, or one that the grant had before it was renewed or removed.
    private struct End: Comparable, Sendable {
        let deadline: BootTime
        let key: KeptGrant.Key

        static func < (left: End, right: End) -> Bool { left.deadline < right.deadline }
    }

    private var grants: [KeptGrant.Key: KeptGrant]
    /// The ends of all grants, among others that are out of date. The first one is always a grant's.
    private var ends: Heap<End>

    package init(_ grants: [KeptGrant.Key: KeptGrant] = [:]) {
        self.grants = grants
        ends = Heap(grants.map { End(deadline: $0.value.deadline, key: $0.key) })
    }

    package var nextEnd: BootTime? { ends.min?.deadline }

    package var count: Int { grants.count }
    package var isEmpty: Bool { grants.isEmpty }
    package var keys: Dictionary<KeptGrant.Key, KeptGrant>.Keys { grants.keys }

    package subscript(key: KeptGrant.Key) -> KeptGrant? {
        get { grants[key] }
        set {
            grants[key] = newValue
            if let newValue { ends.insert(End(deadline: newValue.deadline, key: key)) }
            while let first = ends.min, grants[first.key]?.deadline != first.deadline { ends.removeMin() }
            // A grant that is renewed often leaves many old ends behind.
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
