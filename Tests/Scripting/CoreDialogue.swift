import CommandSupport
public import GateCore
public import GateModel

/// A script's dialogue with the pure core: no process, no socket, no file; the store is a value in memory.
///
/// Each command comes over a connection of its own, as from `gatectl`; only the program that shows a challenge stays
/// connected until it is answered.
public struct CoreDialogue: Dialogue {
    var world: ScriptWorld
    var configuration: Configuration
    var state: GateState
    /// The records that a store would hold. Built from transitions alone; `restart` continues from it.
    public private(set) var records = DurableRecords(revision: Revision(epoch: 1, number: 0))
    /// The same records as the core itself holds them.
    public var recordsOfState: DurableRecords { state.records }
    public private(set) var journal: [AuditEntry] = []
    private var journalShown = 0
    private var random: SeededGenerator
    var now = ScriptWorld.firstBootTime
    /// The time since the script began.
    var elapsed = Duration.zero
    var clock = ScriptClock()
    private var lastConnection: UInt64 = 0
    /// The brokers themselves, by the connection over which they ask for others.
    private var brokers: [UInt64: Peer] = [:]
    var asked: [UInt64: AskedChallenge] = [:]
    /// The people whose screens show what others ask, in the order in which they began.
    var presenters: [(person: Person, peer: Peer)] = []
    /// The presentation that several of them could have taken.
    var contested: ContestedPresentation?
    /// The waits of people, and what became of them.
    var waits: [Person: WaitID] = [:]
    var waiters: [WaitID: Peer] = [:]
    var results: [WaitID: Reply] = [:]
    /// The users who take the grants that were asked for last, by gated action.
    var redeemers: [String: UInt32] = [:]
    /// The newest grant of each gated action that somebody else is to take.
    var proofs: [String: Grant.Proof] = [:]
    /// The programs that are being used.
    var uses: [OpenUse] = []
    private var watchers: [Person: Watcher<ShownMode>] = [:]
    var signInWatchers: [Person: Watcher<ShownSignIn>] = [:]
    var entitlementWatchers: [Person: Watcher<ShownEntitlements>] = [:]
    var formWatchers: [Person: (peer: Peer, watcher: Watcher<[ShownForm]>)] = [:]
    /// The purchases that the App Store has signed so far, by transaction.
    var purchases: [String: ClaimedPurchase] = [:]

    /// A challenge that some program shows, or has shown.
    struct AskedChallenge {
        let presentation: Presentation
        /// The person who asked for it, or whose screen shows it.
        let person: Person
        let isOnScreen: Bool
        /// The program's connection; `nil` if the program has ended.
        var connection: Peer?
    }

    /// Somebody who hears of each change of something.
    struct Watcher<State: Equatable> {
        private var unread: [State]
        private var last: State

        init(_ state: State) {
            unread = [state]
            last = state
        }

        mutating func publish(_ state: State) {
            guard state != last else { return }
            unread.append(state)
            last = state
        }

        /// The states that were not read before.
        mutating func read() -> [State] {
            defer { unread = [] }
            return unread
        }
    }

    /// A daemon that has just started, with nothing in its store.
    /// - Throws: what is wrong with the policy.
    public init(world: ScriptWorld) throws {
        self.world = world
        configuration = try world.configuration
        random = SeededGenerator(seed: world.seed)
        state = GateState(restoring: records, configuration: configuration)
        applyAsDaemon(.start)
    }

    // MARK: - The verbs

    public mutating func toggle(as person: Person) -> Outcome {
        outcome(of: .toggle(presenting: .here), as: person)
    }

