/// The order in which receipts are verified: so many at a time, so many that wait. Nothing in it knows what an element is.
struct VerificationQueue<Element> {
    private let atOnce: Int
    private let waitingLimit: Int
    private var running = 0
    private var waiting: [Element] = []

    init(atOnce: Int, waiting: Int) {
        self.atOnce = atOnce
        waitingLimit = waiting
    }

    /// Whether nothing runs and nothing waits.
    var isIdle: Bool { running == 0 && waiting.isEmpty }

    /// What to do with an element that came just now.
    enum Submitted {
        /// Begin with it, and say `ended` when it is done.
        case begin(Element)
        /// It waits for one that ends.
        case wait
        /// There are too many.
        case refuse(Element)
    }

    mutating func submitted(_ element: Element) -> Submitted {
        if running < atOnce {
            running += 1
            return .begin(element)
        }
        guard waiting.count < waitingLimit else { return .refuse(element) }
        waiting.append(element)
        return .wait
    }

    /// One is done. The one to begin with in its place, the oldest that waits; nil: none does.
    mutating func ended() -> Element? {
        guard running > 0 else { preconditionFailure("a verification ended that was never begun") }
        guard waiting.isEmpty else { return waiting.removeFirst() }
        running -= 1
        return nil
    }
}
