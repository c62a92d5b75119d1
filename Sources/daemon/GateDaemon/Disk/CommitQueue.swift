import GateCore
import GateModel
import GateStore

/// The store as the daemon uses it, on threads that may block: `GateStore`, or in tests one that fails on demand.
protocol StateStore: Sendable {
    func commit(_ transitions: [Transition]) throws(StoreError)
    func audit(after number: UInt64?, last: Int?, limit: Int) throws(StoreError) -> AuditPage
    func attachment(
        _ digest: AttachmentDigest, offset: Int, count: Int
    ) throws(StoreError) -> (piece: [UInt8], byteCount: Int)?
    func makeBackup() throws(StoreError) -> StoreBackup
    func stageRestore() throws(StoreError) -> StagedRestore
    func check(
        _ restore: StagedRestore, now: BootTime, nameOf: ([UInt8]) -> AttachmentDigest
    ) throws(StoreError) -> BackupContents
    func forgetStagedRestore()
    func close()
}

extension StateStore {
    func makeBackup() throws(StoreError) -> StoreBackup { throw .failed("this store is in memory") }
    func stageRestore() throws(StoreError) -> StagedRestore { throw .failed("this store is in memory") }
    func check(
        _ restore: StagedRestore, now: BootTime, nameOf: ([UInt8]) -> AttachmentDigest
    ) throws(StoreError) -> BackupContents {
        throw .failed("this store is in memory")
    }
    func forgetStagedRestore() {}
}

extension GateStore: StateStore {}

/// The order in which applied commands become durable: while one batch is committed on another thread, the next one
/// collects. Every element is settled or failed exactly once, in the order in which they were applied.
struct CommitQueue<Element> {
    private enum State {
        /// Everything that was applied is durable. Can go to: committing.
        case idle
        /// A batch is being committed; what is applied meanwhile waits. Can go to: committing (the next batch), idle.
        case committing(batch: [Element], waiting: [Element], waitingNeedsCommit: Bool)
    }

    private var state = State.idle

    var isIdle: Bool {
        switch state {
        case .idle: true
        case .committing: false
        }
    }

    enum Applied {
        /// Nothing is being committed before it, so it can be settled now.
        case settle(Element)
        case commit([Element])
        case wait
    }

    /// - Parameter needsCommit: false if the element changed nothing, so it only waits for what was applied before it.
    mutating func applied(_ element: Element, needsCommit: Bool) -> Applied {
        switch state {
        case .idle:
            guard needsCommit else { return .settle(element) }
            state = .committing(batch: [element], waiting: [], waitingNeedsCommit: false)
            return .commit([element])
        case .committing(let batch, var waiting, let waitingNeedsCommit):
            state = .idle  // so that `waiting` is not copied
            waiting.append(element)
            state = .committing(
                batch: batch, waiting: waiting, waitingNeedsCommit: waitingNeedsCommit || needsCommit)
            return .wait
        }
    }

    /// A batch has become durable: settle the elements returned, then commit the next batch, if there is one.
    mutating func commitSucceeded() -> (settled: [Element], next: [Element]?) {
        switch state {
        case .idle:
            preconditionFailure("a commit ended that was never begun")
        case .committing(let batch, let waiting, let waitingNeedsCommit):
            guard waitingNeedsCommit else {
                state = .idle
                return (batch + waiting, nil)
            }
            state = .committing(batch: waiting, waiting: [], waitingNeedsCommit: false)
            return (batch, waiting)
        }
    }

    /// A batch could not be committed. Returns what has failed: the batch, and everything that was applied after it.
    mutating func commitFailed() -> [Element] {
        switch state {
        case .idle:
            preconditionFailure("a commit ended that was never begun")
        case .committing(let batch, let waiting, _):
            state = .idle
            return batch + waiting
        }
    }
}

/// The calls whose answer waits for a person, or for the check of a secret. Each is answered once, by `Effect.settle`,
/// or ends before that.
struct WaitingCalls<Answer> {
    private struct Waiting {
        let call: StreamKey
        let answer: Answer
    }

    private var waiting: [WaitID: Waiting] = [:]
    private var waits: [StreamKey: WaitID] = [:]

    var count: Int { waiting.count }

    /// The reply to this call was `waiting`, and that is durable.
    mutating func began(_ wait: WaitID, by call: StreamKey, answer: Answer) {
        waiting[wait] = Waiting(call: call, answer: answer)
        waits[call] = wait
    }

    /// Removes a call and returns its answer; `nil` if the call has ended before.
    mutating func settled(_ wait: WaitID) -> Answer? {
        guard let settled = waiting.removeValue(forKey: wait) else { return nil }
        waits[settled.call] = nil
        return settled.answer
    }

    /// Removes a call that has ended before its answer. Returns what it waited for; `nil` if it was not waiting.
    mutating func callEnded(_ call: StreamKey) -> WaitID? {
        guard let wait = waits.removeValue(forKey: call) else { return nil }
        waiting[wait] = nil
        return wait
    }

    func call(waitingFor wait: WaitID) -> StreamKey? { waiting[wait]?.call }

    /// Removes all calls and returns their answers, in the order in which the calls began to wait.
    mutating func takeAll() -> [Answer] {
        defer { self = WaitingCalls() }
        return waiting.sorted { $0.key.number < $1.key.number }.map(\.value.answer)
    }
}
