public import GateModel

extension GateClient {
    /// The mode now, then each change of it (F-01). `child` at once when the daemon is lost, until it is back.
    public var modes: ModeSequence { ModeSequence(events: watch()) }

    /// Whether apps are blocked now, then each change of it: a question for parent mode is on the screen (F-05), or somebody
    /// has to sign in, and the cover for it covers everything (F-64).
    ///
    /// `false` at once when the daemon is lost: the mode is child then, nobody can answer the question or sign in any more, and
    /// anyone who stayed blocked would wait for nothing. That opens no gate: without the daemon nothing is granted.
    public var isBlocked: BlockedSequence { BlockedSequence(events: watch([.mode, .signIn])) }
}

extension Mode {
    /// Whether apps are blocked: a question is on the screen (F-05).
    public var isBlocked: Bool { self == .verifying }
}

/// The mode now, then each change of it.
public struct ModeSequence: AsyncSequence, Sendable {
    public typealias Element = Mode
    public typealias Failure = Never

    let events: WatchSequence

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(events: events.makeAsyncIterator())
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        var events: WatchSequence.AsyncIterator
        private var last: Mode?

        init(events: WatchSequence.AsyncIterator) {
            self.events = events
        }

        /// `nil` after cancellation, and after the client was closed.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Mode? {
            while let event = await events.next(isolation: actor) {
                guard let mode = event.state?.mode, mode != last else { continue }
                last = mode
                return mode
            }
            return nil
        }
    }
}

/// Whether apps are blocked now, then each change of it.
public struct BlockedSequence: AsyncSequence, Sendable {
    public typealias Element = Bool
    public typealias Failure = Never

    let events: WatchSequence

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(events: events.makeAsyncIterator())
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        var events: WatchSequence.AsyncIterator
        private var mode = Mode.child
        private var needsAuthentication = false
        private var last: Bool?

        init(events: WatchSequence.AsyncIterator) {
            self.events = events
        }

        /// `nil` after cancellation, and after the client was closed.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Bool? {
            while let event = await events.next(isolation: actor) {
                mode = event.state?.mode ?? mode
                needsAuthentication = event.signIn?.needsAuthentication ?? needsAuthentication
                let isBlocked = mode.isBlocked || needsAuthentication
                guard isBlocked != last else { continue }
                last = isBlocked
                return isBlocked
            }
            return nil
        }
    }
}
