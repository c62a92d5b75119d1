import GateModel

/// The stream of one presenter: what it was told last. If it does not read, it is told only the newest offer when it
/// reads again, so it needs no more memory than this.
struct PresenterStreamStateMachine<Offer: Hashable & Sendable>: Hashable, Sendable {
    private enum State: Hashable {
        /// Its registration is becoming durable, and it was told nothing yet. Can go to: live.
        case registering
        /// It was told what it may show, or that there is nothing. Can go to: live, behind.
        case live(told: Offer)
        /// It was told this, and did not read fast enough for a later offer. Can go to: live.
        case behind(told: Offer)
    }

    private var state = State.registering

    enum Next: Hashable {
        case send(Offer)
        case wait
    }

    /// The registration is durable, and the presenter may show this. It is told even if there is nothing to show, so it
    /// learns that it is registered.
    mutating func registered(_ offer: Offer) -> Next {
        switch state {
        case .registering:
            state = .live(told: offer)
            return .send(offer)
        case .live, .behind:
            preconditionFailure("a presenter's stream was registered twice")
        }
    }

    /// A change is durable, and the presenter may now show this.
    mutating func changed(_ offer: Offer, isBacklogged: Bool) -> Next {
        switch state {
        case .registering:
            return .wait
        case .live(let told):
            guard told != offer else { return .wait }
            if isBacklogged {
                state = .behind(told: told)
                return .wait
            }
            state = .live(told: offer)
            return .send(offer)
        case .behind:
            return .wait
        }
    }

    /// The kernel has taken everything that was queued for it.
    mutating func drained(_ offer: Offer) -> Next {
        switch state {
        case .registering, .live:
            return .wait
        case .behind(let told):
            state = .live(told: offer)
            return told == offer ? .wait : .send(offer)
        }
    }
}
