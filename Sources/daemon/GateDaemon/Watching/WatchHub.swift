import GateCore
import GateModel
import GateProtocol
import NIOCore
import TTRPCTransport

/// The peers that watch state topics. A change is encoded once for all that are told the same, and its bytes are
/// shared.
///
/// A change is sent in slices. In each slice the users take turns, and between two slices the event loop reads from its
/// sockets. So the watchers of one user, however many, delay others by at most one slice. Before a connection is
/// answered, its watchers are told of everything, even if it is not their user's turn, so a peer sees events in the
/// order in which they happened.
///
/// Confined to the event loop.
final class WatchHub {
    /// The length of a slice. It ends earlier when `DaemonLimits.toldAtOnce` connections were told.
    private static let slice = TimeAmount.microseconds(200)
    /// How many connections of one user are told before it is another user's turn.
    private static let connectionsPerTurn = 8

    private let context: LoopContext
    /// The users that have watchers, in the order of their arrival.
    private var users: [UserWatches] = []
    /// The users whose watchers have not been told of everything yet.
    private var telling = CircularBuffer<UserWatches>()
    private(set) var count = 0
    /// Whether a peer's roles have changed, so that it may see more or less with the next publication.
    var haveRolesChanged = false

    init(_ context: LoopContext) {
        self.context = context
    }

    // MARK: Watchers

    /// Adds a watcher and brings it up to date: with an empty message if it knows the newest revision, or a snapshot.
    func add(_ stream: UInt32, of session: PeerSession, topics: Topics, after: Revision?, state: GateState) {
        let revision = state.revision
        let watches = session.watches ?? join(session)
        watches.list.append(Watcher(stream, of: session.peer, topics: topics, state: state))
        count += 1
        // A peer that sees only its own presentations has a new connection, so it now sees others than on the old one.
        let isCurrent = after == revision && (!topics.contains(.presentations) || Sight(of: session.peer) == .all)
        guard !isCurrent else {
            return session.connection.send(stream, message: WatchResponse(current: revision).encoded())
        }
        // A revision of another epoch, or one that a restored store does not have, is no basis: everything is new then.
        let isResumed = after.map { $0.epoch == revision.epoch && $0.number < revision.number } ?? false
        let first = isResumed ? (after?.number ?? 0) + 1 : min(1, revision.number)
        session.connection.send(
            stream,
            message: WatchResponse(state, topics, to: session.peer, first: first, isSnapshot: true).encoded())
    }

    private func join(_ session: PeerSession) -> ConnectionWatches {
        let owner = session.peer.owner
        let user = users.first { $0.owner == owner } ?? UserWatches(of: owner, context)
        if user.isEmpty { users.append(user) }
        let watches = user.join(session)
        session.watches = watches
        return watches
    }

    func remove(_ stream: UInt32, of session: PeerSession) {
        guard let watches = session.watches, let index = watches.list.firstIndex(where: { $0.stream == stream })
        else { return }
        watches.list.remove(at: index)
        count -= 1
        guard watches.list.isEmpty else { return }
        session.watches = nil
        watches.user.leave(watches)
        if watches.user.isEmpty { users.removeAll { $0 === watches.user } }
    }

    /// A watcher that was too slow has read everything. It is sent what it missed, in one message.
    func drained(_ stream: UInt32, of session: PeerSession, state: GateState) {
        guard let watches = session.watches, let index = watches.list.firstIndex(where: { $0.stream == stream })
        else { return }
        watches.catchUp()
        switch watches.list[index].machine.drained(number: state.revision.number) {
        case .send(let missed, let first):
            let message = WatchResponse(state, missed, to: session.peer, first: first, isSnapshot: false)
            session.connection.send(stream, message: message.encoded())
        case .nothing:
            break
        }
    }

    /// Whether a provider on another connection learns that a payment is to be looked for.
    ///
    /// - Parameter session: the peer that shows the paywall. It does not count.
    func hasProvider(besides session: PeerSession) -> Bool { users.contains { $0.hasProvider(besides: session) } }

    // MARK: Telling

    /// Tells all watchers what has changed for them, in one message: one slice of them now, the rest soon.
    /// - Parameter states: the state before the first of the transitions that became durable together, and the state
    ///   after each.
    func publish(_ states: [GateState]) {
        guard !users.isEmpty else { return context.statistics.nobodyWatches() }
        let isUnderWay = !telling.isEmpty
        if let publication = Publication(states, haveRolesChanged: haveRolesChanged) {
            for user in users where user.publish(publication) { telling.append(user) }
        }
        haveRolesChanged = false
        if !isUnderWay { tellSlice() }
    }

    private func tellSlice() {
        let end = context.eventLoop.now + Self.slice
        var room = context.limits.toldAtOnce
        while let user = telling.popFirst() {
            let turn = min(room, Self.connectionsPerTurn)
            room -= turn
            if user.tell(upTo: turn) { telling.append(user) }
            guard telling.isEmpty || (room > 0 && context.eventLoop.now < end) else { return tellRestLater() }
        }
        context.statistics.watchersTold(at: context.clock.bootTime())
    }

    /// Between two slices the event loop reads from its sockets.
    private func tellRestLater() {
        context.openWork.began()
        context.work.later { [self] in
            tellSlice()
            context.openWork.ended()
        }
    }
}
