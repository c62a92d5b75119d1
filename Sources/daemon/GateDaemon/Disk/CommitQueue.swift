/// The order in which applied commands become durable: while one batch is committed on another thread, the next one
/// collects. The queue does not look into its elements.
///
/// Every element is settled or failed exactly once, in the order in which they were applied.
struct CommitQueue<Element> {
    private enum State {
        /// Everything that was applied is durable. Can go to: committing.
        case idle
        /// A batch is being committed; what is applied meanwhile waits. Can go to: committing (the next batch), idle.
        case committing(batch: [Element], waiting: [Element], waitingNeedsCommit: Bool)
    }

    private var state = State.idle

    /// Whether everything that was applied is durable.
    var isIdle: Bool {
        switch state {
        case .idle: true
        case .committing: false
        }
    }

    /// The next step for an element that was just applied.
    enum Applied {
        /// Nothing is being committed before it, so it can be settled now.
        case settle(Element)
        case commit([Element])
        /// It waits for the batch that is being committed.
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
