import GateModel

/// One presenter, over any number of connections. Decides what to do next, and what to report to the program that shows
/// the presentations. Whatever the daemon sends:
/// - Each presentation that was handed over is closed exactly once, before the next one is handed over.
/// - Only claimed presentations are handed over. An offer that another presenter claims first is dropped silently.
/// - A presentation on another screen is reported when it changes, and taken back when the daemon is lost.
/// - Whether to hide the desktop is reported when it changes. It stays unchanged while the daemon is lost: a restart of
///   the daemon must not uncover the desktop.
///
/// Each message of the stream replaces the one before, so the caller passes only the newest. The daemon sends the
/// message about a claim before it answers the claim, so after the answer no older offer is taken.
struct PresenterStateMachine: Hashable, Sendable {
    private enum State: Hashable {
        /// A connection and the stream are being opened. Can go to `registering`, `away` or `ended`.
        case opening
        /// The stream is open, and the daemon has not accepted it yet. Can go to `idle`, `claiming`, `away`, `ended`.
        case registering
        /// Registered, with nothing to show. Can go to `claiming`, `away` or `ended`.
        case idle
        /// A presentation is on offer, and a claim of it is under way. Can go to `showing`, `idle`, `away` or `ended`.
        case claiming(id: UInt64)
        /// The presentation was handed over. Can go to `idle`, `claiming`, `away` or `ended`.
        case showing(id: UInt64)
        /// The daemon was lost; the next attempt comes after the wait. Can go to `opening` or `ended`.
        case away(wait: Duration)
        /// The daemon refuses this presenter, or the program has stopped presenting. Final.
        case ended
    }

    enum Action: Hashable, Sendable {
        /// Open the stream, then call `streamOpened`.
        case open
        /// Take the newest message from the stream, then call `messageReceived`.
        case receive
        /// Claim the presentation on the stream's connection, then call `claimed` or `claimFailed`.
        case claim(id: UInt64)
        /// Release the connection and wait this long, then call `waited`.
        case wait(Duration)
        case end
    }

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
    /// Whether the current loss was reported, since it is reported only once.
    private var hasToldLoss = false
    private var elsewhere: PresentationElsewhere?
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

    mutating func streamOpened() {
        switch state {
        case .opening: state = .registering
        case .registering, .idle, .claiming, .showing, .away:
            preconditionFailure("a stream was opened that nobody asked for")
        case .ended: break
        }
    }

    /// The daemon says what to show now, what is on another screen, and whether to hide the desktop. `nil`: nothing.
    mutating func messageReceived(
        _ now: PresentationSummary?, elsewhere: PresentationElsewhere? = nil, isCovered: Bool = false
    ) -> [News] {
        // The cover comes first, so that the desktop is hidden before a presentation is closed.
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

    /// Only another presentation or place is news; how far that presentation has come does not matter here.
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
            // Another one, or the same again: a sign-in cover gives way to others and comes back with a new cookie.
            offered(now)
            return [.close(id: id)]
        case .opening, .claiming, .away: preconditionFailure("a message was taken that nobody asked for")
        case .ended: return []
        }
    }

    mutating func claimed(_ presentation: Presentation, jitter: Double) -> [News] {
        switch state {
        case .claiming(presentation.id):
            state = .showing(id: presentation.id)
            return [.show(presentation)]
        case .claiming:
            let what = "The daemon sent another presentation than the one that was claimed."
            return failed(GateError(.internal, .unspecified, what), jitter: jitter)
        case .opening, .registering, .idle, .showing, .away: preconditionFailure("a claim that nobody made")
        case .ended: return []
        }
    }

    /// The claim was refused, or its answer did not arrive.
    mutating func claimFailed(_ error: GateError, jitter: Double) -> [News] {
        switch state {
        case .claiming:
            // Another presenter was faster, or by a new policy it is not for this presenter any more.
            guard error.reason == .closed || error.reason == .notPermitted else {
                // It is unknown whether the claim succeeded. Closing the stream hands the presentation back if it did.
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
        // Not on offer yet, or held by this presenter without its content: there is nothing to hand over.
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
    /// Whether the same request would fail again until somebody changes something.
    fileprivate var isLasting: Bool {
        switch code {
        case .permissionDenied, .unauthenticated, .invalidArgument, .failedPrecondition, .unimplemented, .notFound: true
        // The client has registered again for another iteration. If both tried again, it would never end.
        case .aborted: reason == .closed
        case .cancelled, .unknown, .deadlineExceeded, .alreadyExists, .resourceExhausted, .outOfRange, .internal,
            .unavailable, .dataLoss:
            false
        }
    }
}
