import NIOCore

/// Shares the event loop among users, so that a user who sends requests on a thousand connections can't keep others
/// waiting for all of them. In each turn a user gets one slice of time. Then others are served, while the rest of its
/// frames waits for its next turn. What was not read yet waits in the kernel. A user who is alone hardly notices.
///
/// A frame is always handled to its end. Time beyond the slice becomes the user's debt. Each turn that the user waits
/// while others are served pays off one slice, or the time that has passed, whichever is more. If nobody else was
/// served meanwhile, the debt is dropped.
///
/// Used only on the server's event loop, so it can be `Sendable` unchecked.
final class FairScheduler: @unchecked Sendable {
    /// The most time for which the frames of a user are handled in one turn. The reads are not counted.
    static let slice = TimeAmount.microseconds(200)
    /// The most steps in a slice. A step is a read or a frame.
    static let stepsPerSlice = 128
    /// The most connections of a user that continue in one turn. Switching between connections costs time too.
    static let connectionsPerTurn = 8

    private let work: PacedWork
    private var users: [BillingAccount: (turn: UserTurn, connections: Int)] = [:]
    /// Users with connections that wait for a turn, the first of them next.
    private var queue = CircularBuffer<UserTurn>()
    private var isScheduled = false
    /// Counts passes. One begins when the event loop has looked at its sockets, or when a waiting user gets its turn.
    fileprivate var pass: UInt64 = 1
    /// Counts how often any user was served.
    fileprivate var served: UInt64 = 0

    init(_ work: PacedWork) {
        self.work = work
    }

    func joined(_ user: BillingAccount) -> UserTurn {
        let turn = users[user]?.turn ?? UserTurn(turns: self)
        users[user, default: (turn, 0)].connections += 1
        return turn
    }

    func left(_ user: BillingAccount) {
        guard let known = users[user] else { preconditionFailure("a connection left that never joined") }
        users[user] = known.connections > 1 ? (known.turn, known.connections - 1) : nil
    }

    fileprivate var now: NIODeadline { work.eventLoop.now }

    fileprivate func wait(_ user: UserTurn) {
        queue.append(user)
        schedule()
    }

    private func schedule() {
        guard !isScheduled, !queue.isEmpty else { return }
        isScheduled = true
        work.later { self.nextTurn() }
    }

    /// Gives one user its turn. The event loop looks at its sockets before the next.
    private func nextTurn() {
        isScheduled = false
        guard let user = queue.popFirst() else { return }
        pass += 1
        if user.goOn() { queue.append(user) }
        schedule()
    }
}

/// A user's part of a pass, shared by all its connections.
final class UserTurn {
    /// A reference cycle until `FairScheduler.left` breaks it. A weak reference would cost 400 instructions a call.
    private let turns: FairScheduler
    private var pass: UInt64 = 0
    /// The value of `turns.served` when this user last began a pass.
    private var served: UInt64 = 0
    private var steps = 0
    /// When this user's pass began, moved forward by the time of others since; and when the clock was last read.
    private var began = NIODeadline.uptimeNanoseconds(0)
    private var seen = NIODeadline.uptimeNanoseconds(0)
    /// Time used beyond the slice, not paid off yet.
    private var debt = TimeAmount.nanoseconds(0)
    private var isOver = false
    private var waiting = CircularBuffer<TTRPCServerConnection>()
    /// Whether it is in the queue of users, or having its turn.
    private var isQueued = false

    fileprivate init(turns: FairScheduler) {
        self.turns = turns
    }

    /// Call this before a connection reads, and pass the returned pass with its next read. If it has already read in
    /// this pass, the event loop has looked at all its sockets since, so a new pass begins.
    func readBegan(after lastPass: UInt64) -> UInt64 {
        if lastPass == turns.pass { turns.pass += 1 }
        return turns.pass
    }

    /// Whether a connection of this user may read. The read is not billed, since other processes may run during it.
    func mayRead() -> Bool {
        pass == turns.pass ? !isOver : debt == .zero || begin()
    }

    /// Continues, perhaps with another connection, without billing the time since the last step, which went to others.
    func resumed() {
        guard pass == turns.pass, !isOver else { return }
        let now = turns.now
        began = began + (now - seen)
        seen = now
    }

    /// Takes a step. Returns false if the user's turn is over: then stop, and call `wait`.
    func mayStep() -> Bool {
        guard pass == turns.pass else { return begin() }
        guard !isOver else { return false }
        steps += 1
        look()
        return !isOver
    }

    /// Bills the time of the last step. Called before the next step, and after the last.
    func look() {
        seen = turns.now
        guard steps > FairScheduler.stepsPerSlice || seen - began >= FairScheduler.slice else { return }
        isOver = true
        debt = max(.zero, seen - began - FairScheduler.slice)
    }

    /// Takes the first step of a pass. Returns false if the user still has a debt.
    private func begin() -> Bool {
        let now = turns.now
        if debt > .zero { debt = served == turns.served ? .zero : debt - max(FairScheduler.slice, now - seen) }
        (pass, steps, began, seen, isOver) = (turns.pass, 1, now, now, debt > .zero)
        if !isOver { turns.served += 1 }
        served = turns.served
        return !isOver
    }

    func wait(_ connection: TTRPCServerConnection) {
        waiting.append(connection)
        guard !isQueued else { return }
        isQueued = true
        turns.wait(self)
    }

    /// Lets waiting connections continue. Returns whether any still wait.
    fileprivate func goOn() -> Bool {
        guard begin() else { return true }
        var connections = 0
        repeat {
            waiting.popFirst()?.turnCame()
            connections += 1
        } while connections < FairScheduler.connectionsPerTurn && !waiting.isEmpty && mayStep()
        isQueued = !waiting.isEmpty
        return isQueued
    }
}

/// A connection's part in its user's turns. When a `may…` function returns false, the connection is queued.
final class ConnectionTurn {
    private let user: UserTurn
    private var lastPass: UInt64 = 0
    /// Whether it waits for its user's next turn. Until then nothing is read or handled.
    private(set) var isAwaited = false

    init(of user: UserTurn) {
        self.user = user
    }

    func mayRead(_ connection: TTRPCServerConnection) -> Bool {
        lastPass = user.readBegan(after: lastPass)
        return goesOn(user.mayRead(), connection)
    }

    /// Takes a step after others may have used the event loop.
    func mayGoOn(_ connection: TTRPCServerConnection) -> Bool {
        user.resumed()
        return mayStep(connection)
    }

    /// Takes a step right after another one.
    func mayStep(_ connection: TTRPCServerConnection) -> Bool {
        goesOn(user.mayStep(), connection)
    }

    private func goesOn(_ goesOn: Bool, _ connection: TTRPCServerConnection) -> Bool {
        isAwaited = !goesOn
        if isAwaited { user.wait(connection) }
        return goesOn
    }

    func came() { isAwaited = false }

    func look() { user.look() }
}
