import GateCore
import GateModel
import GateScripting
import GateStore

@testable import GateDaemon

/// The authority without sockets, threads or a disk: the real core and the real commit queue over a store in memory
/// that can fail, and that forgets, at a crash, what was not committed.
struct SimulatedAuthority {
    struct Applied {
        let command: Command
        let outcome: Result<Transition, GateError>
        let stateAfter: GateState
        let peer: Peer
        /// What the core has to hear of sooner or later.
        let isFact: Bool

        var change: Transition? {
            if case .success(let transition) = outcome, transition.isChange { transition } else { nil }
        }
    }

    /// What someone was told.
    struct Told {
        let outcome: Result<Transition, GateError>
        let before: GateState
        let after: GateState
        let peer: Peer
    }

    /// The only passcode, and what stands for its hash.
    static let passcode = Secret("1234".utf8)
    private static let passcodeHash = "hash"

    private var configuration: Configuration
    private(set) var now = BootTime(nanoseconds: 1_000_000_000_000)
    private(set) var head: GateState
    private(set) var durable: GateState
    /// The disk.
    private(set) var records: DurableRecords
    private(set) var journal: [AuditEntry] = []
    private var queue = CommitQueue<Applied>()
    private var batchOnItsWay: [Applied] = []
    private var random: any RandomNumberGenerator
    /// Everything that was told since the beginning, in order, over all crashes.
    private(set) var told: [Told] = []
    /// Passcodes that are being hashed.
    private(set) var checks: [(presentation: UInt64, check: SecretCheck)] = []
    /// Passwords that are being hashed, and whether they are right.
    private(set) var passwordChecks: [(id: PasswordCheckID, isRight: Bool)] = []
    /// Facts that were lost with a commit.
    private var unheard: [(fact: Command, peer: Peer)] = []
    private var departed: [UInt64: Peer] = [:]

    var isCommitting: Bool { !queue.isIdle }

    init(seed: UInt64, configuration: Configuration) {
        self.configuration = configuration
        random = SeededGenerator(seed: seed)
        records = DurableRecords(revision: Revision(epoch: 7, number: 0), passcodeHash: Self.passcodeHash)
        durable = GateState(restoring: records, configuration: configuration)
        head = durable
        start()
    }

    private mutating func start() {
        submit(.start, as: .daemon)
        endCommit(succeeds: true)
    }

    mutating func submit(_ command: Command, as peer: Peer, isFact: Bool = false) {
        var context = Context(
            now: now, wallTime: WallTime(unixMilliseconds: now.nanoseconds / 1_000_000), peer: peer, random: random)
        let outcome: Result<Transition, GateError>
        do throws(GateError) {
            outcome = .success(try head.apply(command, &context))
        } catch {
            outcome = .failure(error)
        }
        random = context.random
        let applied = Applied(command: command, outcome: outcome, stateAfter: head, peer: peer, isFact: isFact)
        switch queue.applied(applied, needsCommit: applied.change != nil) {
        case .settle(let applied): settle([applied])
        case .commit(let batch): batchOnItsWay = batch
        case .wait: break
        }
    }

    /// The batch that is on its way reaches the disk whole, or not at all.
    mutating func endCommit(succeeds: Bool) {
        guard isCommitting else { return }
        guard succeeds else {
            let failed = queue.commitFailed()
            head = durable
            for applied in failed {
                if applied.isFact { unheard.append((applied.command, applied.peer)) }
                told.append(
                    Told(
                        outcome: .failure(.storeFailed(StoreError.full)), before: durable, after: durable,
                        peer: applied.peer))
            }
            return
        }
        write(batchOnItsWay)
        let (settled, next) = queue.commitSucceeded()
        settle(settled)
        batchOnItsWay = next ?? []
    }

    private mutating func write(_ batch: [Applied]) {
        for change in batch.compactMap(\.change) {
            records.apply(change)
            journal += change.audit
        }
    }

    private mutating func settle(_ batch: [Applied]) {
        for applied in batch {
            let before = durable
            if case .success(let transition) = applied.outcome {
                durable = applied.stateAfter
                for case .checkSecret(let presentation, let check) in transition.effects {
                    checks.append((presentation, check))
                }
                for case .checkPassword(let id, let password, let hash) in transition.effects {
                    passwordChecks.append((id, hash == SimulatedPeople.passwordHash && password == Self.passcode))
                }
            }
            told.append(Told(outcome: applied.outcome, before: before, after: durable, peer: applied.peer))
        }
    }

    // MARK: Around the core

    /// A thread has hashed a passcode, or has failed to.
    mutating func endCheck(fails: Bool) {
        if !passwordChecks.isEmpty {
            let (id, isRight) = passwordChecks.removeFirst()
            submit(.passwordChecked(id, fails ? .failed : isRight ? .right : .wrong), as: .daemon, isFact: true)
        }
        guard !checks.isEmpty else { return }
        let (presentation, check) = checks.removeFirst()
        let outcome: SecretOutcome =
            switch check {
            case .passcode(let typed, Self.passcodeHash) where !fails:
                typed == Self.passcode ? .right(step: nil) : .wrong
            case .passcode, .totp: .failed
            }
        submit(.secretChecked(presentation: presentation, outcome), as: .daemon, isFact: true)
    }

    /// Another policy: what the next start reads, too.
    mutating func reload(_ configuration: Configuration) {
        self.configuration = configuration
        submit(.configure(configuration, detail: ""), as: .daemon)
    }

    mutating func hangUp(_ peer: Peer) {
        departed[peer.connection] = peer
        guard head.connections.contains(peer.connection) else { return }
        submit(.peerDisconnected, as: peer, isFact: true)
    }

    /// As the daemon does it some time after a commit has failed.
    mutating func reconcile() {
        let facts = unheard
        unheard = []
        for (fact, peer) in facts where departed[peer.connection] == nil { submit(fact, as: peer, isFact: true) }
        for connection in head.connections.sorted() {
            if let peer = departed[connection] { submit(.peerDisconnected, as: peer, isFact: true) }
        }
    }

    /// Nothing is on its way any more, and nobody who is gone is remembered.
    mutating func comeToRest() {
        repeat {
            while isCommitting { endCommit(succeeds: true) }
            while !checks.isEmpty || !passwordChecks.isEmpty { endCheck(fails: true) }
            reconcile()
        } while isCommitting || !checks.isEmpty || !passwordChecks.isEmpty || !unheard.isEmpty
    }

    /// Time passes; what comes due is settled on the way.
    mutating func advance(by duration: Duration) {
        while isCommitting { endCommit(succeeds: true) }
        let target = now.advanced(by: duration)
        while let due = head.nextDeadline, due <= target {
            now = max(now, due)
            submit(.deadlineReached, as: .daemon)
            while isCommitting { endCommit(succeeds: true) }
        }
        now = target
    }

    /// kill -9, and a new start.
    /// - Parameters:
    ///   - hitsDisk: the batch on its way had reached the disk, though no one was told.
    ///   - reboots: the boot clock starts anew, and so do the waits of locks.
    mutating func crash(hitsDisk: Bool, reboots: Bool) {
        if isCommitting, hitsDisk { write(batchOnItsWay) }
        queue = CommitQueue()
        batchOnItsWay = []
        (checks, passwordChecks, unheard, departed) = ([], [], [], [:])
        if reboots {
            now = BootTime(nanoseconds: 5_000_000_000)
            records.deviceRebooted(at: now)
        }
        durable = GateState(restoring: records, configuration: configuration)
        head = durable
        start()
    }
}
