import GateModel
import NIOCore

/// The order of work on one thread: first what is urgent, then users in turn, each with their oldest work.
struct ThreadTurns<Work> {
    enum Payer: Hashable, Sendable {
        /// Work that few may ask for and that many wait for.
        case urgent
        case owner(Owner)

        init(_ peer: Peer) { self = .owner(peer.owner) }
    }

    private let waitingLimit: Int
    private let waitingPerUser: Int
    private var isWorking = false
    private var urgent = CircularBuffer<Work>()
    /// Waiting work by user. Users without any are not in it.
    private var waiting: [Owner: CircularBuffer<Work>] = [:]
    private var order = CircularBuffer<Owner>()
    private var waitingOfUsers = 0
    /// The payer of the work that is being done; `nil` if none is.
    private var current: Payer?

    init(waiting: Int, perUser: Int) {
        (waitingLimit, waitingPerUser) = (waiting, perUser)
    }

    /// Whether work of this payer is being done or waits.
    func isBusy(for payer: Payer) -> Bool {
        switch payer {
        case .urgent: current == payer || !urgent.isEmpty
        case .owner(let owner): current == payer || waiting[owner] != nil
        }
    }

    enum Submitted {
        /// Begin with it, and call `ended` when it is done.
        case begin(Work)
        case wait
        /// Too much work waits, of all users or of this one.
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

    /// The work is done. Returns the work to begin with now; `nil` if none waits.
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

/// One thread for long work, on which users take turns. Used only on the event loop.
final class SharedThread {
    typealias Turns = ThreadTurns<() -> Void>

    /// The owner of this ends the thread, after `stop`.
    let thread: any BlockingThreads
    private let eventLoop: any EventLoop
    private var turns: Turns
    private var isStopped = false

    /// - Parameter thread: a single thread.
    init(_ thread: any BlockingThreads, eventLoop: any EventLoop, turns: Turns) {
        (self.thread, self.eventLoop, self.turns) = (thread, eventLoop, turns)
    }

    func isBusy(for payer: Turns.Payer) -> Bool { turns.isBusy(for: payer) }

    /// Does the work on the thread when it is this payer's turn, then calls `then` on the event loop, before other work
    /// is begun. Returns false and does nothing if too much work waits. `work` is called on the event loop in its turn,
    /// and returns what to do on the thread. If `again` says that the result is outdated, that is repeated at once.
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

    /// Like `submit`, but before the work of users, and never refused.
    func urgently<Outcome: Sendable>(
        _ work: @escaping @Sendable () -> Outcome, then: @escaping (Outcome) -> Void
    ) {
        _ = submit(for: .urgent, { work }, then: then)
    }

    func stop() {
        isStopped = true
    }

    private func ended() {
        if !isStopped, let begin = turns.ended() { begin() }
    }
}
