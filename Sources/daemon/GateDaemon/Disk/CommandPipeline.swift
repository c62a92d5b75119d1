import GateCore
import GateModel
import GateStore
import Logging
import NIOCore
import TTRPCTransport

/// The way of every command: it is applied, becomes durable, is published, and then answered.
///
/// The pipeline keeps two states: `head`, with every command applied, and `durable`, which the store has confirmed.
/// Everything that leaves the daemon comes from `durable`, so nothing that was published is ever lost.
///
/// Confined to the event loop that reads the sockets, so no task switch lies between a request's frame and its answer.
final class CommandPipeline {
    typealias Answer = (Result<CommittedReply, GateError>) -> Void
    /// Makes transitions durable, in order: all or none (`GateStore.commit`). It blocks until the disk has answered.
    typealias StoreCommit = @Sendable ([Transition]) throws(StoreError) -> Void

    /// A command that waits to be durable. A class, because it is large and moves through several lists.
    final class Applied {
        let peer: Peer
        let caller: Caller?
        let outcome: Result<Transition, GateError>
        let stateAfter: GateState
        let rows: Int
        let beforePublishing: (() -> Void)?
        let answer: Answer

        init(
            peer: Peer, caller: Caller?, outcome: Result<Transition, GateError>, stateAfter: GateState,
            beforePublishing: (() -> Void)?, answer: @escaping Answer
        ) {
            self.peer = peer
            self.caller = caller
            self.outcome = outcome
            self.stateAfter = stateAfter
            rows = (try? outcome.get())?.records.count ?? 0
            self.beforePublishing = beforePublishing
            self.answer = answer
        }

        /// The transition that the store has to write; `nil` if the command failed or changed nothing durable.
        var change: Transition? {
            switch outcome {
            case .success(let transition): transition.isChange ? transition : nil
            case .failure: nil
            }
        }
    }

    let context: LoopContext
    var clock: any Clock { context.clock }
    var limits: DaemonLimits { context.limits }
    let publisher: Publisher
    let alarm: DeadlineAlarm
    private let passwords: PasswordWork
    private let storeCommit: StoreCommit
    private let thread: any BlockingThreads
    private var random: any RandomNumberGenerator

    /// The state that the store has confirmed. Parts that are never stored, like which peers present, become part of it
    /// once everything that was applied before them is durable.
    private(set) var durable: GateState
    private(set) var head: GateState
    private var queue = CommitQueue<Applied>()
    /// Counts the commands that wait in the queue, and those that are durable and not yet answered.
    private(set) var bill = CommandQuota()
    /// The commands that are durable and not yet published. If answering one submits another, that one is appended.
    private var unsettled: [Applied] = []
    private var isSettling = false
    private var isSettlingLater = false
    var waitingCalls = WaitingCalls<Answer>()
    let reconciliation = Reconciliation()
    /// Called after each failed commit, when its commands have been answered.
    var commitFailed: ((StoreError) -> Void)?
    var sendAnswer: ((AnswerToSend, HouseholdID) -> Void)?
    /// Called with the durable state before and after a change.
    var stateChanged: ((GateState, GateState) -> Void)?
    /// Called for each command before it is published. Simulations check there what must always hold. `nil` in `gated`.
    var witness: ((Witnessed) -> Void)?

    /// - Parameter thread: a single thread, on which `storeCommit` is called.
    init(
        _ context: LoopContext, restoring state: GateState, storeCommit: @escaping StoreCommit,
        thread: any BlockingThreads, random: any RandomNumberGenerator, passwords: PasswordWork, publisher: Publisher
    ) {
        self.context = context
        self.storeCommit = storeCommit
        self.thread = thread
        self.random = random
        self.passwords = passwords
        self.publisher = publisher
        alarm = DeadlineAlarm(context)
        durable = state
        head = state
    }

    // MARK: Commands

    /// Applies a command. Calls `answer` when the command and everything that it was based on is durable. If the reply
    /// waits for a person or for a check, `answer` is called when that is settled, or never if `caller` has ended
    /// before. Commands without a caller are never refused because of a limit. `beforePublishing` is called when the
    /// durable state has changed.
    func submit(
        _ command: Command, as peer: Peer, for caller: Caller? = nil, prepared: FormPreparation? = nil,
        beforePublishing: (() -> Void)? = nil, answer: @escaping Answer
    ) {
        if context.isStopping, peer.connection != Peer.daemon.connection {
            return answer(.failure(.stopping))
        }
        if caller != nil, !bill.hasRoom(for: peer, context.limits) {
            return answer(.failure(context.refused(.tooManyWaitForDisk)))
        }
        let zone = context.zone
        let time = context.clock.wallTime()
        var input = Context(
            now: context.clock.bootTime(), localTime: zone.offsets(at: time).localTime(time),
            zone: zone.offsets(at: time),
            peer: peer, suspendedNanoseconds: context.clock.suspendedNanoseconds(), random: random, prepared: prepared)
        let outcome: Result<Transition, GateError>
        do throws(GateError) {
            outcome = .success(try head.apply(command, &input))
        } catch {
            outcome = .failure(error)
        }
        random = input.random
        enqueue(
            Applied(
                peer: peer, caller: caller, outcome: outcome, stateAfter: head, beforePublishing: beforePublishing,
                answer: answer))
        alarm.set(head.nextDeadline)
    }

