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

    /// What a grown-up's yes is for. A user may have hundreds, and each check of a gated action looks for one.
    private struct Subject: Hashable, Sendable {
        enum Kind: Hashable {
            case words
            case site
            case moreTime
        }

        let uid: UInt32
        let gatedAction: String
        let kind: Kind
        /// The words, or the site. As bytes, because for Swift two spellings of one letter are equal. Empty for more time.
        let bytes: [UInt8]

        init(_ uid: UInt32, _ gatedAction: String, details: String) {
            (self.uid, self.gatedAction, kind, bytes) = (uid, gatedAction, .words, Array(details.utf8))
        }

        init(_ uid: UInt32, _ gatedAction: String, _ site: WebOrigin) {
            (self.uid, self.gatedAction, kind, bytes) = (uid, gatedAction, .site, Array(site.text.utf8))
        }

        init(moreTimeOf uid: UInt32, before gatedAction: String) {
            (self.uid, self.gatedAction, kind, bytes) = (uid, gatedAction, .moreTime, [])
        }

        init(_ key: KeptGrant.Key, _ yes: KeptGrant.Yes) {
            if yes.isMoreTime {
                self.init(moreTimeOf: key.uid, before: key.gatedAction)
            } else if let site = yes.site {
                self.init(key.uid, key.gatedAction, site)
            } else {
                self.init(key.uid, key.gatedAction, details: yes.details)
            }
        }
    }

    /// The ends of all grants. A grant that the policy keeps is nothing else, and there may be thousands.
    private var deadlines: [KeptGrant.Key: BootTime]
    /// The ends of all grants that end, among others that are out of date. The first one is always a grant's.
    private var ends: Heap<End>
    /// The grants that grown-ups gave to asks, and their keys by what they are for.
    private var answers: [KeptGrant.Key: KeptGrant.Yes] = [:]
    private var keysBySubject: [Subject: [KeptGrant.Key]] = [:]
    private var keysByAsk: [UInt64: KeptGrant.Key] = [:]
    /// When the first of these ends by the wall clock; `nil` if none does.
    package private(set) var nextEndOfYes: WallTime?

    package init(_ grants: [KeptGrant.Key: KeptGrant] = [:]) {
        deadlines = grants.mapValues(\.deadline)
        ends = Self.ends(of: deadlines)
        for (key, grant) in grants { answerChanged(key, to: grant.yes) }
    }

    private static func ends(of deadlines: [KeptGrant.Key: BootTime]) -> Heap<End> {
        Heap(deadlines.lazy.filter { $0.value < .never }.map { End(deadline: $0.value, key: $0.key) })
    }

    /// How many grants given by grown-ups fulfil a condition.
    func countAnswers(where isCounted: (KeptGrant.Key, KeptGrant.Yes) -> Bool) -> Int {
        answers.count(where: isCounted)
    }

    func hasSameAnswers(as other: KeptGrants) -> Bool { answers == other.answers }

    /// The grant that a grown-up gave to this ask; `nil` if there is none, or not any more.
    package func answer(to ask: UInt64) -> KeptGrant.Key? { keysByAsk[ask] }

    /// The grants that grown-ups gave to this user for exactly these words, or for their site. Grants that can be used
    /// any number of times come first, so that none is used up in vain; then those that were asked for earlier.
    package func answers(
        of uid: UInt32, to request: AuthorizationRequest
    ) -> [(key: KeptGrant.Key, yes: KeptGrant.Yes)] {
        guard !answers.isEmpty else { return [] }
        var keys = keysBySubject[Subject(uid, request.gatedAction, details: request.details)] ?? []
        if let site = WebOrigin(request.details) {
            keys += keysBySubject[Subject(uid, request.gatedAction, site)] ?? []
        }
        return keys.compactMap { key in answers[key].map { (key: key, yes: $0) } }
            .sorted { ($0.yes.isLasting ? 0 : 1, $0.key.ask ?? 0) < ($1.yes.isLasting ? 0 : 1, $1.key.ask ?? 0) }
    }

    /// The grants of more time that grown-ups gave to this user for a gated action.
    func moreTime(of uid: UInt32, before gatedAction: String) -> [(key: KeptGrant.Key, yes: KeptGrant.Yes)] {
        guard !answers.isEmpty, let keys = keysBySubject[Subject(moreTimeOf: uid, before: gatedAction)] else {
            return []
        }
        return keys.compactMap { key in answers[key].map { (key: key, yes: $0) } }
    }

    private mutating func answerChanged(_ key: KeptGrant.Key, to yes: KeptGrant.Yes?) {
        let before = answers[key]
        guard before != yes else { return }
        answers[key] = yes
        if let before {
            let subject = Subject(key, before)
            keysBySubject[subject]?.removeAll { $0 == key }
            if keysBySubject[subject]?.isEmpty ?? false { keysBySubject[subject] = nil }
        }
        if let yes { keysBySubject[Subject(key, yes), default: []].append(key) }
        if let ask = key.ask { keysByAsk[ask] = yes.map { _ in key } }
        if let before, before.until == nextEndOfYes {
            nextEndOfYes = answers.values.map(\.until).min().flatMap { $0 < .never ? $0 : nil }
        } else if let yes, yes.until < nextEndOfYes ?? .never {
            nextEndOfYes = yes.until
        }
    }

    package var nextEnd: BootTime? { ends.min?.deadline }

    package var count: Int { deadlines.count }
    package var isEmpty: Bool { deadlines.isEmpty }
    package var keys: Dictionary<KeptGrant.Key, BootTime>.Keys { deadlines.keys }

    package subscript(key: KeptGrant.Key) -> KeptGrant? {
        get { deadlines[key].map { KeptGrant(deadline: $0, yes: answers[key]) } }
        set {
            deadlines[key] = newValue?.deadline
            answerChanged(key, to: newValue?.yes)
            if let newValue, newValue.deadline < .never { ends.insert(End(deadline: newValue.deadline, key: key)) }
            while let first = ends.min, deadlines[first.key] != first.deadline { ends.removeMin() }
            // A grant that is renewed often leaves many old ends behind.
            if ends.count > 2 * deadlines.count + 16 { ends = Self.ends(of: deadlines) }
        }
    }
}

extension KeptGrants: Sequence {
    package func makeIterator() -> some IteratorProtocol<(key: KeptGrant.Key, value: KeptGrant)> {
        deadlines.lazy.map { (key: $0.key, value: KeptGrant(deadline: $0.value, yes: answers[$0.key])) }.makeIterator()
    }
}

extension KeptGrants: Hashable {
    package static func == (left: KeptGrants, right: KeptGrants) -> Bool {
        left.deadlines == right.deadlines && left.answers == right.answers
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(deadlines)
        hasher.combine(answers)
    }
}
