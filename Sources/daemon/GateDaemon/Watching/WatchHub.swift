import GateCore
import GateModel
import GateProtocol
import NIOCore
import TTRPCTransport

/// Everyone who watches state topics. A change is encoded once for all who are told the same, and its bytes are shared.
///
/// A change is told in slices, in each of which all users have turns, and the event loop serves others between two of them: however
/// many watches a user has, they delay nobody for longer than a slice. A connection is told of everything before it is answered,
/// whatever its user's turn: so what it hears follows the order of what has happened.
///
/// Confined to the event loop.
final class WatchHub {
    /// How long watchers are told in one go; or as many connections as `DaemonLimits.toldAtOnce`.
    private static let slice = TimeAmount.microseconds(200)
    /// Connections of one user that are told in one go, before another user's.
    private static let connectionsPerTurn = 8

    private let context: LoopContext
    /// Those who watch, in the order of their arrival.
    private var users: [UserWatches] = []
    /// Those with watchers who have not been told of everything yet.
    private var telling = CircularBuffer<UserWatches>()
    private(set) var count = 0
    /// Somebody may see more or less than before, from the next transition on.
    var haveRolesChanged = false

    init(_ context: LoopContext) {
        self.context = context
    }

    // MARK: Watchers

    /// Adds a watcher and brings it up to date: with a message that tells of nothing where it has seen the newest revision,
    /// else with a snapshot.
    func add(_ stream: UInt32, of session: PeerSession, topics: Topics, after: Revision?, state: GateState) {
        let revision = state.revision
        let watches = session.watches ?? join(session)
        watches.list.append(Watcher(stream, of: session.peer, topics: topics, state: state))
        count += 1
        // What somebody sees who sees only their own depends on the connection, and that is a new one.
        let isCurrent = after == revision && (!topics.contains(.presentations) || Sight(of: session.peer) == .all)
        guard !isCurrent else {
            return session.connection.send(stream, message: WatchResponse(current: revision).encoded())
        }
        // Of another epoch, or of a future that a restored store no longer knows: everything is new to it.
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

    /// A watcher reads again: what it missed, in one message.
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

    /// Whether a provider hears of a payment that is to be looked for.
    ///
    /// - Parameter session: the one that shows the paywall.
    func hasProvider(besides session: PeerSession) -> Bool { users.contains { $0.hasProvider(besides: session) } }

    // MARK: Telling

    /// Tells everyone what transitions that became durable together have changed for them, in one message: a slice of them now, the
    /// rest soon.
    /// - Parameter states: before the first of them, and after each.
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

    /// Between two slices others are read from.
    private func tellRestLater() {
        context.openWork.began()
        context.work.later { [self] in
            tellSlice()
            context.openWork.ended()
        }
    }
}