    func newHouseholdID() -> HouseholdID { HouseholdID(using: &random) }

    /// Reports an event outside the core to it. If the commit fails, the core gets `later` after a while, or else the
    /// same event again.
    func report(_ fact: Command, afterLostCommit later: Command? = nil, as peer: Peer) {
        submit(fact, as: peer) { [self] result in
            guard case .failure(let error) = result else { return }
            if error.reason == .storeFailed {
                reconciliation.lost(later ?? fact, of: peer, by: self)
            } else if error.reason != .stopping {
                context.logger.error("gated could not record something that has happened: \(error)")
            }
        }
    }

    private func enqueue(_ applied: Applied) {
        bill.began(for: applied.peer, rows: applied.rows)
        applied.caller?.session.unsettledCommands += 1
        switch queue.applied(applied, needsCommit: applied.change != nil) {
        case .settle(let applied): settle([applied])
        case .commit(let batch): commit(batch)
        case .wait: break
        }
    }

    // MARK: The disk

    private func commit(_ batch: [Applied]) {
        let transitions = batch.compactMap(\.change)
        context.openWork.began()
        context.statistics.commitBegan(commands: batch.count, at: context.clock.bootTime())
        thread.submit(on: context.eventLoop) { [storeCommit] in
            Result { () throws(StoreError) in try storeCommit(transitions) }
        } then: { [self] in
            commitEnded($0)
        }
    }

    private func commitEnded(_ result: Result<Void, StoreError>) {
        switch result {
        case .success:
            context.statistics.commitEnded(at: context.clock.bootTime())
            let (settled, next) = queue.commitSucceeded()
            // The disk can write the next batch while this one is published.
            if let next { commit(next) }
            settle(settled)
        case .failure(let error):
            context.logger.critical(
                "the store could not be written; nothing was changed", metadata: ["error": "\(error)"])
            // Settles what is durable but not published, so that `durable` has it and `head` can go back to it.
            settleSlices(upTo: .max)
            let failed = queue.commitFailed()
            head = durable
            for applied in failed {
                unbill(applied)
                if let witness { witness(Witnessed(.failure(.storeFailed(error)), durable, durable, applied.peer)) }
                applied.answer(.failure(.storeFailed(error)))
            }
            reconciliation.goOnLater(by: self)
            commitFailed?(error)
            // A deadline that could not be recorded is tried again, but at most once a second.
            alarm.set(head.nextDeadline.map { max($0, context.clock.bootTime().advanced(by: .seconds(1))) })
        }
        context.openWork.ended()
    }

    /// Whether everything that was applied is durable and published.
    var isIdle: Bool { queue.isIdle && unsettled.isEmpty }

    private func unbill(_ applied: Applied) {
        bill.ended(for: applied.peer, rows: applied.rows)
        applied.caller?.session.unsettledCommands -= 1
    }

    // MARK: Publishing and answering

    private func settle(_ batch: [Applied]) {
        unsettled += batch
        guard !isSettling, !isSettlingLater else { return }
        settleSlices(upTo: context.limits.settledAtOnce)
        settleRestLater()
    }

    /// Large batches are settled in slices. Each slice is published first and then answered.
    private func settleSlices(upTo limit: Int) {
        isSettling = true
        var room = limit
        while room > 0, !unsettled.isEmpty {
            let slice = Array(unsettled.prefix(min(room, context.limits.settledAtOnce)))
            unsettled.removeFirst(slice.count)
            room -= slice.count
            let answeredFirst = presentersAnsweredFirst(slice)
            publish(slice, but: answeredFirst)
            for applied in slice { answer(applied) }
            publisher.presenters.publish(durable) { answeredFirst.contains($0) }
        }
        isSettling = false
        reconciliation.forgetDeparted(by: self)
    }

