import GateModel

/// The stream of one presenter: what it was told of last. One that does not read gets the newest when it
/// reads again, so this is all the memory it needs.
struct PresenterStreamStateMachine<Offer: Hashable & Sendable>: Hashable, Sendable {
    private enum State: Hashable {
        /// Its registration is on its way to be durable; it was told nothing yet. Can go to: live.
        case registering
        /// It was told what it may show, or that there is nothing. Can go to: live, behind.
        case live(told: Offer)
        /// It was told this, and did not read fast enough for what came since. Can go to: live.
        case behind(told: Offer)
    }

    private var state = State.registering

    enum Next: Hashable {
        /// Tell it this.
        case send(Offer)
        /// Nothing, for now.
        case wait
    }

    /// It is registered, and may show this. Told at once, even that there is nothing: so it knows that it is registered.
    mutating func registered(_ offer: Offer) -> Next {
        switch state {
        case .registering:
            state = .live(told: offer)
            return .send(offer)
        case .live, .behind:
            preconditionFailure("a presenter's stream was registered twice")
        }
    }

    /// Something is durable; this is what it may show now.
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
