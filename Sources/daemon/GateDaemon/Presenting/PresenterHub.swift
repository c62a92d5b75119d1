import GateCore
import GateModel
import GateProtocol
import TTRPCTransport

/// The peers that show presentations to people, each with one stream for that. Confined to the event loop.
final class PresenterHub {
    struct Presenter {
        /// The number of its call, which an earlier presenter with the same stream id does not share.
        let number: UInt64
        let session: PeerSession
        let stream: UInt32
        let abilities: PresenterAbilities
        var machine = PresenterStreamStateMachine<PresenterOffer>()

        var key: StreamKey { StreamKey(connection: session.peer.connection, stream: stream) }
    }

    /// By connection.
    private var presenters: [UInt64: Presenter] = [:]

    var count: Int { presenters.count }
    var isEmpty: Bool { presenters.isEmpty }

    func count(of uid: UInt32) -> Int { presenters.values.count { $0.session.peer.uid == uid } }

    /// A peer begins to show presentations. If it was a presenter already, this replaces its earlier stream.
    func open(_ abilities: PresenterAbilities, _ call: Call<RegisterPresenterResponse>, in sessions: Sessions) {
        let presenter = Presenter(
            number: call.number, session: call.session, stream: call.stream, abilities: abilities)
        if let replaced = presenters.updateValue(presenter, forKey: call.peer.connection) {
            sessions.end(replaced.stream, of: replaced.session, .presenterReplaced)
        }
        sessions.pipeline.submit(.presentations(.register(abilities)), as: call.peer) { [self] result in
            switch result {
            case .failure(let error):
                end(presenter, error, sessions)
            case .success(let settled):
                if case .refused(let error) = settled.reply { return end(presenter, error, sessions) }
                registered(presenter, sessions.pipeline.durable)
            }
        }
    }

    /// The roles of these connections have changed, and with them what their presenters may show.
    func registerAgain(_ connections: Set<UInt64>, in sessions: Sessions) {
        for presenter in connections.sorted().compactMap({ presenters[$0] }) {
            sessions.pipeline.submit(.presentations(.register(presenter.abilities)), as: presenter.session.peer) {
                [self] result in
                if case .failure(let error) = result { end(presenter, error, sessions) }
            }
        }
    }

    /// - Returns: false if this stream is not a presenter's, or was replaced.
    func remove(_ key: StreamKey) -> Bool {
        guard presenters[key.connection]?.stream == key.stream else { return false }
        presenters[key.connection] = nil
        return true
    }

    func publish(_ state: GateState, where isTold: (UInt64) -> Bool) {
        for connection in presenters.keys where isTold(connection) {
            guard let isBacklogged = presenters[connection]?.session.connection.isBacklogged else { continue }
            let offer = state.queue.offer(to: connection)
            send(presenters[connection]?.machine.changed(offer, isBacklogged: isBacklogged), to: connection)
        }
    }

    func drained(_ key: StreamKey, state: GateState) {
        send(presenters[key.connection]?.machine.drained(state.queue.offer(to: key.connection)), to: key.connection)
    }

    private func registered(_ presenter: Presenter, _ state: GateState) {
        let connection = presenter.key.connection
        // Nothing is sent if the stream has ended or was replaced.
        guard presenters[connection]?.number == presenter.number else { return }
        send(presenters[connection]?.machine.registered(state.queue.offer(to: connection)), to: connection)
    }

    private func send(_ next: PresenterStreamStateMachine<PresenterOffer>.Next?, to connection: UInt64) {
        guard case .send(let offer) = next, let presenter = presenters[connection] else { return }
        presenter.session.connection.send(
            presenter.stream,
            message: RegisterPresenterResponse(
                presentation: offer.presentation, elsewhere: offer.elsewhere, isCovered: offer.isCovered
            ).encoded())
    }

    private func end(_ presenter: Presenter, _ error: GateError, _ sessions: Sessions) {
        guard presenters[presenter.key.connection]?.number == presenter.number else { return }
        // A refused registration leaves nothing to withdraw. After a failed commit there may be an earlier
        // registration, which `sessions.end` withdraws as long as the presenter is still listed here.
        if error.reason != .storeFailed { presenters[presenter.key.connection] = nil }
        sessions.end(presenter.stream, of: presenter.session, error)
    }
}

extension GateError {
    fileprivate static let presenterReplaced = GateError(
        .aborted, .closed, "This connection has registered again, which ended its earlier stream.",
        parameters: ["what": "registered-again"])

    static let noLongerPresenter = GateError(
        .permissionDenied, .notPermitted, "This user is no longer a presenter.", parameters: ["what": "presenter"])
}

/// The stream of one presenter, with the newest offer that was sent. A presenter that does not read gets only the
/// newest offer when it reads again, so it needs no more memory than this.
struct PresenterStreamStateMachine<Offer: Hashable & Sendable>: Hashable, Sendable {
    private enum State: Hashable {
        /// Its registration is becoming durable, and nothing was sent yet. Can go to: live.
        case registering
        /// It was sent this offer, which may be empty. Can go to: live, behind.
        case live(told: Offer)
        /// It was sent this, and did not read fast enough for a later offer. Can go to: live.
        case behind(told: Offer)
    }

    private var state = State.registering

    enum Next: Hashable {
        case send(Offer)
        case wait
    }

    /// Tells a presenter even if there is nothing to show, so it learns that its registration is durable.
    mutating func registered(_ offer: Offer) -> Next {
        switch state {
        case .registering:
            state = .live(told: offer)
            return .send(offer)
        case .live, .behind:
            preconditionFailure("a presenter's stream was registered twice")
        }
    }

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

    /// The kernel has taken everything that was queued for the presenter.
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