    /// Between two slices the event loop reads from its sockets.
    private func settleRestLater() {
        guard !unsettled.isEmpty else { return }
        isSettlingLater = true
        context.openWork.began()
        context.work.later { [self] in
            isSettlingLater = false
            settleSlices(upTo: context.limits.settledAtOnce)
            settleRestLater()
            context.openWork.ended()
        }
    }

    /// The connections whose calls are answered before their presenter's stream goes on. Otherwise a presenter would
    /// clear its screen before it knows that the answer was wrong. A reply that hands over a presentation comes after
    /// the stream's message that the presenter has it.
    private func presentersAnsweredFirst(_ batch: [Applied]) -> Set<UInt64> {
        guard !publisher.presenters.isEmpty else { return [] }
        var first: Set<UInt64> = []
        var handedOver: Set<UInt64> = []
        for applied in batch {
            guard case .success(let transition) = applied.outcome else { continue }
            if case .presentation = transition.reply {
                handedOver.insert(applied.peer.connection)
            } else if applied.caller != nil {
                first.insert(applied.peer.connection)
            }
            for case .settle(let wait, _) in transition.effects {
                if let call = waitingCalls.call(waitingFor: wait) { first.insert(call.connection) }
            }
        }
        return first.subtracting(handedOver)
    }

    /// Publishes what became durable together as one change. The presenters of connections in `waiting` get it later.
    private func publish(_ batch: [Applied], but waiting: Set<UInt64>) {
        let before = durable
        var (states, changes, hasSucceeded) = ([durable], [Transition](), false)
        for applied in batch {
            let before = durable
            if case .success = applied.outcome { durable = applied.stateAfter }
            if let witness { witness(Witnessed(applied.outcome, before, durable, applied.peer)) }
            guard case .success(let transition) = applied.outcome else { continue }
            hasSucceeded = true
            applied.beforePublishing?()
            guard transition.isChange else { continue }
            states.append(applied.stateAfter)
            changes.append(transition)
        }
        guard hasSucceeded else { return }
        stateChanged?(before, durable)
        publisher.publish(changes, states, durable: durable, butPresentersOf: waiting)
    }

    /// Performs the effects first, because they may answer earlier calls.
    private func answer(_ applied: Applied) {
        unbill(applied)
        switch applied.outcome {
        case .failure(let error):
            applied.answer(.failure(error))
        case .success(let transition):
            perform(transition.effects, of: transition, by: applied.peer, state: applied.stateAfter)
            guard case .waiting(let wait) = transition.reply else {
                let settled = CommittedReply(
                    reply: transition.reply, revision: transition.revision, state: applied.stateAfter)
                return applied.answer(.success(settled))
            }
            if let caller = applied.caller, caller.isWaiting {
                waitingCalls.began(wait, by: caller.key, answer: applied.answer)
            } else {
                // The call ended while the command was on its way to the disk.
                report(.daemon(.callEnded(wait)), as: applied.peer)
            }
        }
    }

    /// Performs the effects of a durable transition, in order, and bills slow work to `peer`, the author of the
    /// command. If the outcome of a check is lost with its commit, the check counts as failed, whatever its outcome
    /// was. Otherwise somebody could find out whether a secret is right by filling the disk.
    private func perform(_ effects: [Effect], of transition: Transition, by peer: Peer, state: GateState) {
        for effect in effects {
            switch effect {
            case .settle(let wait, let reply):
                guard let answer = waitingCalls.settled(wait) else { continue }
                answer(.success(CommittedReply(reply: reply, revision: transition.revision, state: state)))
            case .checkSecret(let presentation, let check):
                passwords.perform(check, for: peer) { [self] in
                    report(
                        .presentations(.secretChecked(presentation: presentation, $0)),
                        afterLostCommit: .presentations(.secretChecked(presentation: presentation, .failed)),
                        as: .daemon)
                }
            case .checkPassword(let id, let typed, let hash):
                passwords.check(typed, against: hash, for: peer) { [self] in
                    report(
                        .signIn(.passwordChecked(id, $0)), afterLostCommit: .signIn(.passwordChecked(id, .failed)),
                        as: .daemon)
                }
            case .answer(let answer): sendAnswer?(answer, newHouseholdID())
            }
        }
    }
}

/// What an answer is made of: the reply, and the durable state in which it is true.
struct CommittedReply {
    /// Never `waiting`.
    let reply: Reply
    let revision: Revision
    let state: GateState
}

struct Witnessed {
    let outcome: Result<Transition, GateError>
    let before: GateState
    let after: GateState
    let peer: Peer

    init(_ outcome: Result<Transition, GateError>, _ before: GateState, _ after: GateState, _ peer: Peer) {
        (self.outcome, self.before, self.after, self.peer) = (outcome, before, after, peer)
    }
}
