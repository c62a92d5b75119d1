import GateCore
import GateModel
import GateProtocol

struct Watcher {
    let stream: UInt32
    let topics: Topics
    /// What it could see when it was told last. Its roles may have changed since.
    var sight: Sight
    /// The forms that it could reach when it was told last; `nil` if it does not watch forms.
    var forms: [FormSummary]?
    var machine: WatcherStateMachine

    init(_ stream: UInt32, of peer: Peer, topics: Topics, state: GateState) {
        self.stream = stream
        self.topics = topics
        sight = Sight(of: peer)
        forms = topics.contains(.forms) ? state.forms(visibleTo: peer) : nil
        machine = WatcherStateMachine(told: state.revision.number)
    }
}

/// Which presentations a peer sees.
enum Sight: Hashable {
    case all
    /// Paywalls, and what was requested over this connection.
    case paywallsAndOwn(UInt64)
    /// Only what was requested over this connection.
    case own(UInt64)

    init(of peer: Peer) {
        if !peer.roles.isDisjoint(with: [.presenter, .administrator]) {
            self = .all
        } else {
            self = peer.roles.contains(.provider) ? .paywallsAndOwn(peer.connection) : .own(peer.connection)
        }
    }
}
