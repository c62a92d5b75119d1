public import GateCore
public import GateModel

/// A script's dialogue with the pure core: no process, no socket, no file; the store is a value in memory.
///
/// Each command comes over a connection of its own, as from `gatectl`; only the program that shows a challenge stays
/// connected until it is answered.
public struct CoreDialogue: Dialogue {
    private let world: ScriptWorld
    private var state: GateState
    /// What a store would hold. Built from transitions alone; `restart` continues from it.
    public private(set) var records = DurableRecords(revision: Revision(epoch: 1, number: 0))
    /// The same as the core itself has it.
    public var recordsOfState: DurableRecords { state.records }
    public private(set) var journal: [AuditEntry] = []
    private var journalShown = 0
    private var random: SeededGenerator
    private var now = ScriptWorld.firstBootTime
    /// Since the script began.
    private var elapsed = Duration.zero
    private var lastConnection: UInt64 = 0
    private var asked: [UInt64: AskedChallenge] = [:]
    private var watchers: [Person: Watcher] = [:]

    /// A challenge that some program shows, or has shown.
    private struct AskedChallenge {
        let presentation: Presentation
        let person: Person
        /// `nil`: the program has ended.
        var connection: Peer?
    }

    private struct Watcher {
        var unread: [ShownMode]
        var last: ShownMode
    }

    /// A daemon that has just started, with nothing in its store.
    public init(world: ScriptWorld) {
        self.world = world
        random = SeededGenerator(seed: world.seed)
        state = GateState(restoring: records, configuration: world.configuration)
        applyAsDaemon(.start)
    }

    // MARK: - The verbs

    public mutating func toggle(as person: Person) -> Outcome {
        outcome(of: .toggle(presentsItself: true), as: person)
    }

    public mutating func extend(for duration: Duration?, as person: Person) -> Outcome {
        outcome(of: .extend(duration, presentsItself: true), as: person)
    }

    public mutating func cancel(as person: Person) -> Outcome {
        outcome(of: .cancel, as: person)
    }

    public mutating func lock(as person: Person) -> Outcome {
        outcome(of: .lock, as: person)
    }

    public mutating func override(
        to mode: Mode, for duration: Duration?, because reason: String, as person: Person
    ) -> Outcome {
        outcome(of: .override(mode, duration, reason: reason), as: person)
    }

    public mutating func mode() -> Outcome {
        .mode(shownMode)
    }

    public mutating func answer(challenge id: UInt64, with text: String, by thief: Person?) throws -> Outcome {
        let question = try question(id)
        let peer = thief.map { newPeer($0) } ?? question.connection ?? newPeer(question.person)
        let answer = question.presentation.challenge.answer(for: text)
        switch apply(.complete(question.presentation.cookie, answer: answer), as: peer) {
        case .success(.refused(let error)):
            asked[id]?.connection = nil
            return .wrong(shownMode, lockedOutFor: error.retryAfter)
        case .success(.done), .success(.presentation), .success(.recovered):
            asked[id]?.connection = nil
            return .right(shownMode)
        case .failure(let error):
            return .refused(error.message)
        }
    }

    public mutating func dismiss(challenge id: UInt64) throws -> Outcome {
        let question = try question(id)
        let peer = question.connection ?? newPeer(question.person)
        asked[id]?.connection = nil
        switch apply(.dismiss(question.presentation.cookie), as: peer) {
        case .success: return .dismissed(shownMode)
        case .failure(let error): return .refused(error.message)
        }
    }

    public mutating func hangUp(challenge id: UInt64) throws -> Outcome {
        guard let peer = try question(id).connection else {
            throw UnknownChallenge(id: id, message: "its program has ended before")
        }
        asked[id]?.connection = nil
        _ = apply(.peerDisconnected, as: peer)
        return .gone(shownMode)
    }

    public mutating func advance(by duration: Duration) -> Outcome {
        now = now.advanced(by: duration)
        elapsed += duration
        applyAsDaemon(.deadlineReached)
        return .clock(elapsed, shownMode)
    }

