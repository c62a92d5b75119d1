/// One reader of the journal. It is sent the past from the store, page by page, and then each transition as it happens.
/// It never skips an entry: if it falls behind, it reads on from the store. The journal on disk is its queue.
struct AuditStateMachine: Hashable, Sendable {
    private enum State: Hashable {
        /// The page after this number is being read from the store. Can go to: paused, reading, live, or the end.
        case reading(after: UInt64)
        /// It was sent everything up to this number, and does not read fast enough for more. Can go to: reading.
        case paused(after: UInt64)
        /// It was sent everything. Can go to: paused.
        case live(after: UInt64)
    }

    private var state: State
    /// Whether it stays after it was sent the past.
    let follows: Bool

    init(after number: UInt64, follows: Bool) {
        state = .reading(after: number)
        self.follows = follows
    }

    enum Next: Hashable {
        case read(after: UInt64)
        case wait
        /// Everything that was asked for was sent.
        case end
    }

    /// - Parameter durable: the newest revision.
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
            // Transitions that became durable while the page was read were not sent to it.
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
        case send
        /// Send nothing: it reads the entries from the store later, or has done so.
        case leave
    }

    /// A transition with entries is durable.
    mutating func changed(number: UInt64, isBacklogged: Bool) -> Changed {
        switch state {
        case .reading, .paused:
            return .leave
        case .live(let after):
            // The page was read after the commit and before its publication, so the entries were sent already.
            guard number > after else { return .leave }
            if isBacklogged {
                state = .paused(after: after)
                return .leave
            }
            state = .live(after: number)
            return .send
        }
    }

    /// The kernel has taken everything that was queued for the reader.
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
