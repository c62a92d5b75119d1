import GateModel
import NIOCore

/// The turns on one thread that many want: users one after the other, each with the oldest work of its own; what
/// is urgent comes before all of them. Nothing in it knows what work is.
struct ThreadTurns<Work> {
    /// On whose bill work is.
    enum Payer: Hashable, Sendable {
        /// Few may ask for it, and many wait for what it does.
        case urgent
        case owner(Owner)

        init(_ peer: Peer) { self = .owner(peer.owner) }
    }

    private let waitingLimit: Int
    private let waitingPerUser: Int
    private var isWorking = false
    private var urgent = CircularBuffer<Work>()
    /// The work of users, each of whom has some.
    private var waiting: [Owner: CircularBuffer<Work>] = [:]
    private var order = CircularBuffer<Owner>()
    private var waitingOfUsers = 0
    /// The payer of the work that is being done.
    private var current: Payer?

    /// - Parameters:
    ///   - waiting: pieces of work that wait, of all users together.
    ///   - perUser: of those, one user's.
    init(waiting: Int, perUser: Int) {
        (waitingLimit, waitingPerUser) = (waiting, perUser)
    }

    /// Whether something of this payer's is being done, or waits.
    func isBusy(for payer: Payer) -> Bool {
        switch payer {
        case .urgent: current == payer || !urgent.isEmpty
        case .owner(let owner): current == payer || waiting[owner] != nil
        }
    }

    /// The next step for work that came just now.
    enum Submitted {
        /// Begin with it, and say `ended` when it is done.
        case begin(Work)
        /// It waits for its turn.
        case wait
        /// Too much waits: of all users, or of this one.
        case refuse
    }

    mutating func submitted(_ work: Work, for payer: Payer) -> Submitted {
        guard isWorking else {
            (isWorking, current) = (true, payer)
            return .begin(work)
        }
        switch payer {
        case .urgent:
            urgent.append(work)
        case .owner(let owner):
            guard waitingOfUsers < waitingLimit, waiting[owner]?.count ?? 0 < waitingPerUser else { return .refuse }
            waitingOfUsers += 1
            if waiting[owner] == nil { order.append(owner) }
            waiting[owner, default: CircularBuffer()].append(work)
        }
        return .wait
    }

    /// The work is done. Returns what to begin with now; nil: nothing waits.
    mutating func ended() -> Work? {
        guard isWorking else { preconditionFailure("work ended on a thread that had none") }
        if let work = urgent.popFirst() {
            current = .urgent
            return work
        }
        guard let owner = order.popFirst(), let work = waiting[owner]?.popFirst() else {
            (isWorking, current) = (false, nil)
            return nil
        }
        waitingOfUsers -= 1
        if waiting[owner]?.isEmpty ?? true { waiting[owner] = nil } else { order.append(owner) }
        current = .owner(owner)
        return work
    }
}

/// One thread for work that takes long, on which users take turns. Used on the event loop alone.
final class SharedThread {
    typealias Turns = ThreadTurns<() -> Void>

    /// The thread, to be ended by the owner of this, after `stop`.
    let thread: any BlockingThreads
    private let eventLoop: any EventLoop
    private var turns: Turns
    private var isStopped = false

    /// - Parameter thread: a single one.
    init(_ thread: any BlockingThreads, eventLoop: any EventLoop, turns: Turns) {
        (self.thread, self.eventLoop, self.turns) = (thread, eventLoop, turns)
    }

    func isBusy(for payer: Turns.Payer) -> Bool { turns.isBusy(for: payer) }

    /// Does the work there when it is this payer's turn, and then calls `then` on the event loop, before anything else is begun.
    /// False where too much waits; then nothing is done.
    /// - Parameters:
    ///   - work: called on the event loop when the turn has come: returns what is to be done there.
    ///   - again: whether what has come of it is no use any more. Then the work is begun once more, before anything else.
    func submit<Outcome: Sendable>(
        for payer: Turns.Payer, _ work: @escaping () -> @Sendable () -> Outcome,
        again: @escaping (Outcome) -> Bool = { _ in false }, then: @escaping (Outcome) -> Void
    ) -> Bool {
        func begin() {
            thread.submit(on: eventLoop, work()) { [self] in
                guard isStopped || !again($0) else { return begin() }
                then($0)
                ended()
            }
        }
        guard !isStopped else { return false }
        switch turns.submitted(begin, for: payer) {
        case .begin(let begin): begin()
        case .wait: break
        case .refuse: return false
        }
        return true
    }

    /// As `submit`, before what users wait for. It is never refused.
    func urgently<Outcome: Sendable>(
        _ work: @escaping @Sendable () -> Outcome, then: @escaping (Outcome) -> Void
    ) {
        _ = submit(for: .urgent, { work }, then: then)
    }

    /// Nothing more is begun.
    func stop() {
        isStopped = true
    }

    private func ended() {
        if !isStopped, let begin = turns.ended() { begin() }
    }
}
