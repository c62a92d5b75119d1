/// The order in which applied commands become durable: one batch is being committed on another thread while the next one
/// collects. Nothing in it knows what an element is.
///
/// Every element that was applied is settled or failed exactly once, in the order in which it was applied.
struct CommitQueue<Element> {
    private enum State {
        /// Everything that was applied is durable. Can go to: committing.
        case idle
        /// A batch is on its way to the disk; what is applied meanwhile waits. Can go to: committing (the next batch),
        /// idle.
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

    /// The next step for an element that was applied just now.
    enum Applied {
        /// Nothing before it is on its way: it is settled as it stands.
        case settle(Element)
        /// Commit this batch.
        case commit([Element])
        /// It waits for the batch that is on its way.
        case wait
    }

    /// - Parameter needsCommit: false for what changed nothing, and so only has to wait for what was applied before it.
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

    /// A batch has become durable: settle these, then commit the next batch, if there is one.
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

    /// A batch could not be committed: the batch has failed, and all that was applied on top of it.
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
