public import GateModel
import GateProtocol

extension GateClient {
    /// Calls about the presentations of the device, and showing them as a presenter.
    public struct PresentationCalls: Sendable {
        let client: GateClient
    }
}

extension GateClient.PresentationCalls {
    /// The open presentations, in the order of showing. The presenters that the policy names and administrators get
    /// all, providers also every paywall, and other programs those that this client has requested. The questions of
    /// other devices are only listed for presenters of grown-ups and for administrators.
    public func list() async throws(GateError) -> [PresentationSummary] {
        try await client.call(Methods.Presentations.list, ListPresentationsRequest()).presentations
    }

    /// Closes any presentation. A sign-in cover stays away until somebody has signed in and out again, or the policy is
    /// read again. For administrators.
    /// - Throws: `NOT_FOUND` (`unknown`) if it is closed already.
    @discardableResult
    public func withdraw(_ id: UInt64) async throws(GateError) -> WithdrawnPresentation {
        let response = try await client.call(Methods.Presentations.withdraw, WithdrawRequest(id: id))
        return WithdrawnPresentation(id: id, revision: response.revision)
    }

    /// The presentations that this program has to show for all programs of the device, as long as a task iterates. For
    /// the role presenter.
    ///
    /// Presentations come one at a time, already claimed, and only while the task waits for the next event. When
    /// the iteration ends, the one on the screen is handed back. `present` does all of this except the showing.
    public func events(for abilities: PresenterAbilities) -> PresenterSequence {
        PresenterSequence(shared: client.connection, abilities: abilities)
    }

    /// Shows presentations for all programs of the device, until the task is cancelled or the client is closed.
    /// - Parameter present: shows one presentation and returns what the person did. Its task is cancelled when the
    ///   presentation can no longer be answered; take it off the screen then.
    /// - Throws: `PERMISSION_DENIED` (`notPermitted`) if this program may not present.
    public func present(_ abilities: PresenterAbilities, _ present: @escaping PresentationHandler)
        async throws(GateError)
    {
        for await event in events(for: abilities) {
            switch event {
            // A wrong answer or a withdrawal is an error for the requester, not for this presenter.
            case .show(let open): _ = try? await open.answered(by: present)
            case .refused(let error): throw error
            case .close, .registered, .lost, .elsewhere, .covered: break
            }
        }
    }
}

/// A presentation that was withdrawn.
public struct WithdrawnPresentation: Hashable, Sendable, Identifiable {
    /// The number of the presentation.
    public var id: UInt64
    /// The revision from which on the presentation is closed.
    public var revision: Revision

    package init(id: UInt64, revision: Revision) {
        self.id = id
        self.revision = revision
    }
}

/// An event for a presenter.
@nonexhaustive
public enum PresenterEvent: Sendable {
    /// Show this to a person, and complete it with what they did. No other program shows it.
    case show(OpenPresentation)
    /// Take this presentation off the screen, if it is still there. Comes once for each `show`, however the
    /// presentation ended, and before the next `show`.
    case close(id: UInt64)
    /// A secret, or a question for grown-ups, is on another screen, which this presenter may point to; `nil`: no more.
    case elsewhere(PresentationElsewhere?)
    /// Somebody has to sign in, and this program could show the sign-in: it has to hide the desktop from now on,
    /// beneath whatever else it shows, and also while the daemon is lost. `false`: it need not any more.
    case covered(Bool)
    /// The daemon offers its presentations to this program from now on. Comes again after each loss.
    case registered
    /// The daemon does not let this program present. This is the last event: trying again would have the same result.
    case refused(GateError)
    /// The daemon is out of reach. Comes once for each loss, while the sequence continues to try to reach the daemon.
    case lost
}

/// The presentations for one presenter, over as many connections as necessary. A client can only be one presenter: if a
/// second iteration begins, the first one gets `refused`.
///
/// It never throws. Cancelling the task or closing the client ends it. An iterator belongs to one task.
public struct PresenterSequence: AsyncSequence, Sendable {
    /// An event for this presenter.
    public typealias Element = PresenterEvent
    /// It never throws.
    public typealias Failure = Never

