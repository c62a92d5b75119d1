public import GateModel

/// The forms that are being filled in now, then each change of them.
public struct FormSequence: AsyncSequence, Sendable {
    public typealias Element = [FormSummary]
    public typealias Failure = Never

    let events: WatchSequence

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(events: events.makeAsyncIterator())
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        var events: WatchSequence.AsyncIterator
        private var last: [FormSummary]?

        init(events: WatchSequence.AsyncIterator) {
            self.events = events
        }

        /// `nil` after cancellation, and after the client was closed.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> [FormSummary]? {
            while let event = await events.next(isolation: actor) {
                guard let forms = event.forms, forms != last else { continue }
                last = forms
                return forms
            }
            return nil
        }
    }
}
