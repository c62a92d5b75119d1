public import GateModel

/// The entitlements that are paid for now, then each change of them.
public struct EntitlementSequence: AsyncSequence, Sendable {
    public typealias Element = EntitlementsState
    public typealias Failure = Never

    let events: WatchSequence

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(events: events.makeAsyncIterator())
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        var events: WatchSequence.AsyncIterator
        private var last: EntitlementsState?

        init(events: WatchSequence.AsyncIterator) {
            self.events = events
        }

        /// `nil` after cancellation, and after the client was closed.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> EntitlementsState? {
            while let event = await events.next(isolation: actor) {
                guard let state = event.entitlements, state != last else { continue }
                last = state
                return state
            }
            return nil
        }
    }
}
