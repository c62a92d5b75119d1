import Foundation
import GateCore
import GateModel
import GateScripting
import Testing

@testable import GateDaemon

/// Random people do random things while the store fails and the daemon crashes; whatever happens, the promises hold.
/// `GATE_SIMULATION_SEEDS=1..500` or `=17,23` chooses other seeds, `GATE_SIMULATION_STEPS` other lengths.
@Suite("Simulation with faults")
struct SimulationTests {
    private static let environment = ProcessInfo.processInfo.environment

    static var seeds: [UInt64] {
        let text = environment["GATE_SIMULATION_SEEDS"] ?? "1..60"
        if let range = text.range(of: "..") {
            guard let first = UInt64(text[..<range.lowerBound]), let last = UInt64(text[range.upperBound...]),
                first <= last
            else { return [] }
            return Array(first...last)
        }
        return text.split(separator: ",").compactMap { UInt64($0) }
    }

    private static var steps: Int { environment["GATE_SIMULATION_STEPS"].flatMap { Int($0) } ?? 400 }

    @Test("whatever is told stays true, and nobody gets in without an answer", arguments: seeds)
    func promises(seed: UInt64) throws {
        var simulation = Simulation(seed: seed)
        for _ in 0..<Self.steps { try simulation.step() }
    }

    @Test("there are seeds to try")
    func thereAreSeeds() {
        #expect(!Self.seeds.isEmpty)
    }
}

/// One run: the authority, its peers, and what has been checked so far.
private struct Simulation {
    private static let users: [UInt32] = [1001, 1001, 1002, 1003, 0]

    private var authority: SimulatedAuthority
    private var random: SeededGenerator
    private var peers: [Peer] = []
    private var lastConnection: UInt64 = 0
    /// The question each connection was shown, while it may still be open.
    private var questions: [UInt64: Presentation] = [:]
    private var checked = 0
    private var confirmedJournal: [AuditEntry] = []
    private var lastNumber: UInt64 = 0

    init(seed: UInt64) {
        authority = SimulatedAuthority(seed: seed)
        random = SeededGenerator(seed: seed ^ 0x5eed)
        for uid in Self.users { connect(uid) }
    }

    private mutating func connect(_ uid: UInt32) {
        lastConnection += 1
        let roles: Roles = uid == 0 ? [.app, .administrator] : .app
        peers.append(Peer(connection: lastConnection, uid: uid, pid: Int32(lastConnection), roles: roles))
    }

