import GateCore
import GateModel
import GateScripting
import GateStore

@testable import GateDaemon

/// The authority without sockets, threads or a disk: the real core and the real commit queue over a store in memory
/// that can fail, and that forgets, at a crash, what was not committed.
struct SimulatedAuthority {
    struct Applied {
        let outcome: Result<Transition, GateError>
        let stateAfter: GateState
        let peer: Peer

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

    var isCommitting: Bool { !queue.isIdle }

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        records = DurableRecords(
            revision: Revision(epoch: 7, number: 0), lockouts: [:], setAside: nil, nextPresentation: 1)
        durable = GateState(restoring: records, configuration: .builtIn)
        head = durable
        start()
    }

    private mutating func start() {
        submit(.start, as: .daemon)
        endCommit(succeeds: true)
    }

    mutating func submit(_ command: Command, as peer: Peer) {
        var context = Context(
            now: now, wallTime: WallTime(unixMilliseconds: now.nanoseconds / 1_000_000), peer: peer, random: random)
        let outcome: Result<Transition, GateError>
        do throws(GateError) {
            outcome = .success(try head.apply(command, &context))
        } catch {
            outcome = .failure(error)
        }
        random = context.random
        let applied = Applied(outcome: outcome, stateAfter: head, peer: peer)
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
            if applied.change != nil { durable = applied.stateAfter }
            told.append(Told(outcome: applied.outcome, before: before, after: durable, peer: applied.peer))
        }
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
        if reboots {
            now = BootTime(nanoseconds: 5_000_000_000)
            for (key, lockout) in records.lockouts where lockout.lockedUntil != nil {
                records.lockouts[key]?.lockedUntil = now.advanced(by: lockout.lockDuration)
            }
        }
        durable = GateState(restoring: records, configuration: .builtIn)
        head = durable
        start()
    }
}
