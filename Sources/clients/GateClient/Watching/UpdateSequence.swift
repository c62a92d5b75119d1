public import GateModel

extension GateClient {
    /// The mode now, then each change of it. `child` while the daemon is lost.
    public var modeUpdates: UpdateSequence<Mode> {
        UpdateSequence(events(of: [.mode])) { { $0.mode?.mode } }
    }

    /// Tells an app whether it is blocked: first the state now, then each change. Apps are blocked while a question for
    /// parent mode is open, and while somebody has to sign in.
    ///
    /// `false` while the daemon is lost, since no person could then end the blocking. This opens no gate: nothing is
    /// granted without the daemon.
    public var isBlockedUpdates: UpdateSequence<Bool> {
        UpdateSequence(events(of: [.mode, .signIn])) {
            var mode = Mode.child
            var needsAuthentication = false
            return { event in
                mode = event.mode?.mode ?? mode
                needsAuthentication = event.signIn?.needsAuthentication ?? needsAuthentication
                return mode.isBlocked || needsAuthentication
            }
        }
    }

    /// The state of the sign-in now, then each change of it. `SignInState.closed` while the daemon is lost.
    public var signInUpdates: UpdateSequence<SignInState> {
        UpdateSequence(events(of: [.signIn])) { { $0.signIn } }
    }

    /// The entitlements now, then each change, including ends. `EntitlementsState.closed` while the daemon is lost.
    public var entitlementUpdates: UpdateSequence<EntitlementsState> {
        UpdateSequence(events(of: [.entitlements])) { { $0.entitlements } }
    }

    /// The caller's drafts of forms (administrators: all), then each change of them. Empty while the daemon is lost.
    public var formUpdates: UpdateSequence<[FormSummary]> {
        UpdateSequence(events(of: [.forms])) { { $0.forms } }
    }

    /// The asks that `AuthorizationCalls.asks` returns, now and after each change. Empty while the daemon is lost.
    public var askUpdates: UpdateSequence<[Ask]> {
        UpdateSequence(events(of: [.asks])) { { $0.asks } }
    }
}

extension Mode {
    /// Whether apps are blocked, because a question for parent mode is open.
    public var isBlocked: Bool { self == .verifying }
}

/// A part of the state: first as it is now, then after each change.
///
/// It never throws, and ends only when its task is cancelled or the client is closed. A slow reader misses values in
/// between, but never the last one. Each iteration is a watch of its own, for one task; it reconnects by itself.
public struct UpdateSequence<Element: Hashable & Sendable>: AsyncSequence, Sendable {
    /// It never throws.
    public typealias Failure = Never

    private let events: WatchSequence
    private let makeReader: @Sendable () -> (WatchEvent) -> Element?

    /// - Parameter makeReader: is called for each iteration. The function that it returns finds the element after an
    ///   event, or returns `nil` if the event does not change it.
    init(_ events: WatchSequence, _ makeReader: @escaping @Sendable () -> (WatchEvent) -> Element?) {
        self.events = events
        self.makeReader = makeReader
    }

    /// Makes a watch, which begins with the first call of `next`.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(events: events.makeAsyncIterator(), read: makeReader())
    }

    /// One watch.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var events: WatchSequence.AsyncIterator
        private let read: (WatchEvent) -> Element?
        private var last: Element?

        init(events: WatchSequence.AsyncIterator, read: @escaping (WatchEvent) -> Element?) {
            self.events = events
            self.read = read
        }

        /// The state at first, then after its next change; `nil` after cancellation, and after the client was closed.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
            while let event = await events.next(isolation: actor) {
                guard let element = read(event), element != last else { continue }
                last = element
                return element
            }
            return nil
        }
    }
}
