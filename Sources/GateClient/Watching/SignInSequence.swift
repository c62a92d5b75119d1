public import GateModel

/// The state of the sign-in now, then each change of it.
public struct SignInSequence: AsyncSequence, Sendable {
    public typealias Element = SignInState
    public typealias Failure = Never

    let events: WatchSequence

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(events: events.makeAsyncIterator())
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        var events: WatchSequence.AsyncIterator
        private var last: SignInState?

        init(events: WatchSequence.AsyncIterator) {
            self.events = events
        }

        /// `nil` after cancellation, and after the client was closed.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> SignInState? {
            while let event = await events.next(isolation: actor) {
                guard let state = event.signIn, state != last else { continue }
                last = state
                return state
            }
            return nil
        }
    }
}
