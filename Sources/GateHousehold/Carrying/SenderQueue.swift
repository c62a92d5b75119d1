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

    private(set) var elements: [Element] = []
    /// The one that gated was given. It is not among the others.
    private(set) var underWay: Element?

    var isEmpty: Bool { elements.isEmpty }

    /// - Returns: whether another one had to go for it.
    mutating func append(_ element: Element) -> Bool {
        var isFull = false
        if elements.count >= HouseholdLimits.waiting, let index = indexToDrop(for: element.sender) {
            elements.remove(at: index)
            isFull = true
        }
        elements.append(element)
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
        guard underWay == nil, !elements.isEmpty else { return nil }
        underWay = elements.removeFirst()
        return underWay
    }

    /// gated has it, or does not want it.
    mutating func removeUnderWay() -> Element? {
        defer { underWay = nil }
        return underWay
    }

    /// gated has not got it: it is the next one again.
    mutating func returnUnderWay() {
        if let element = removeUnderWay() { elements.insert(element, at: 0) }
    }

    /// - Returns: how many there were whose time is over.
    mutating func removeExpired(at now: BootTime) -> Int {
        let before = elements.count
        elements.removeAll { $0.expires <= now }
        return before - elements.count
    }
}
