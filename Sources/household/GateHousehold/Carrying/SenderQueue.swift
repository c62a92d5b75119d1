import GateModel

/// Signed messages that wait for gated, in the order in which they came. If there are too many, the sender with the
/// most loses its oldest, so that a sender with few messages loses none to one that floods the queue. If a sender has
/// too many, or all together have too many bytes, a message takes the place of its sender's oldest. If that sender has
/// none waiting, the sender with the most loses its oldest.
struct SenderQueue: Hashable, Sendable {
    struct Element: Hashable, Sendable {
        var sender: HouseholdID
        var signed: [UInt8]
        var expires: BootTime
    }

    let limit: Int
    /// Those from `start` on wait; those before it were taken.
    private var elements: [Element] = []
    private var start = 0
    private var byteCount = 0
    private var countsBySender: [HouseholdID: Int] = [:]
    /// No waiting message expires before this.
    private var nextExpiry = BootTime.never
    /// The message that gated was given. It no longer counts as waiting.
    private(set) var underWay: Element?

    init(limit: Int) {
        self.limit = limit
    }

    var waiting: ArraySlice<Element> { elements[start...] }

    var isEmpty: Bool { start == elements.count }

    /// - Returns: how many messages were dropped to make room.
    mutating func append(_ element: Element) -> Int {
        var dropCount = 0
        while let index = indexToDrop(for: element) {
            forget(elements.remove(at: index))
            dropCount += 1
        }
        elements.append(element)
        byteCount += element.signed.count
        countsBySender[element.sender, default: 0] += 1
        nextExpiry = min(nextExpiry, element.expires)
        return dropCount
    }

    /// The message to drop; `nil` if there is room.
    private func indexToDrop(for element: Element) -> Int? {
        let own = countsBySender[element.sender, default: 0]
        let isOverBytes = byteCount + element.signed.count > HouseholdLimits.waitingBytes
        let isOverOwn = own >= HouseholdLimits.waitingOfSender
        guard !isEmpty, waiting.count >= limit || isOverBytes || isOverOwn else { return nil }
        let most = countsBySender.values.max()
        // The sender with the most messages may have the fewest bytes.
        if own > 0, own == most || isOverBytes || isOverOwn {
            return waiting.firstIndex { $0.sender == element.sender }
        }
        return waiting.firstIndex { countsBySender[$0.sender] == most }
    }

    /// Takes the oldest message, which is then under way; `nil` if none waits, or one is under way.
    mutating func takeFirst() -> Element? {
        guard underWay == nil, !isEmpty else { return nil }
        let first = elements[start]
        forget(first)
        start += 1
        // Taken messages are removed only now and then, so that taking one takes constant time on average.
        if start == elements.count || start > limit {
            elements.removeFirst(start)
            start = 0
        }
        underWay = first
        return first
    }

    mutating func removeUnderWay() -> Element? {
        defer { underWay = nil }
        return underWay
    }

    /// gated has not got the message under way, so it is the next one again.
    mutating func returnUnderWay() {
        guard let element = removeUnderWay() else { return }
        elements.insert(element, at: start)
        byteCount += element.signed.count
        countsBySender[element.sender, default: 0] += 1
        nextExpiry = min(nextExpiry, element.expires)
    }

    /// - Returns: how many had expired.
    mutating func removeExpired(at now: BootTime) -> Int {
        guard nextExpiry <= now else { return 0 }
        let before = waiting
        self = SenderQueue(limit: limit, waiting: before.filter { $0.expires > now }, underWay: underWay)
        return before.count - waiting.count
    }

    private init(limit: Int, waiting: [Element], underWay: Element?) {
        self.limit = limit
        self.underWay = underWay
        elements = waiting
        for element in waiting {
            byteCount += element.signed.count
            countsBySender[element.sender, default: 0] += 1
            nextExpiry = min(nextExpiry, element.expires)
        }
    }

    private mutating func forget(_ element: Element) {
        byteCount -= element.signed.count
        let count = countsBySender[element.sender, default: 0]
        countsBySender[element.sender] = count > 1 ? count - 1 : nil
    }
}
