import CPrefetch
import GateCore
import GateModel
import GateProtocol
import Logging
import NIOCore
import TTRPCTransport

/// Publishes what is durable: first on the status page, then to presenters, to programs that are being used, to
/// watchers, and to readers of the journal. Confined to the event loop.
final class Publisher {
    private let context: LoopContext
    private var page: StatusPageWriter?
    let presenters = PresenterHub()
    let uses: UseHub
    let watches: WatchHub
    let audits: AuditHub

    init(_ context: LoopContext, audits: AuditHub) {
        self.context = context
        self.audits = audits
        watches = WatchHub(context)
        uses = UseHub(context.clock)
    }

    /// Makes the status page, from which every process can read what is durable. If that fails, the failure is logged.
    ///
    /// - Returns: whether there is a page now. There is none if another daemon has one in this directory.
    func openPage(in directory: String, saying durable: GateState) -> Bool {
        do throws(StatusPageError) {
            page = try StatusPageWriter.make(in: directory, saying: durable.onPage(by: context.clock))
        } catch {
            context.logger.warning(
                """
                the status page could not be made, so programs that read it take the mode to be child; all others are \
                served. Make \(directory) a directory of this user alone (mode 0755) with room in it, and start gated again
                """,
                metadata: ["error": "\(error)"])
        }
        return page != nil
    }

    func endPage() {
        page?.end()
    }

    /// Publishes what became durable together. Each of `changes` made a new revision; `states` are the state before the
    /// first of them, and the state after each. `durable` is the state after all transitions: some change only what is
    /// not stored, such as which peers present. The presenters on the connections `later` get it later.
    func publish(
        _ changes: [Transition], _ states: [GateState], durable: GateState, butPresentersOf later: Set<UInt64>
    ) {
        page?.show(durable.onPage(by: context.clock))
        presenters.publish(durable) { !later.contains($0) }
        uses.publish(durable)
        guard !changes.isEmpty else { return }
        context.statistics.transitions += UInt64(changes.count)
        watches.publish(states)
        for transition in changes { audits.publish(transition) }
    }
}

/// The peers that watch state topics. A change is encoded once for all peers that get the same message, and its bytes
/// are shared. It is sent in slices. In each slice the users take turns, and between two slices the event loop reads
/// from its sockets. So the watchers of one user, however many, delay others by at most one slice. Before a call is
/// answered, the watchers on its connection get everything up to that change, even if it is not their user's turn. So a
/// peer sees events in the order in which they happened. Confined to the event loop.
final class WatchHub {
    /// The length of a slice. It ends earlier once `DaemonLimits.toldAtOnce` connections were sent the change.
    private static let slice = TimeAmount.microseconds(200)
    private static let connectionsPerTurn = 8

    private let context: LoopContext
    /// The users that have watchers, in the order of their arrival.
    private var users: [UserWatches] = []
    /// The users with watchers that have not been sent every change yet.
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

    /// A watcher that was too slow has read everything. Everything that it missed is sent to it in one message.
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

    /// Whether a provider learns that a payment is to be looked for: one that watches presentations on another
    /// connection than `session`, which shows the paywall.
    func hasProvider(besides session: PeerSession) -> Bool { users.contains { $0.hasProvider(besides: session) } }

    // MARK: Telling

    /// Sends all watchers what has changed for them, in one message each: to one slice of them now, and to the rest
    /// soon.
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

    private func tellRestLater() {
        context.openWork.began()
        context.work.later { [self] in
            tellSlice()
            context.openWork.ended()
        }
    }
}

/// The watchers of one user, and how far the newest changes were sent to them.
private final class UserWatches {
    let owner: Owner
    private let context: LoopContext
    /// Roughly in the order of their addresses: a change goes to thousands of them, and mostly waits for memory.
    private var connections: [ConnectionWatches] = []
    /// The change that is being sent; `nil` if everything was sent.
    private(set) var current: Publication?
    /// All later changes, as one.
    private(set) var next: Publication?
    /// How many connections, from the beginning of the list, still have to be sent `current`. The list is worked
    /// through from its end. If a connection closes, the last one takes its place, so it may get a change twice, but
    /// never misses one. A watcher knows what it was sent, and ignores the second time.
    private var untold = 0

    var isEmpty: Bool { connections.isEmpty }

