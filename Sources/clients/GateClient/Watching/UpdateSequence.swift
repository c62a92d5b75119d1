public import GateModel

extension GateClient {
    /// The mode now, then each change of it (F-01). `child` at once when the daemon is lost, until it is back.
    public var modeUpdates: UpdateSequence<Mode> {
        UpdateSequence(events(of: [.mode])) { { $0.mode?.mode } }
    }

    /// Whether apps are blocked now, then each change of it: a question for parent mode is on the screen (F-05), or somebody
    /// has to sign in, and the cover for it covers everything (F-64).
    ///
    /// `false` at once when the daemon is lost: the mode is child then, nobody can answer the question or sign in any more, and
    /// anyone who stayed blocked would wait for nothing. That opens no gate: without the daemon nothing is granted.
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

    /// The state of the sign-in now, then each change of it (F-62, F-71). `SignInState.closed` at once when the daemon
    /// is lost, until it is back.
    public var signInUpdates: UpdateSequence<SignInState> {
        UpdateSequence(events(of: [.signIn])) { { $0.signIn } }
    }

    /// The entitlements that are paid for now, then each change; an end is told by itself. `EntitlementsState.closed`
    /// at once when the daemon is lost, until it is back.
    public var entitlementUpdates: UpdateSequence<EntitlementsState> {
        UpdateSequence(events(of: [.entitlements])) { { $0.entitlements } }
    }

    /// The forms that are being filled in now, then each change of them: one's own; for administrators all. None at once when
    /// the daemon is lost, until it is back.
    public var formUpdates: UpdateSequence<[FormSummary]> {
        UpdateSequence(events(of: [.forms])) { { $0.forms } }
    }
}

extension Mode {
    /// Whether apps are blocked: a question is on the screen (F-05).
    public var isBlocked: Bool { self == .verifying }
}

/// A part of the state as it is now, then each change of it.
///
/// It never throws, and ends only when its task is cancelled or the client is closed. A slow reader misses what came between, and
/// never what came last. Each iteration is a watch of its own, for one task; it reconnects by itself.
public struct UpdateSequence<Element: Hashable & Sendable>: AsyncSequence, Sendable {
    /// It never throws.
    public typealias Failure = Never

    private let events: WatchSequence
    private let makeReader: @Sendable () -> (WatchEvent) -> Element?

    /// - Parameter makeReader: for each iteration, what finds the element after an event; `nil`: it is what it was.
    init(_ events: WatchSequence, _ makeReader: @escaping @Sendable () -> (WatchEvent) -> Element?) {
        self.events = events
        self.makeReader = makeReader
    }

    /// Begins a watch.
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

        /// The state at first, then the next change of it; `nil` after cancellation, and after the client was closed.
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
