import NIOCore

/// Users in turn. A user may have a thousand connections, and ask on all of them at once; whoever asks for one thing beside it
/// waits for a slice of that, and not for all. What is left of a user's slice waits for its next turn, and others are
/// read from in between. Who is alone hardly notices.
///
/// A frame is handled in one go, however long that takes. What it took beyond the slice its user owes to the others: a slice of it
/// is paid with each turn in which others are served and it is not, all of it by as much time, and by nobody else asking.
///
/// Confined to the server's event loop; that is why it can be `Sendable` unchecked.
final class FairTurns: @unchecked Sendable {
    /// How long one user's frames are handled in one go.
    static let slice = TimeAmount.microseconds(200)
    /// The same in steps: a read, or a frame.
    static let stepsPerSlice = 128
    /// Connections that go on in a turn. Each reads anew after it, whatever that costs, before the clock is looked at.
    static let connectionsPerTurn = 8

    private let work: PacedWork
    private var users: [BillingAccount: (turn: UserTurn, connections: Int)] = [:]
    /// Users with connections that wait for a turn.
    private var queue = CircularBuffer<UserTurn>()
    private var isScheduled = false
    /// Counts how often the event loop has gone through its sockets, or somebody's turn has come.
    fileprivate var pass: UInt64 = 1
    /// Counts the passes of all users in which they were served.
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
    /// How many were served when this user's last pass began.
    private var served: UInt64 = 0
    private var steps = 0
    /// When this pass began for this user, but for what went to others meanwhile, and when the clock was looked at last.
    private var began = NIODeadline.uptimeNanoseconds(0)
    private var seen = NIODeadline.uptimeNanoseconds(0)
    /// What it has had beyond its slices.
    private var debt = TimeAmount.nanoseconds(0)
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

    /// Its steps go on, maybe with another connection. What the event loop did since the last one was not for this user.
    func resumed() {
        guard pass == turns.pass, !isOver else { return }
        let now = turns.now
        began = began + (now - seen)
        seen = now
    }

    /// Takes a step. False where this user has had its turn: then nothing more may be done for it, and `wait` comes next.
    func mayStep() -> Bool {
        guard pass == turns.pass else { return begin() }
        guard !isOver else { return false }
        steps += 1
        look()
        return !isOver
    }

    /// Bills what the last step took. Called with the next one, and where there is none.
    func look() {
        seen = turns.now
        guard steps > FairTurns.stepsPerSlice || seen - began >= FairTurns.slice else { return }
        isOver = true
        debt = max(.zero, seen - began - FairTurns.slice)
    }

    /// The first step of a pass. Whoever still owes something does not have it.
    private func begin() -> Bool {
        let now = turns.now
        if debt > .zero { debt = served == turns.served ? .zero : debt - max(FairTurns.slice, now - seen) }
        (pass, steps, began, seen, isOver) = (turns.pass, 1, now, now, debt > .zero)
        if !isOver { turns.served += 1 }
        served = turns.served
        return !isOver
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
        guard begin() else { return true }
        for _ in 0..<FairTurns.connectionsPerTurn {
            guard !isOver, let connection = waiting.popFirst() else { break }
            connection.turnCame()
        }
        isQueued = !waiting.isEmpty
        return isQueued
    }
}
