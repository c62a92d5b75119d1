public import GateModel

extension FormSession {
    /// The answers now, and then after each change, whoever makes it. The session's own properties are at least as new
    /// as what the sequence returned last. It ends when the form is completed or discarded.
    public var updates: FormUpdateSequence { FormUpdateSequence(session: self) }
}

/// The answers of a form that is being filled in: first as they are now, then after each change.
///
/// It never throws, and ends when the form is completed or discarded, the task is cancelled or the client is closed. A
/// slow reader gets several changes as one. Each iteration is a watch of its own, for one task.
public struct FormUpdateSequence: AsyncSequence, Sendable {
    /// Every enabled item, answered or not, in order.
    public typealias Element = QuestionnaireResponse
    /// It never throws.
    public typealias Failure = Never

    let session: FormSession

    /// Makes a watch, which begins with the first call of `next`.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(
            session: session,
            events: WatchSequence(connection: session.line.shared, topics: [.forms]).makeAsyncIterator())
    }

    /// One watch.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let session: FormSession
        var events: WatchSequence.AsyncIterator
        /// The revision of the draft that was returned last.
        private var revision: UInt64?

        init(session: FormSession, events: WatchSequence.AsyncIterator) {
            self.session = session
            self.events = events
        }

        /// The answers now, and after that the next change; `nil` when the form is completed or discarded, after
        /// cancellation, and after the client was closed. While the daemon is away, it waits.
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
                    // The daemon may come back; the watch then says whether the draft still exists.
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
