/// One watcher of state topics: whether it gets each change as it happens, or, while it does not read fast enough, one
/// message for all that it missed.
///
/// However slow a watcher is, this is all the memory it needs.
struct WatcherStateMachine: Hashable, Sendable {
    private enum State: Hashable {
        /// It has been sent everything. Can go to: behind.
        case live
        /// It was not sent the change of this revision, nor what came after. Can go to: live.
        case behind(firstMissed: UInt64)
    }

    private var state = State.live

    enum Changed: Hashable {
        /// Send it this change.
        case send
        /// Nothing: the change is part of what it gets later.
        case conflate
    }

    /// A change of one of its topics is durable.
    mutating func changed(number: UInt64, isBacklogged: Bool) -> Changed {
        switch state {
        case .live where !isBacklogged:
            return .send
        case .live:
            state = .behind(firstMissed: number)
            return .conflate
        case .behind:
            return .conflate
        }
    }

    enum Drained: Hashable {
        /// Send it the state as it is now, as the result of every revision from this one on.
        case sendAllSince(firstMissed: UInt64)
        /// Nothing: it missed nothing.
        case nothing
    }

    /// The kernel has taken everything that was queued for it.
    mutating func drained() -> Drained {
        switch state {
        case .live:
            return .nothing
        case .behind(let firstMissed):
            state = .live
            return .sendAllSince(firstMissed: firstMissed)
        }
    }
}
