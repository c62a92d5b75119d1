import GateCore
import GateModel
import GateProtocol

/// One watcher of state topics.
struct Watcher {
    let stream: UInt32
    let topics: Topics
    /// As it was told last. Its roles may have changed since.
    var sight: Sight
    /// As it was told last: those that it may reach. `nil`: it does not watch them.
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

/// The presentations that somebody sees.
enum Sight: Hashable {
    case all
    /// Paywalls, and what was asked for over this connection.
    case paywallsAndOwn(UInt64)
    /// A request that was made over this connection.
    case own(UInt64)

    init(of peer: Peer) {
        if !peer.roles.isDisjoint(with: [.presenter, .administrator]) {
            self = .all
        } else {
            self = peer.roles.contains(.provider) ? .paywallsAndOwn(peer.connection) : .own(peer.connection)
        }
    }
}
