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
    /// The grants that grown-ups gave to asks, which are few.
    private var answers: [KeptGrant.Key: KeptGrant.Yes] = [:]
    /// When the first of these ends by the wall clock; `nil` if there are none.
    package private(set) var nextEndOfYes: WallTime?

    package init(_ grants: [KeptGrant.Key: KeptGrant] = [:]) {
        self.grants = grants
        ends = Heap(grants.map { End(deadline: $0.value.deadline, key: $0.key) })
        answers = grants.compactMapValues(\.yes)
        nextEndOfYes = answers.values.map(\.until).min()
    }

    package var answerCount: Int { answers.count }

    func hasSameAnswers(as other: KeptGrants) -> Bool { answers == other.answers }

    /// The grant that a grown-up gave to this ask; `nil` if there is none, or not any more.
    package func answer(to ask: UInt64) -> KeptGrant.Key? { answers.keys.first { $0.ask == ask } }

    /// The grant that a grown-up gave to this user for exactly these words.
    package func answer(of uid: UInt32, to request: AuthorizationRequest) -> (key: KeptGrant.Key, yes: KeptGrant.Yes)? {
        guard !answers.isEmpty else { return nil }
        // By bytes: for Swift, two spellings of one letter are equal.
        let fitting = answers.filter { key, yes in
            key.uid == uid && key.gatedAction == request.gatedAction && yes.details.hasBytes(of: request.details)
        }
        return fitting.min { ($0.key.ask ?? 0) < ($1.key.ask ?? 0) }.map { (key: $0.key, yes: $0.value) }
    }

    package var nextEnd: BootTime? { ends.min?.deadline }

    package var count: Int { grants.count }
    package var isEmpty: Bool { grants.isEmpty }
    package var keys: Dictionary<KeptGrant.Key, KeptGrant>.Keys { grants.keys }

    package subscript(key: KeptGrant.Key) -> KeptGrant? {
        get { grants[key] }
        set {
            grants[key] = newValue
            if newValue?.yes != nil || answers[key] != nil {
                answers[key] = newValue?.yes
                nextEndOfYes = answers.values.map(\.until).min()
            }
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
