import GateModel

/// The order in which receipts are verified. It limits how many are verified at a time, how many wait, and how many of
/// both belong to one user, so that no provider keeps others out. It does not read the receipts.
struct VerificationQueue<Element> {
    private let atOnce: Int
    private let waitingLimit: Int
    private let perUser: Int
    private var running = 0
    private var waiting: [(element: Element, owner: Owner)] = []
    /// How many elements of each user run or wait.
    private var countOfUser: [Owner: Int] = [:]

    init(_ limits: DaemonLimits) {
        atOnce = limits.verificationsAtOnce
        waitingLimit = limits.verificationsWaiting
        perUser = limits.verificationsPerUser
    }

    var isIdle: Bool { running == 0 && waiting.isEmpty }

    enum Submitted {
        /// Begin with it, and call `ended` when it is done.
        case begin(Element)
        case wait
        /// There are too many, of all or of this user.
        case refuse(Element)
    }

    /// - Parameter peer: the peer that is billed. For an administrator, only the limit of all counts.
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

    /// An element of this owner is done. Returns the oldest one that waits, to begin with now; `nil` if none waits.
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
