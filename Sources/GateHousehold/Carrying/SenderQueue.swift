import GateModel

/// Signed messages that wait for gated, in the order in which they came. Where there are too many, a sender who sends many loses its
/// own, and nobody else's.
struct SenderQueue: Hashable, Sendable {
    struct Element: Hashable, Sendable {
        var sender: HouseholdID
        var signed: [UInt8]
        /// When it counts no longer.
        var expires: BootTime
    }

    /// The most that wait.
    let limit: Int
    /// Those before `first` are gone: to move all others up each time would take long where there are thousands.
    private var stored: [Element] = []
    private var first = 0
    /// Until then the time of none is over.
    private var nextExpiry = BootTime.never
    /// The one that gated was given. It is not among the others.
    private(set) var underWay: Element?

    init(limit: Int = HouseholdLimits.waiting) {
        self.limit = limit
    }

    /// Those that wait, the oldest first.
    var elements: ArraySlice<Element> { stored[first...] }
    var isEmpty: Bool { first == stored.count }

    /// - Returns: whether another one had to go for it.
    mutating func append(_ element: Element) -> Bool {
        var isFull = false
        if elements.count >= limit, let index = indexToDrop(for: element.sender) {
            stored.remove(at: index)
            isFull = true
        }
        stored.append(element)
        nextExpiry = min(nextExpiry, element.expires)
        return isFull
    }

    /// The oldest of that sender; of a sender who has none, the oldest of the one who has the most.
    private func indexToDrop(for sender: HouseholdID) -> Int? {
        if let own = elements.firstIndex(where: { $0.sender == sender }) { return own }
        let counts = elements.reduce(into: [HouseholdID: Int]()) { $0[$1.sender, default: 0] += 1 }
        let most = counts.values.max()
        return elements.firstIndex { counts[$0.sender] == most }
    }

    /// The oldest one, which is under way then.
    mutating func takeFirst() -> Element? {
        guard underWay == nil, !isEmpty else { return nil }
        underWay = stored[first]
        first += 1
        if first * 2 > stored.count {
            stored.removeFirst(first)
            first = 0
        }
        return underWay
    }

    /// gated has it, or does not want it.
    mutating func removeUnderWay() -> Element? {
        defer { underWay = nil }
        return underWay
    }

    /// gated has not got it: it is the next one again.
    mutating func returnUnderWay() {
        guard let element = removeUnderWay() else { return }
        stored.insert(element, at: first)
        nextExpiry = min(nextExpiry, element.expires)
    }

    /// - Returns: how many there were whose time is over.
    mutating func removeExpired(at now: BootTime) -> Int {
        guard nextExpiry <= now else { return 0 }
        let before = elements.count
        stored = elements.filter { now < $0.expires }
        first = 0
        nextExpiry = stored.map(\.expires).min() ?? .never
        return before - stored.count
    }
}
