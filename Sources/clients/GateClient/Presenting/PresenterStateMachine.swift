import GateModel

/// One presenter, over any number of connections: what to do next, and what to tell the program that shows the
/// presentations.
///
/// Two promises, whatever the daemon sends. Each presentation that was handed over is closed exactly once, and before the
/// next one is handed over; so there is never more than one on the screen. And what was not claimed is not handed over: an
/// offer that somebody else was quicker to take is dropped, silently.
/// What is on another screen, and not for this one, is told when it changes, and taken back when the daemon is lost. Whether the desktop is
/// to be hidden is told when it changes, and stays as it was while the daemon is lost: its restart must uncover nothing.
///
/// Each message of the stream replaces the one before, so the caller tells of the newest alone. That also keeps an old
/// offer from being taken for news of a presentation that was claimed meanwhile: the daemon sends the claim's own message
/// before its answer.
struct PresenterStateMachine: Hashable, Sendable {
    private enum State: Hashable {
        /// A connection and the stream are being opened. Can go to: registering, away, refused.
        case opening
        /// The stream is open, and the daemon has not said yet that it takes this presenter. Can go to: idle, claiming, away,
        /// refused.
        case registering
        /// Registered, with nothing to show. Can go to: claiming, away, refused.
        case idle
        /// The presentation is on offer, and a claim of it is under way. Can go to: showing, idle, away, refused.
        case claiming(id: UInt64)
        /// The presentation was handed over. Can go to: idle, claiming, away, refused.
        case showing(id: UInt64)
        /// The daemon was lost; the next attempt comes after the wait. Can go to: opening.
        case away(wait: Duration)
        /// Nobody presents any more: the daemon does not let them, or they have stopped. Can go nowhere.
        case ended
    }

    /// The next thing for the caller to do.
    enum Action: Hashable, Sendable {
        /// Open the stream; then `streamOpened`.
        case open
        /// Take the newest message off the stream; then `messageReceived`.
        case receive
        /// Claim it on the stream's connection; then `claimed` or `claimFailed`.
        case claim(id: UInt64)
        /// Let the connection go and wait so long; then `waited`.
        case wait(Duration)
        case end
    }

    /// The news for the program that shows the presentations, in order.
    enum News: Hashable, Sendable {
        case registered
        case show(Presentation)
        case close(id: UInt64)
        case elsewhere(PresentationElsewhere?)
        case covered(Bool)
        case refused(GateError)
        case lost
    }

    private var state = State.opening
    private var reconnect = ReconnectStateMachine()
    /// Whether the loss was told. It is told once.
    private var hasToldLoss = false
    /// The last word about what is on another screen.
    private var elsewhere: PresentationElsewhere?
    /// The last word about the cover.
    private var isCovered = false

    var action: Action {
        switch state {
        case .opening: .open
        case .registering, .idle, .showing: .receive
        case .claiming(let id): .claim(id: id)
        case .away(let wait): .wait(wait)
        case .ended: .end
        }
    }

    /// The connection is there, and the request to register was sent.
    mutating func streamOpened() {
        switch state {
        case .opening: state = .registering
        case .registering, .idle, .claiming, .showing, .away:
            preconditionFailure("a stream was opened that nobody asked for")
        case .ended: break
        }
    }

    /// The daemon said what may be shown now, and what is on another screen and not for this presenter; `nil`: nothing.
    mutating func messageReceived(
        _ now: PresentationSummary?, elsewhere: PresentationElsewhere? = nil, isCovered: Bool = false
    ) -> [News] {
        // Hidden before what was shown goes.
        coverHeard(isCovered) + offerReceived(now) + elsewhereHeard(elsewhere)
    }

    private mutating func coverHeard(_ now: Bool) -> [News] {
        switch state {
        case .ended: return []
        case .opening, .registering, .idle, .claiming, .showing, .away:
            guard now != isCovered else { return [] }
            isCovered = now
            return [.covered(now)]
        }
    }

    /// How far it has come there is nobody's concern here.
    private mutating func elsewhereHeard(_ now: PresentationElsewhere?) -> [News] {
        switch state {
        case .ended: return []
        case .opening, .registering, .idle, .claiming, .showing, .away:
            guard now?.summary.id != elsewhere?.summary.id || now?.place != elsewhere?.place else { return [] }
            elsewhere = now
            return [.elsewhere(now)]
        }
    }

