/// One reader of the journal: reading the past from the store, page by page, or told of each transition as it happens.
///
/// It never skips an entry: one that falls behind reads the journal on from where it was, so the journal on disk is its
/// queue.
struct AuditStateMachine: Hashable, Sendable {
    private enum State: Hashable {
        /// A page after this number is being read from the store. Can go to: paused, reading, live, ended.
        case reading(after: UInt64)
        /// It was sent all up to this number, and does not read fast enough for more. Can go to: reading.
        case paused(after: UInt64)
        /// It was sent everything. Can go to: paused.
        case live(after: UInt64)
    }

    private var state: State
    /// Stays after the past has been told.
    let follows: Bool

    init(after number: UInt64, follows: Bool) {
        state = .reading(after: number)
        self.follows = follows
    }

    enum Next: Hashable {
        /// Read the next page, of what came after this number.
        case read(after: UInt64)
        /// Nothing for now.
        case wait
        /// All was told that was asked for.
        case end
    }

    /// A page was read and sent, up to this number.
    /// - Parameter durable: the newest revision there is.
    mutating func pageSent(through number: UInt64, isComplete: Bool, durable: UInt64, isBacklogged: Bool) -> Next {
        switch state {
        case .reading:
            guard isComplete else {
                if isBacklogged {
                    state = .paused(after: number)
                    return .wait
                }
                state = .reading(after: number)
                return .read(after: number)
            }
            guard follows else { return .end }
            // What became durable while the page was read was not told to anyone who was reading.
            guard number >= durable else {
                state = .reading(after: number)
                return .read(after: number)
            }
            state = .live(after: number)
            return .wait
        case .paused, .live:
            preconditionFailure("a page was sent to an audit stream that reads none")
        }
    }

    enum Changed: Hashable {
        /// Send it the entries of this transition.
        case send
        /// It reads them from the store later, or has read them.
        case leave
    }

    /// A transition with entries is durable.
    mutating func changed(number: UInt64, isBacklogged: Bool) -> Changed {
        switch state {
        case .reading, .paused:
            return .leave
        case .live(let after):
            // The store was read after the commit and before its publication: it was told already.
            guard number > after else { return .leave }
            if isBacklogged {
                state = .paused(after: after)
                return .leave
            }
            state = .live(after: number)
            return .send
        }
    }

    /// The kernel has taken everything that was queued for it.
    mutating func drained() -> Next {
        switch state {
        case .reading, .live:
            return .wait
        case .paused(let after):
            state = .reading(after: after)
            return .read(after: after)
        }
    }
}
