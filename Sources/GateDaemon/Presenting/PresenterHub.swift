import GateCore
import GateModel
import GateProtocol
import TTRPCTransport

/// Everyone who shows presentations to people. One stream a connection.
struct PresenterHub {
    struct Presenter {
        /// The number of its call: tells it from an earlier one of the same stream id.
        let number: UInt64
        let session: PeerSession
        let stream: UInt32
        let abilities: PresenterAbilities
        var machine = PresenterStreamStateMachine()

        var key: StreamKey { StreamKey(connection: session.peer.connection, stream: stream) }
    }

    /// The presenters by connection.
    private(set) var presenters: [UInt64: Presenter] = [:]

    func ofConnections(_ connections: Set<UInt64>) -> [Presenter] {
        connections.sorted().compactMap { presenters[$0] }
    }

    /// Returns the one that it takes the place of.
    mutating func add(_ presenter: Presenter) -> Presenter? {
        presenters.updateValue(presenter, forKey: presenter.session.peer.connection)
    }

    /// Nil where this stream is none, or was replaced.
    mutating func remove(_ key: StreamKey) -> Presenter? {
        guard presenters[key.connection]?.stream == key.stream else { return nil }
        return presenters.removeValue(forKey: key.connection)
    }

    /// The registration of this call is durable.
    mutating func registered(_ number: UInt64, of connection: UInt64, state: GateState) {
        // Late and harmless: the stream has ended, or another one has taken its place.
        guard presenters[connection]?.number == number else { return }
        send(presenters[connection]?.machine.registered(state.presentation(forPresenter: connection)), to: connection)
    }

    /// Tells everyone who may show something else now, of these connections.
    mutating func publish(_ state: GateState, where isTold: (UInt64) -> Bool) {
        for connection in presenters.keys where isTold(connection) {
            guard let isBacklogged = presenters[connection]?.session.connection.isBacklogged else { continue }
            let presentation = state.presentation(forPresenter: connection)
            send(presenters[connection]?.machine.changed(presentation, isBacklogged: isBacklogged), to: connection)
        }
    }

    mutating func drained(_ key: StreamKey, state: GateState) {
        let presentation = state.presentation(forPresenter: key.connection)
        send(presenters[key.connection]?.machine.drained(presentation), to: key.connection)
    }

    private func send(_ next: PresenterStreamStateMachine.Next?, to connection: UInt64) {
        guard case .send(let presentation) = next, let presenter = presenters[connection] else { return }
        presenter.session.connection.send(
            presenter.stream, message: RegisterPresenterResponse(presentation: presentation).encoded())
    }
}

extension Authority {
    /// A peer begins to show presentations, in place of what it said before.
    func openPresenter(_ abilities: PresenterAbilities, _ call: Call<RegisterPresenterResponse>) {
        let presenter = PresenterHub.Presenter(
            number: call.number, session: call.session, stream: call.stream, abilities: abilities)
        if let replaced = presenters.add(presenter) {
            end(replaced.stream, of: replaced.session, .presenterReplaced)
        }
        register(presenter)
    }

    /// The connections that hear what came of their own call before their presenter's stream goes on: or else a presenter
    /// would clear its screen before it knows that the answer was wrong. A reply that hands a presentation over comes after
    /// the word that it is held.
    func presentersAnsweredFirst(_ batch: [Applied]) -> Set<UInt64> {
        guard !presenters.presenters.isEmpty else { return [] }
        var first: Set<UInt64> = []
        var handedOver: Set<UInt64> = []
        for applied in batch {
            guard case .success(let transition) = applied.outcome else { continue }
            if case .presentation = transition.reply {
                handedOver.insert(applied.peer.connection)
            } else if applied.caller != nil {
                first.insert(applied.peer.connection)
            }
            for case .settle(let wait, _) in transition.effects {
                if let call = waitingCalls.call(waitingFor: wait) { first.insert(call.connection) }
            }
        }
        return first.subtracting(handedOver)
    }

    /// Its roles have changed, and so what it may show.
    func registerAgain(_ presenter: PresenterHub.Presenter) {
        submit(.register(presenter.abilities), as: presenter.session.peer) { [self] result in
            if case .failure(let error) = result { end(presenter, error) }
        }
    }

    private func register(_ presenter: PresenterHub.Presenter) {
        submit(.register(presenter.abilities), as: presenter.session.peer) { [self] result in
            switch result {
            case .failure(let error):
                end(presenter, error)
            case .success(let settled):
                if case .refused(let error) = settled.reply { return end(presenter, error) }
                presenters.registered(
                    presenter.number, of: presenter.session.peer.connection, state: durable)
            }
        }
    }

    private func end(_ presenter: PresenterHub.Presenter, _ error: GateError) {
        guard presenters.presenters[presenter.key.connection]?.number == presenter.number else { return }
        // What was refused has nothing to take back. What was lost with a commit may have: an earlier registration.
        if error.reason != .storeFailed { _ = presenters.remove(presenter.key) }
        end(presenter.stream, of: presenter.session, error)
    }
}

extension GateError {
    fileprivate static let presenterReplaced = GateError(
        .aborted, .closed, "This connection has registered again; what it said before is over.",
        parameters: ["what": "registered-again"])

    static let noLongerPresenter = GateError(
        .permissionDenied, .notPermitted, "This user is no presenter any more.", parameters: ["what": "presenter"])
}
