import NIOCore

/// Gives users turns on the event loop. A user may have a thousand connections, and send requests on all of them at once;
/// another user with a single request then waits for one slice of that work, and not for all of it. Frames that don't fit into
/// a user's slice wait for its next turn, and so do bytes that were not read yet, in the kernel; others are read from in between. A
/// user who is alone hardly notices.
///
/// A frame is handled in one go, however long that takes. The time beyond the slice is its user's debt. Each turn that the user
/// waits while others are served pays a slice of it, or the time that has passed since, if that is longer. If nobody else was
/// served meanwhile, all of it is forgiven.
///
/// Confined to the server's event loop, so it can be `Sendable` unchecked.
final class FairScheduler: @unchecked Sendable {
    /// How long one user is read from, and its frames are handled, in one go.
    static let slice = TimeAmount.microseconds(200)
    /// The same limit, counted in steps. A step is a read or a frame.
    static let stepsPerSlice = 128
    /// Connections of one user that continue in one turn, at most: each costs some time around its steps, too.
    static let connectionsPerTurn = 8

    private let work: PacedWork
    private var users: [BillingAccount: (turn: UserTurn, connections: Int)] = [:]
    /// Users with connections that wait for a turn.
    private var queue = CircularBuffer<UserTurn>()
    private var isScheduled = false
    /// The number of passes so far. A pass begins when the event loop has gone through its sockets, or a user's turn has come.
    fileprivate var pass: UInt64 = 1
    /// The number of times that any user was served in a pass.
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

    /// Gives the next user its turn: only one, so that the event loop looks at its sockets between two turns.
    private func nextTurn() {
        isScheduled = false
        guard let user = queue.popFirst() else { return }
        pass += 1
        if user.goOn() { queue.append(user) }
        schedule()
    }
}

/// The part of a pass that all connections of one user have used together.
final class UserTurn {
    /// A reference cycle only while the user has a connection: `left` breaks it. A weak reference would cost each call 400
    /// instructions.
    private let turns: FairScheduler
    private var pass: UInt64 = 0
    /// The value of `turns.served` when this user's last pass began.
    private var served: UInt64 = 0
    private var steps = 0
    /// When this pass began for this user, moved on by the time that others had meanwhile; and when the clock was looked at
    /// last.
    private var began = NIODeadline.uptimeNanoseconds(0)
    private var seen = NIODeadline.uptimeNanoseconds(0)
    /// The time that it has used beyond its slices.
    private var debt = TimeAmount.nanoseconds(0)
    private var isOver = false
    private var waiting = CircularBuffer<TTRPCServerConnection>()
    /// In the queue of users, or in the middle of its turn.
    private var isQueued = false

    fileprivate init(turns: FairScheduler) {
        self.turns = turns
    }

    /// A connection has read. If it has read in this pass before, the event loop has gone through all sockets since, and a new
    /// pass begins.
    /// - Returns: the pass of this read, for the connection's next one.
    func readBegan(after lastPass: UInt64) -> UInt64 {
        if lastPass == turns.pass { turns.pass += 1 }
        return turns.pass
    }

    /// Whether one of its connections may read. What comes is the next step: the system call itself is not billed, since the kernel may
    /// let others run meanwhile.
    func mayRead() -> Bool {
        pass == turns.pass ? !isOver : debt == .zero || begin()
    }

    /// Its steps continue, maybe with another connection. The time since the last step was not for this user, and is not billed
    /// to it.
    func resumed() {
        guard pass == turns.pass, !isOver else { return }
        let now = turns.now
        began = began + (now - seen)
        seen = now
    }

    /// Takes a step. Returns false if this user's turn is over: then do nothing more for it, and call `wait`.
    func mayStep() -> Bool {
        guard pass == turns.pass else { return begin() }
        guard !isOver else { return false }
        steps += 1
        look()
        return !isOver
    }

    /// Bills the time of the last step. Called with the next step, and after the last one.
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

    /// Lets this connection continue when the user's next turn comes.
    func wait(_ connection: TTRPCServerConnection) {
        waiting.append(connection)
        guard !isQueued else { return }
        isQueued = true
        turns.wait(self)
    }

    /// Lets waiting connections continue. Returns whether some still wait.
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

/// One connection's share in its user's turns.
final class ConnectionTurn {
    private let user: UserTurn
    private var lastPass: UInt64 = 0
    /// It waits for its user's next turn: nothing is read, or handled, before that.
    private(set) var isAwaited = false

    init(of user: UserTurn) {
        self.user = user
    }

    /// Whether its user's turn lasts, and it may read. Where these return false, the connection waits for the next turn.
    func mayRead(_ connection: TTRPCServerConnection) -> Bool {
        lastPass = user.readBegan(after: lastPass)
        return goesOn(user.mayRead(), connection)
    }

    /// Takes a step after others may have had theirs.
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

    /// Bills the time of the last step.
    func look() { user.look() }
}