    let shared: SharedConnection
    let abilities: PresenterAbilities

    /// Presenting begins with the first call of `next`.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(shared: shared, abilities: abilities)
    }

    /// One presenter. It does what the state machine says while a task waits for the next event; it has no own task.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let shared: SharedConnection
        let abilities: PresenterAbilities
        private var machine = PresenterStateMachine()
        private var connection: OpenConnection?
        private var messages: MessageStream.AsyncIterator?
        /// Events of the machine that were not returned yet, oldest first.
        private var untold: [PresenterEvent] = []

        init(shared: SharedConnection, abilities: PresenterAbilities) {
            self.shared = shared
            self.abilities = abilities
        }

        /// The next event; `nil` after `refused`, after cancellation, and after the client was closed.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> PresenterEvent? {
            while true {
                if Task.isCancelled {
                    untold = []
                    machine.stopped()
                }
                if !untold.isEmpty { return untold.removeFirst() }
                do throws(GateError) {
                    switch machine.action {
                    case .open:
                        let opened = try await shared.connected()
                        messages = try await opened.openStream(
                            Methods.Presentations.register, RegisterPresenterRequest(abilities: abilities)
                        ).makeAsyncIterator()
                        connection = opened
                        machine.streamOpened()
                    case .receive:
                        let message = try await newestMessage(isolation: actor)
                        tell(
                            machine.messageReceived(
                                message.presentation, elsewhere: message.elsewhere, isCovered: message.isCovered))
                    case .claim(let id):
                        guard let connection else { preconditionFailure("a claim without a connection") }
                        let claim = await Self.claim(id, on: connection)
                        switch claim {
                        case .success(let presentation):
                            tell(machine.claimed(presentation, jitter: .random(in: 0..<1)))
                        case .failure(let error):
                            tell(machine.claimFailed(error, jitter: .random(in: 0..<1)))
                        }
                    case .wait(let duration):
                        letGo()
                        try? await shared.options.pause(duration)
                        machine.waited()
                    case .end:
                        letGo()
                        return nil
                    }
                } catch {
                    letGo()
                    tell(machine.failed(error, jitter: .random(in: 0..<1)))
                    if await shared.isClosed {
                        // The client was closed, so nothing will come any more.
                        untold = []
                        machine.stopped()
                    }
                }
            }
        }

        /// Takes all messages that are there and returns the last, since each one replaces those before it.
        private mutating func newestMessage(
            isolation actor: isolated (any Actor)?
        ) async throws(GateError) -> RegisterPresenterResponse {
            while true {
                guard let bytes = try await messages?.next(isolation: actor) else {
                    throw GateError(.unavailable, .unspecified, "The daemon ended the presenter's stream.")
                }
                guard messages?.hasNext ?? false else { return try RegisterPresenterResponse(ofDaemon: bytes) }
            }
        }

        private mutating func tell(_ news: [PresenterStateMachine.News]) {
            for piece in news {
                switch piece {
                case .registered: untold.append(.registered)
                case .show(let presentation):
                    guard let connection else { preconditionFailure("a presentation without a connection") }
                    untold.append(.show(OpenPresentation(presentation, .claimed, on: connection)))
                case .close(let id): untold.append(.close(id: id))
                case .elsewhere(let elsewhere): untold.append(.elsewhere(elsewhere))
                case .covered(let isCovered): untold.append(.covered(isCovered))
                case .refused(let error): untold.append(.refused(error))
                case .lost: untold.append(.lost)
                }
            }
        }

        // Static, because an iterator belongs to its task's isolation, and this runs outside of it.

        private static func claim(
            _ id: UInt64, on connection: OpenConnection
        ) async -> Result<Presentation, GateError> {
            do throws(GateError) {
                return .success(
                    try await connection.call(Methods.Presentations.claim, ClaimRequest(id: id)).presentation)
            } catch {
                return .failure(error)
            }
        }

        private mutating func letGo() {
            messages = nil
            connection = nil
        }
    }
}
