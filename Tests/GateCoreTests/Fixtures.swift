import GateModel
import GateScripting

@testable import GateCore

extension BootTime {
    /// So many seconds after the boot.
    static func seconds(_ seconds: Int64) -> BootTime {
        BootTime(nanoseconds: seconds * 1_000_000_000)
    }
}

extension Peer {
    static let anna = Peer(connection: 1, uid: 1001, pid: 101, roles: .app)
    static let ben = Peer(connection: 2, uid: 1002, pid: 102, roles: .app)
    /// Another program of Anna's.
    static let annasOther = Peer(connection: 3, uid: 1001, pid: 103, roles: .app)
    static let root = Peer(connection: 4, uid: 0, pid: 104, roles: [.app, .administrator])
    static let daemon = Peer(connection: 0, uid: 990, pid: 1, roles: [.app, .administrator])
}

/// A device in memory: the core, a clock to turn, and a store that is built from transitions alone.
struct Device {
    var state: GateState
    var stored: DurableRecords
    var journal: [AuditEntry] = []
    var now = BootTime.seconds(1000)
    var random = SeededGenerator(seed: 1)

    init(
        _ stored: DurableRecords = DurableRecords(revision: Revision(epoch: 1, number: 0)),
        configuration: Configuration = .builtIn
    ) {
        self.stored = stored
        state = GateState(restoring: stored, configuration: configuration)
    }

    @discardableResult
    mutating func apply(_ command: Command, as peer: Peer) throws(GateError) -> Transition {
        var context = Context(now: now, wallTime: WallTime(unixMilliseconds: 5), peer: peer, random: random)
        let transition = try state.apply(command, &context)
        random = context.random as? SeededGenerator ?? random
        stored.apply(transition)
        journal += transition.audit
        return transition
    }

    mutating func turn(by duration: Duration) throws {
        now = now.advanced(by: duration)
        try apply(.deadlineReached, as: .daemon)
    }

    /// Opens the challenge for parent mode.
    mutating func ask(as peer: Peer) throws -> Presentation {
        try apply(.toggle(presentsItself: true), as: peer).presentation()
    }

    /// Opens the challenge for a longer lease.
    mutating func askForMore(_ duration: Duration? = nil, as peer: Peer) throws -> Presentation {
        try apply(.extend(duration, presentsItself: true), as: peer).presentation()
    }

    mutating func answerRight(_ presentation: Presentation, as peer: Peer) throws {
        try apply(.complete(presentation.cookie, answer: presentation.challenge.solution), as: peer)
    }

    @discardableResult
    mutating func answerWrong(_ presentation: Presentation, as peer: Peer) throws -> Transition {
        try apply(.complete(presentation.cookie, answer: "0"), as: peer)
    }

    mutating func enterParentMode(as peer: Peer) throws {
        try answerRight(ask(as: peer), as: peer)
    }

    /// Wrong answers until the user is locked out; returns for how long.
    mutating func lockOut(_ peer: Peer) throws -> Duration? {
        for _ in 0..<100 {
            if case .refused(let error) = try answerWrong(ask(as: peer), as: peer).reply, error.retryAfter != nil {
                return error.retryAfter
            }
        }
        return nil
    }

    var mode: Mode { state.modeState.mode }

    /// What the journal says from this entry on.
    func kinds(from index: Int = 0) -> [AuditEntry.Kind] {
        journal[index...].map(\.kind)
    }

    func lockout(of peer: Peer) -> Lockout? {
        state.records.lockouts[.mode(of: peer)]
    }
}

/// A reply that is not the one that a test is about.
struct UnexpectedReply: Error {
    let reply: Reply
}

extension Transition {
    func presentation() throws -> Presentation {
        guard case .presentation(let presentation) = reply else { throw UnexpectedReply(reply: reply) }
        return presentation
    }
}

extension Challenge {
    /// As a grown-up would answer it: computed here, from what is shown.
    var solution: String { "\(problem.solved)" }

    var problem: ArithmeticProblem {
        switch self {
        case .arithmeticChoice(let problem, _), .arithmeticEntry(let problem): problem
        }
    }
}

extension ArithmeticProblem {
    var solved: Int {
        switch `operator` {
        case .plus: left + right
        case .minus: left - right
        case .times: left * right
        case .dividedBy: left / right
        }
    }
}