    private mutating func offerReceived(_ now: PresentationSummary?) -> [News] {
        switch state {
        case .registering:
            reconnect.caughtUp()
            hasToldLoss = false
            offered(now)
            return [.registered]
        case .idle:
            offered(now)
            return []
        case .showing(let id):
            guard now?.id != id || now?.isHeld == false else { return [] }
            // Another one, or the same again: a sign-in cover gives way and comes back, and its cookie is a new one then.
            offered(now)
            return [.close(id: id)]
        case .opening, .claiming, .away: preconditionFailure("a message was taken that nobody asked for")
        case .ended: return []
        }
    }

    /// The claim was granted: this is what to show.
    mutating func claimed(_ presentation: Presentation, jitter: Double) -> [News] {
        switch state {
        case .claiming(presentation.id):
            state = .showing(id: presentation.id)
            return [.show(presentation)]
        case .claiming:
            let what = "The daemon sent another presentation than was claimed."
            return failed(GateError(.internal, .unspecified, what), jitter: jitter)
        case .opening, .registering, .idle, .showing, .away: preconditionFailure("a claim that nobody made")
        case .ended: return []
        }
    }

    /// The claim was refused, or its answer is missing.
    mutating func claimFailed(_ error: GateError, jitter: Double) -> [News] {
        switch state {
        case .claiming:
            // Somebody else was quicker, or it is not for this presenter any more: the policy has changed.
            guard error.reason == .closed || error.reason == .notPermitted else {
                // Whether it was claimed is not known. Letting the stream go hands it back.
                return failed(error, jitter: jitter)
            }
            state = .idle
            return []
        case .opening, .registering, .idle, .showing, .away: preconditionFailure("a claim that nobody made")
        case .ended: return []
        }
    }

    /// The attempt failed, or the connection or the stream has ended.
    mutating func failed(_ error: GateError, jitter: Double) -> [News] {
        switch state {
        case .opening, .registering, .idle, .claiming: return goAway(error, jitter: jitter)
        case .showing(let id): return [.close(id: id)] + goAway(error, jitter: jitter)
        case .away, .ended: return []
        }
    }

    /// The wait is over.
    mutating func waited() {
        switch state {
        case .away:
            reconnect.waited()
            state = .opening
        case .opening, .registering, .idle, .claiming, .showing:
            preconditionFailure("a wait ended that was never begun")
        case .ended: break
        }
    }

    /// Nobody presents any more.
    mutating func stopped() {
        state = .ended
    }

    private mutating func offered(_ now: PresentationSummary?) {
        guard let now else {
            state = .idle
            return
        }
        switch now.stage {
        case .offered: state = .claiming(id: now.id)
        // Not on offer yet, or held without its content: there is nothing to hand over.
        case .waiting, .claimed, .shown: state = .idle
        }
    }

    private mutating func goAway(_ error: GateError, jitter: Double) -> [News] {
        elsewhereHeard(nil) + wentAway(error, jitter: jitter)
    }

    private mutating func wentAway(_ error: GateError, jitter: Double) -> [News] {
        guard !error.isLasting else {
            state = .ended
            return [.refused(error)]
        }
        state = .away(wait: reconnect.failed(jitter: jitter) ?? ReconnectStateMachine.longestWait)
        guard !hasToldLoss else { return [] }
        hasToldLoss = true
        return [.lost]
    }
}

extension PresentationSummary {
    fileprivate var isHeld: Bool {
        switch stage {
        case .claimed, .shown: true
        case .waiting, .offered: false
        }
    }
}

extension GateError {
    /// Whether asking for the same again would bring the same answer, until somebody changes something.
    fileprivate var isLasting: Bool {
        switch code {
        case .permissionDenied, .unauthenticated, .invalidArgument, .failedPrecondition, .unimplemented, .notFound: true
        // The connection has registered again: two that took it from each other in turn would never end.
        case .aborted: reason == .closed
        case .cancelled, .unknown, .deadlineExceeded, .alreadyExists, .resourceExhausted, .outOfRange, .internal,
            .unavailable, .dataLoss:
            false
        }
    }
}