    public mutating func extend(for duration: Duration?, as person: Person) -> Outcome {
        outcome(of: .extend(duration, presenting: .here), as: person)
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
        switch question.presentation.content {
        case .signIn: return try signIn(question, with: text, by: peer)
        case .whatsNew: return try acknowledge(question, id, with: text, by: peer)
        case .challenge, .paywall, .form, .unrecognized: break
        }
        guard let challenge = question.presentation.challenge else {
            throw UnknownChallenge(id: id, message: "it is a \(question.presentation.summary.kind.name)")
        }
        let answer = challenge.answer(for: text, authenticatorCode: try authenticatorCode)
        let journalled = journal.count
        let applied = apply(.complete(question.presentation.cookie, answer), as: peer)
        let reply = settled(applied)
        if question.isOnScreen, thief == nil {
            return try answered(id, reply, since: journalled)
        }
        switch reply {
        case .success(.refused(let error)):
            asked[id]?.connection = nil
            guard error.reason == .wrongAnswer else { return .refused(error.message) }
            return .wrong(shownMode, lockedOutFor: error.retryAfter)
        case .success(.granted(let grant)):
            asked[id]?.connection = nil
            return granted(grant, to: question.person, peer)
        case .success(.presentation(let next)):
            asked[id]?.connection = nil
            return shown(next, to: question.person, peer)
        case .success:
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
        let journalled = journal.count
        let reply = apply(.dismiss(question.presentation.cookie), as: peer)
        if case .whatsNew = question.presentation.content { return seen(question, id, reply) }
        if question.isOnScreen { return try answered(id, reply, since: journalled) }
        switch reply {
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
        presenters = []
        (waits, waiters, results, uses) = ([:], [:], [:], [])
        random = SeededGenerator(seed: world.seed)
        state = GateState(restoring: records, configuration: configuration)
        applyAsDaemon(.daemon(.start(lastEntry: journal.last?.time)))
        recognizeUsers()
        // The daemon's timer settles at once what fell due while there was no daemon.
        applyAsDaemon(.deadlineReached)
        return .back(shownMode)
    }

    public mutating func reboot() -> Outcome {
        now = ScriptWorld.bootTimeAfterReboot
        clock.rebooted()
        records.deviceRebooted(at: now)
        return restart()
    }

    public mutating func audit() -> Outcome {
        let new = journal[journalShown...]
        journalShown = journal.count
        return .journal(
            new.map { entry in
                JournalLine(
                    who: entry.actor.map { world.name(of: $0.uid, through: $0.broker?.uid) }, kind: entry.kind,
                    detail: entry.detail)
            })
    }

    public mutating func watch(as person: Person) -> Outcome {
        let now = shownMode
        return .seen(watchers[person, default: Watcher(now)].read())
    }

    // MARK: - One command

    mutating func outcome(of command: Command, as person: Person, for subject: Subject? = nil) -> Outcome {
        let peer = newPeer(person, for: subject)
        switch apply(command, as: peer) {
        case .success(.presentation(let presentation)):
            return shown(presentation, to: person, peer)
        case .success(.granted(let grant)):
            return granted(grant, to: person, peer)
        case .success(.redeemed(let uid, _, _)):
            return .redeemed(requester: world.name(of: uid))
        case .success(.count(let count)):
            return .said("\(count) revoked")
        case .success(.waiting(let wait)):
            waits[person] = wait
            waiters[wait] = peer
            return .waits(person.name)
        case .success(.done), .success(.recovered), .success(.challenge), .success(.obeyed), .success(.sending),
            .success(.answering):
            return .mode(shownMode)
        case .success(.entitled(let outcome)):
            return .paid(outcome)
        case .success(.form(let change)):
            return .form(change)
        case .success(.responded(let id)):
            return .said("response \(id)")
        case .success(.keptPart(let id)):
            return .said("part \(id)")
        case .success(.whatsNew(let outcome)):
            return .news(outcome)
        case .success(.claimed(let id)):
            return .said("claim \(id.name)")
        case .success(.refused(let error)), .failure(let error):
            return .refused(error)
        }
    }

    mutating func shown(_ presentation: Presentation, to person: Person, _ peer: Peer) -> Outcome {
        asked[presentation.id] = AskedChallenge(
            presentation: presentation, person: person, isOnScreen: false, connection: peer)
        guard let challenge = presentation.challenge else {
            if presentation.content.isClosedByState,
                case .success(.waiting(let wait)) = apply(.awaitClosing(presentation.cookie), as: peer)
            {
                waits[person] = wait
                waiters[wait] = peer
            }
            return .closedByState(id: presentation.id, presentation.content)
        }
        return .challenge(id: presentation.id, challenge)
    }

    /// The person's program takes its own grant at once, as `gatectl` does; one for somebody else it hands on.
    private mutating func granted(_ grant: Grant, to person: Person, _ peer: Peer) -> Outcome {
        let redeem = Command.redeem(grant.proof, gatedAction: grant.gatedAction, details: grant.details)
        if let redeemer = redeemers[grant.gatedAction] {
            proofs[grant.gatedAction] = grant.proof
            return .granted(grant.gatedAction, to: person.name, redeemer: world.name(of: redeemer))
        }
        switch apply(redeem, as: brokers[peer.connection] ?? peer) {
        case .success: return .granted(grant.gatedAction, to: person.name, redeemer: nil)
        case .failure(let error): return .refused(error.message)
        }
    }

    /// The outcome of a presenter's answer, as the journal has it.
    private mutating func answered(
        _ id: UInt64, _ reply: Result<Reply, GateError>, since index: Int
    ) throws -> Outcome {
        if case .failure(let error) = reply { return .refused(error.message) }
        asked[id]?.connection = nil
        for entry in journal[index...] {
            // "challenge 3, link.open"
            let name = entry.detail.prefix { $0 != "," }
            if name.hasSuffix(" \(id)") { return .answered(String(name), entry.kind) }
        }
        throw UnknownChallenge(id: id, message: "the journal does not say what became of it")
    }

    /// The reply of a call that may have to wait for a secret's check, which is already done here.
    func settled(_ reply: Result<Reply, GateError>) -> Result<Reply, GateError> {
        guard case .success(.waiting(let wait)) = reply else { return reply }
        return results[wait].map { .success($0) } ?? reply
    }

    /// As the daemon does it: apply, commit, publish, do what was asked for.
    @discardableResult
    mutating func apply(_ command: Command, as peer: Peer) -> Result<Reply, GateError> {
        let (localTime, asleep) = (LocalTime(wallTime, minutesEastOfUTC: clock.minutesEastOfUTC), clock.suspended)
        var context = Context(
            now: now, localTime: localTime, peer: peer, suspendedNanoseconds: asleep.clampedNanoseconds, random: random)
        let transition: Transition
        do throws(GateError) {
            transition = try state.apply(command, &context)
        } catch {
            return .failure(error)
        }
        if let random = context.random as? SeededGenerator {
            self.random = random
        }
        records.apply(transition)
        journal += transition.audit
        publish()
        for effect in transition.effects {
            switch effect {
            case .settle(let wait, let reply):
                results[wait] = reply
                redeemOwn(reply, of: wait)
            case .checkSecret(let id, let check):
                applyAsDaemon(.secretChecked(presentation: id, ScriptedSecrets.outcome(of: check)))
            case .checkPassword(let id, let password, let hash):
                applyAsDaemon(.passwordChecked(id, ScriptedSecrets.outcome(of: password, hash: hash)))
            // There are no other devices.
            case .answer: break
            }
        }
        claimWhatIsOffered()
        return .success(transition.reply)
    }

    /// A peer that waited for a grant of their own takes it at once, as `gatectl` does.
    private mutating func redeemOwn(_ reply: Reply, of wait: WaitID) {
        guard case .granted(let grant) = reply, let peer = waiters[wait], redeemers[grant.gatedAction] == nil else {
            return
        }
        let redeem = Command.redeem(grant.proof, gatedAction: grant.gatedAction, details: grant.details)
        apply(redeem, as: brokers[peer.connection] ?? peer)
    }

    mutating func applyAsDaemon(_ command: Command) {
        _ = apply(command, as: Peer(connection: 0, uid: 0, pid: 1, roles: [.app, .administrator]))
    }

    private mutating func publish() {
        let (mode, signIn, entitlements) = (shownMode, shownSignIn, shownEntitlements)
        for person in watchers.keys { watchers[person]?.publish(mode) }
        for person in signInWatchers.keys { signInWatchers[person]?.publish(signIn) }
        for person in entitlementWatchers.keys { entitlementWatchers[person]?.publish(entitlements) }
        for (person, watching) in formWatchers {
            let forms = shownForms(to: watching.peer)
            formWatchers[person]?.watcher.publish(forms)
        }
    }

    private var authenticatorCode: String {
        get throws { try ScriptedSecrets.code(at: wallTime) }
    }

    /// - Parameter subject: the process that this peer asks for, as a broker.
    mutating func newPeer(_ person: Person, for subject: Subject? = nil) -> Peer {
        lastConnection += 1
        let peer = Peer(
            connection: lastConnection, uid: person.uid, owner: person.owner, pid: Int32(100 + lastConnection),
            roles: person.roles,
            program: "gatectl")
        if subject != nil { brokers[lastConnection] = peer }
        let owner = world.people.first { $0.uid == subject?.uid }?.owner
        return subject.map { peer.asking(for: $0, owner: owner ?? .user($0.uid), program: "game") } ?? peer
    }

    func question(_ id: UInt64) throws -> AskedChallenge {
        guard let question = asked[id] else { throw UnknownChallenge(id: id, message: "nobody was asked that") }
        return question
    }

    var shownMode: ShownMode {
        let state = state.modeState
        return ShownMode(mode: state.mode, until: state.deadline.map { elapsed + now.duration(to: $0) })
    }

    /// The script begins with the year 2026.
    var wallTime: WallTime {
        let sinceBeginning = ScriptWorld.firstBootTime.duration(to: now) + clock.wallOffset
        return WallTime(unixMilliseconds: 1_767_225_600_000 + sinceBeginning.millisecondsRoundedUp)
    }
}
