public import GateModel
import GateProtocol

extension FormSession {
    /// The answers now, then each change of them, no matter who makes it. Each is read as it comes, so what the session
    /// tells is at least as new. Ends when the form is completed or discarded.
    public var updates: FormUpdateSequence { FormUpdateSequence(session: self) }
}

/// The answers of a form that is being filled in, now and with each change.
///
/// It never throws, and ends when the form is completed or discarded, the task is cancelled or the client is closed. Changes that a
/// slow reader did not take come as one. Each iteration is a watch of its own, for one task.
public struct FormUpdateSequence: AsyncSequence, Sendable {
    /// Every item that is enabled, answered or not, in order.
    public typealias Element = QuestionnaireResponse
    /// It never throws.
    public typealias Failure = Never

    let session: FormSession

    /// Begins a watch.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(
            session: session,
            events: WatchSequence(connection: session.line.shared, topics: [.forms]).makeAsyncIterator())
    }

    /// One watch.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let session: FormSession
        var events: WatchSequence.AsyncIterator
        /// The revision of the draft that was told last.
        private var revision: UInt64?

        init(session: FormSession, events: WatchSequence.AsyncIterator) {
            self.session = session
            self.events = events
        }

        /// The answers now, then after the next change; `nil` once the form is completed or discarded, after cancellation, and after the client was closed. While the
        /// daemon is away nothing comes.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async -> QuestionnaireResponse? {
            while let event = await events.next(isolation: actor) {
                switch event {
                case .lost: continue
                case .snapshot, .change, .resumed: break
                }
                guard let forms = event.forms else { continue }
                guard let summary = forms.first(where: session.isOf) else { return nil }
                guard summary.revision != revision else { continue }
                do throws(GateError) {
                    let response = try await session.refresh()
                    revision = summary.revision
                    return response
                } catch {
                    // It may be back; whether the draft is, the watch says then.
                    guard error.code == .unavailable else { return nil }
                }
            }
            return nil
        }
    }
}

extension FormSession {
    fileprivate func isOf(_ summary: FormSummary) -> Bool {
        summary.name == name && summary.holder == holder && summary.draftID == draftID
    }
}
