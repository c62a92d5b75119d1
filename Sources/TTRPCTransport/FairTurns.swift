import NIOCore

/// Users in turn. A user may have a thousand connections, and ask on all of them at once; whoever asks for one thing beside it
/// waits for a slice of that, and not for all. What is left of a user's slice waits for its next turn, and others are
/// read from in between. Who is alone hardly notices.
///
/// Confined to the server's event loop; that is why it can be `Sendable` unchecked.
final class FairTurns: @unchecked Sendable {
    /// How long one user's frames are handled in one go.
    static let slice = TimeAmount.microseconds(200)
    /// The same in steps: a read, or a frame.
    static let stepsPerSlice = 128
    /// The clock is looked at from this step on: not for a call alone, which is two.
    static let stepsBeforeClock = 4
    /// Connections that go on in a turn. Each reads anew after it, whatever that costs, before the clock is looked at.
    static let connectionsPerTurn = 8
    /// Until the next turn. An event loop handles whatever is due before it looks at its sockets again: so nothing may be due.
    static let pause = TimeAmount.microseconds(20)

    private let eventLoop: any EventLoop
    private var users: [UInt32: (turn: UserTurn, connections: Int)] = [:]
    /// Users with connections that wait for a turn.
    private var queue = CircularBuffer<UserTurn>()
    private var isScheduled = false
    /// Counts how often the event loop has gone through its sockets, or somebody's turn has come.
    fileprivate var pass: UInt64 = 1

    init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    func joined(_ uid: UInt32) -> UserTurn {
        let turn = users[uid]?.turn ?? UserTurn(turns: self)
        users[uid, default: (turn, 0)].connections += 1
        return turn
    }

    func left(_ uid: UInt32) {
        guard let user = users[uid] else { preconditionFailure("a connection left that never joined") }
        users[uid] = user.connections > 1 ? (user.turn, user.connections - 1) : nil
    }

    fileprivate var now: NIODeadline { eventLoop.now }

    fileprivate func wait(_ user: UserTurn) {
        queue.append(user)
        schedule()
    }

    private func schedule() {
        guard !isScheduled, !queue.isEmpty else { return }
        isScheduled = true
        eventLoop.scheduleTask(in: Self.pause) { self.nextTurn() }
    }

    /// One user's: however many there are, nobody waits for more than one of them.
    private func nextTurn() {
        isScheduled = false
        guard let user = queue.popFirst() else { return }
        pass += 1
        if user.goOn() { queue.append(user) }
        schedule()
    }
}

/// What all connections of one user have had of a pass, together.
final class UserTurn {
    /// A cycle only while the user has a connection: `left` ends it. A weaker reference costs each call 400 instructions.
    private let turns: FairTurns
    private var pass: UInt64 = 0
    private var steps = 0
    /// When the clock was looked at first.
    private var began = NIODeadline.uptimeNanoseconds(0)
    private var isOver = false
    private var waiting = CircularBuffer<TTRPCServerConnection>()
    /// In the queue of users, or just having its turn.
    private var isQueued = false

    fileprivate init(turns: FairTurns) {
        self.turns = turns
    }

    /// A connection has read. One that reads again tells that the event loop has gone through all of them.
    func readBegan(after lastPass: inout UInt64) {
        if lastPass == turns.pass { turns.pass += 1 }
        lastPass = turns.pass
    }

    /// Takes a step. False where this user has had its turn: then nothing more may be done for it, and `wait` comes next.
    func mayStep() -> Bool {
        if pass != turns.pass { begin() }
        steps += 1
        guard steps >= FairTurns.stepsBeforeClock, !isOver else { return !isOver }
        let now = turns.now
        if steps == FairTurns.stepsBeforeClock { began = now }
        isOver = steps > FairTurns.stepsPerSlice || now - began >= FairTurns.slice
        return !isOver
    }

    private func begin() {
        (pass, steps, isOver) = (turns.pass, 0, false)
    }

    /// This connection goes on when the user's next turn comes.
    func wait(_ connection: TTRPCServerConnection) {
        waiting.append(connection)
        guard !isQueued else { return }
        isQueued = true
        turns.wait(self)
    }

    /// Returns whether somebody still waits.
    fileprivate func goOn() -> Bool {
        begin()
        for _ in 0..<FairTurns.connectionsPerTurn {
            guard !isOver, let connection = waiting.popFirst() else { break }
            connection.turnCame()
        }
        isQueued = !waiting.isEmpty
        return isQueued
    }
}