    public mutating func restart() -> Outcome {
        for id in asked.keys {
            asked[id]?.connection = nil
        }
        random = SeededGenerator(seed: world.seed)
        state = GateState(restoring: records, configuration: world.configuration)
        applyAsDaemon(.start)
        // The daemon's timer finds at once what came due while there was no daemon.
        applyAsDaemon(.deadlineReached)
        return .back(shownMode)
    }

    public mutating func reboot() -> Outcome {
        now = ScriptWorld.bootTimeAfterReboot
        records.deviceRebooted(at: now)
        return restart()
    }

    public mutating func audit() -> Outcome {
        let new = journal[journalShown...]
        journalShown = journal.count
        return .journal(
            new.map { entry in
                JournalLine(who: entry.actor.map { world.name(of: $0.uid) }, kind: entry.kind, detail: entry.detail)
            })
    }

    public mutating func watch(as person: Person) -> Outcome {
        var watcher = watchers[person] ?? Watcher(unread: [shownMode], last: shownMode)
        defer { watchers[person] = watcher }
        defer { watcher.unread = [] }
        return .seen(watcher.unread)
    }

    // MARK: - One command

    private mutating func outcome(of command: Command, as person: Person) -> Outcome {
        let peer = newPeer(person)
        switch apply(command, as: peer) {
        case .success(.presentation(let presentation)):
            asked[presentation.id] = AskedChallenge(presentation: presentation, person: person, connection: peer)
            return .challenge(id: presentation.id, presentation.challenge)
        case .success(.done), .success(.recovered):
            return .mode(shownMode)
        case .success(.refused(let error)), .failure(let error):
            return .refused(error.message)
        }
    }

    /// As the daemon does it: apply, commit, publish.
    private mutating func apply(_ command: Command, as peer: Peer) -> Result<Reply, GateError> {
        var context = Context(now: now, wallTime: wallTime, peer: peer, random: random)
        do throws(GateError) {
            let transition = try state.apply(command, &context)
            if let random = context.random as? SeededGenerator {
                self.random = random
            }
            records.apply(transition)
            journal += transition.audit
            publish()
            return .success(transition.reply)
        } catch {
            return .failure(error)
        }
    }

    private mutating func applyAsDaemon(_ command: Command) {
        _ = apply(command, as: Peer(connection: 0, uid: 0, pid: 1, roles: [.app, .administrator]))
    }

    private mutating func publish() {
        let mode = shownMode
        for person in watchers.keys where watchers[person]?.last != mode {
            watchers[person]?.unread.append(mode)
            watchers[person]?.last = mode
        }
    }

    private mutating func newPeer(_ person: Person) -> Peer {
        lastConnection += 1
        return Peer(connection: lastConnection, uid: person.uid, pid: Int32(100 + lastConnection), roles: person.roles)
    }

    private func question(_ id: UInt64) throws -> AskedChallenge {
        guard let question = asked[id] else { throw UnknownChallenge(id: id, message: "nobody was asked that") }
        return question
    }

    private var shownMode: ShownMode {
        let state = state.modeState
        return ShownMode(mode: state.mode, until: state.deadline.map { elapsed + now.duration(to: $0) })
    }

    /// The script begins with the year 2026.
    private var wallTime: WallTime {
        let sinceBeginning = ScriptWorld.firstBootTime.duration(to: now)
        return WallTime(unixMilliseconds: 1_767_225_600_000 + sinceBeginning.millisecondsRoundedUp)
    }
}

/// A script speaks of a challenge that is not there.
public struct UnknownChallenge: Error, Hashable, Sendable, CustomStringConvertible {
    public var id: UInt64
    public var message: String

    public init(id: UInt64, message: String) {
        self.id = id
        self.message = message
    }

    public var description: String { "challenge \(id): \(message)" }
}

extension ScriptWorld {
    /// The name of this user, as scripts call them.
    public func name(of uid: UInt32) -> String {
        people.first { $0.uid == uid }?.name ?? "user \(uid)"
    }
}

extension Challenge {
    /// What a person's input means: where there are choices, their letter stands for them.
    public func answer(for text: String) -> String {
        switch self {
        case .arithmeticChoice(_, let choices):
            zip(["a", "b", "c"], choices).first { $0.0 == text.trimmed }.map { "\($0.1)" } ?? text
        case .arithmeticEntry:
            text
        }
    }
}
