import GateModel

/// The order in which receipts are verified: so many at a time, so many that wait, so many of one user's, so that no provider
/// keeps all others out. Nothing in it knows what an element is.
struct VerificationQueue<Element> {
    private let atOnce: Int
    private let waitingLimit: Int
    private let perUser: Int
    private var running = 0
    private var waiting: [(element: Element, owner: Owner)] = []
    /// The number of elements of each user, running or waiting.
    private var countOfUser: [Owner: Int] = [:]

    init(_ limits: DaemonLimits) {
        atOnce = limits.verificationsAtOnce
        waitingLimit = limits.verificationsWaiting
        perUser = limits.verificationsPerUser
    }

    /// Whether nothing runs and nothing waits.
    var isIdle: Bool { running == 0 && waiting.isEmpty }

    /// The next step for an element that came just now.
    enum Submitted {
        /// Begin with it, and say `ended` when it is done.
        case begin(Element)
        /// It waits for one that ends.
        case wait
        /// There are too many: of all, or of this user.
        case refuse(Element)
    }

    /// - Parameter peer: on whose bill it is. An administrator may have as many as there are.
    mutating func submitted(_ element: Element, by peer: Peer) -> Submitted {
        let ofUser = countOfUser[peer.owner, default: 0]
        let isRunning = running < atOnce
        guard peer.roles.contains(.administrator) || ofUser < perUser, isRunning || waiting.count < waitingLimit else {
            return .refuse(element)
        }
        countOfUser[peer.owner] = ofUser + 1
        guard isRunning else {
            waiting.append((element, peer.owner))
            return .wait
        }
        running += 1
        return .begin(element)
    }

    /// One of this user's is done. The one to begin with in its place, the oldest that waits; nil: none does.
    mutating func ended(for owner: Owner) -> Element? {
        guard running > 0, let ofUser = countOfUser[owner] else {
            preconditionFailure("a verification ended that was never begun")
        }
        countOfUser[owner] = ofUser > 1 ? ofUser - 1 : nil
        guard waiting.isEmpty else { return waiting.removeFirst().element }
        running -= 1
        return nil
    }
}