    init(of owner: Owner, _ context: LoopContext) {
        (self.owner, self.context) = (owner, context)
    }

    func join(_ session: PeerSession) -> ConnectionWatches {
        let watches = ConnectionWatches(of: session, user: self, index: connections.count)
        connections.append(watches)
        return watches
    }

    func leave(_ watches: ConnectionWatches) {
        let last = connections.removeLast()
        if last !== watches {
            connections[watches.index] = last
            last.index = watches.index
        }
        untold = min(untold, connections.count)
    }

    func hasProvider(besides session: PeerSession) -> Bool {
        connections.contains { $0.isProvider && $0.session !== session }
    }

    /// Queues a change. Returns false if another change is still being sent; this one follows then.
    func publish(_ publication: Publication) -> Bool {
        guard current != nil else {
            (current, untold) = (publication, connections.count)
            return true
        }
        next = next.map { $0.followed(by: publication) } ?? publication
        return false
    }

    /// Tells up to `limit` connections. Returns whether others still wait.
    func tell(upTo limit: Int) -> Bool {
        guard let current else { return false }
        // No code that is called here changes the list, so copies stay true.
        let (all, told) = (connections, untold)
        untold = max(0, told - limit)
        for index in (untold..<told).reversed() {
            Self.fetchAhead(of: index, in: all)
            all[index].tell(current)
        }
        guard untold == 0 else { return true }
        (self.current, next) = (next, nil)
        untold = connections.count
        return self.current != nil
    }

    func conflated() {
        context.statistics.conflated += 1
    }

    /// Telling watchers waits for memory longer than it computes. So, while the kernel works for one connection, the
    /// objects of the next three are loaded into the cache, each a step further along the chain of pointers.
    private static func fetchAhead(of index: Int, in connections: [ConnectionWatches]) {
        connections.withUnsafeBytes { objects in
            let place = (index - 3) * MemoryLayout<UnsafeRawPointer>.stride
            if place >= 0 { prefetch(objects.load(fromByteOffset: place, as: UnsafeRawPointer.self)) }
        }
        if index >= 2 { connections[index - 2].prefetchMembers() }
        if index >= 1 { connections[index - 1].prefetchForSending() }
    }
}

/// The watchers of one connection. Their messages about a change are handed to the kernel together.
final class ConnectionWatches {
    fileprivate let session: PeerSession
    private let connection: TTRPCServerConnection
    fileprivate let user: UserWatches
    fileprivate var index: Int
    var list: [Watcher] = []

    fileprivate init(of session: PeerSession, user: UserWatches, index: Int) {
        self.session = session
        connection = session.connection
        self.user = user
        self.index = index
    }

    fileprivate var isProvider: Bool {
        session.peer.roles.contains(.provider) && list.contains { $0.topics.contains(.presentations) }
    }

    fileprivate func prefetchMembers() {
        prefetch(UnsafeRawPointer(Unmanaged.passUnretained(connection).toOpaque()))
        list.withUnsafeBytes { if let start = $0.baseAddress { prefetch(start) } }
    }

    fileprivate func prefetchForSending() {
        connection.prefetchForSending()
    }

    /// Sends them now what would otherwise wait for their user's turn.
    func catchUp() {
        guard let current = user.current else { return }
        tell(current)
        if let next = user.next { tell(next) }
    }

    fileprivate func tell(_ publication: Publication) {
        list.withUnsafeMutableBufferPointer { watchers in
            guard watchers.count > 1 else { return tell(&watchers[0], publication) }
            connection.together {
                for index in watchers.indices { tell(&watchers[index], publication) }
            }
        }
    }

    private func tell(_ watcher: inout Watcher, _ publication: Publication) {
        // It began to watch later, or `catchUp` has sent it already.
        guard watcher.machine.told < publication.number else { return }
        let topics = publication.topics(for: &watcher, of: session)
        guard !topics.isEmpty else { return }
        switch watcher.machine.changed(topics, number: publication.number, isBacklogged: connection.isBacklogged) {
        case .conflate:
            user.conflated()
        case .send(let first):
            let message = publication.message(topics, first: first, for: watcher, of: session)
            guard !connection.sendAtOnce(watcher.stream, shared: message) else { return }
            connection.send(watcher.stream, shared: message)
        }
    }
}