    mutating func step() throws {
        let locksBefore = locks()
        let toldBefore = checked
        var elapsed = Duration.zero
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<60: authority.submit(command(), as: actor)
        case 60..<80: authority.endCommit(succeeds: true)
        case 80..<84: authority.endCommit(succeeds: false)
        case 84..<94:
            elapsed = .seconds(Int64.random(in: 1...300, using: &random))
            authority.advance(by: elapsed)
        case 94..<97: hangUp()
        default: authority.crash(hitsDisk: Bool.random(using: &random), reboots: Bool.random(using: &random))
        }
        try checkTold()
        try checkLocks(before: locksBefore, elapsed: elapsed, told: Array(authority.told[toldBefore...]))
        try checkDisk()
    }

    // MARK: What they do

    private var actor: Peer = Peer(connection: 0, uid: 0, pid: 0, roles: [])

    private mutating func command() -> Command {
        actor = peers.randomElement(using: &random)!
        if let question = questions[actor.connection], Bool.random(using: &random) {
            let answer =
                Int.random(in: 0..<3, using: &random) == 0 ? rightAnswer(question.challenge) : wrongAnswer(question)
            return Bool.random(using: &random) || Bool.random(using: &random)
                ? .complete(question.cookie, answer: answer) : .dismiss(question.cookie)
        }
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<6: return .toggle(presentsItself: Int.random(in: 0..<8, using: &random) > 0)
        case 6: return .cancel
        case 7: return .lock
        case 8: return .extend(.seconds(Int64.random(in: -1...600, using: &random)), presentsItself: true)
        case 9: return .override(Mode.allCases.randomElement(using: &random)!, nil, reason: "simulated")
        case 10:
            // A stolen cookie.
            let stolen = questions.values.sorted { $0.id < $1.id }.first?.cookie
            return .complete(stolen ?? Cookie(bytes: []), answer: "12")
        default: return .dismiss(Cookie(bytes: [UInt8](repeating: 0, count: Cookie.byteCount)))
        }
    }

    private mutating func hangUp() {
        let index = peers.indices.randomElement(using: &random)!
        authority.submit(.peerDisconnected, as: peers[index])
        let uid = peers.remove(at: index).uid
        connect(uid)
    }

    private func problem(_ challenge: Challenge) -> ArithmeticProblem {
        switch challenge {
        case .arithmeticChoice(let problem, _), .arithmeticEntry(let problem): problem
        }
    }

    private func rightAnswer(_ challenge: Challenge) -> String {
        let problem = problem(challenge)
        return switch problem.operator {
        case .plus: "\(problem.left + problem.right)"
        case .minus: "\(problem.left - problem.right)"
        case .times: "\(problem.left * problem.right)"
        case .dividedBy: "\(problem.left / problem.right)"
        }
    }

    private func wrongAnswer(_ presentation: Presentation) -> String {
        "\(rightAnswer(presentation.challenge))0"
    }

    // MARK: What must hold

    private mutating func checkTold() throws {
        for told in authority.told[checked...] {
            guard case .success(let transition) = told.outcome else {
                try #require(told.before == told.after, "a failure changed something")
                continue
            }
            if transition.isChange {
                try #require(transition.revision.number > lastNumber, "revisions grow")
                lastNumber = transition.revision.number
                confirmedJournal += transition.audit
            }
            if case .presentation(let presentation) = transition.reply {
                questions[told.peer.connection] = presentation
            }
            try checkEntry(told, transition)
        }
        checked = authority.told.count
    }

    /// Into parent mode only by a right answer or an administrator.
    private func checkEntry(_ told: SimulatedAuthority.Told, _ transition: Transition) throws {
        guard told.after.modeState.mode == .parent, told.before.modeState.mode != .parent else { return }
        let kinds = Set(transition.audit.map(\.kind))
        let isAnswered = kinds.contains(.answeredRight) && kinds.contains(.parentEntered)
        let isOverridden = kinds.contains(.overridden) && told.peer.roles.contains(.administrator)
        try #require(isAnswered || isOverridden, "parent mode began by \(kinds)")
    }

    private func locks() -> [Lockout.Key: Duration] {
        let now = authority.now
        return authority.durable.records.lockouts.compactMapValues { lockout in
            lockout.lockedUntil.flatMap { $0 > now ? now.duration(to: $0) : nil }
        }
    }

    /// A wait ends by waiting, or by a right answer that was under way; crashes, reboots and failures don't shorten it.
    private func checkLocks(before: [Lockout.Key: Duration], elapsed: Duration, told: [SimulatedAuthority.Told]) throws
    {
        let after = locks()
        let forgiven = Set(
            told.flatMap { told -> [UInt32] in
                guard case .success(let transition) = told.outcome else { return [] }
                return transition.audit.filter { $0.kind == .answeredRight }.compactMap { $0.actor?.uid }
            })
        for (key, remaining) in before where !forgiven.contains(key.uid) {
            let left = after[key] ?? .zero
            try #require(left >= remaining - elapsed, "a lock of \(remaining) became \(left) in \(elapsed)")
        }
        for told in told {
            guard case .success(let transition) = told.outcome, case .presentation = transition.reply,
                transition.isChange
            else { continue }
            let until = told.before.records.lockouts[Lockout.Key(uid: told.peer.uid, gate: "mode")]?.lockedUntil
            try #require(until.map { $0 <= authority.now } ?? true, "a question for someone who is locked out")
        }
    }

    /// Everything that was confirmed is on the disk, in order; a restart from the disk gives the same records.
    private func checkDisk() throws {
        let onDisk = authority.journal
        var position = onDisk.startIndex
        for entry in confirmedJournal.suffix(40) {
            guard let found = onDisk[position...].firstIndex(of: entry) else {
                throw Broken(description: "confirmed and gone: \(entry)")
            }
            position = found
        }
        try #require(authority.records.revision.number >= authority.durable.revision.number)
        if !authority.isCommitting { try #require(authority.records == authority.durable.records) }
    }
}

private struct Broken: Error, CustomStringConvertible {
    let description: String
}
