import CPrefetch
import GateModel
import TTRPCTransport

/// The watchers of one user, and how far they have been told of the newest changes.
final class UserWatches {
    let owner: Owner
    private let context: LoopContext
    /// Roughly in the order of their addresses: a change goes to thousands of them, and mostly waits for memory.
    private var connections: [ConnectionWatches] = []
    /// The change that they are being told of; `nil` if they were told of everything.
    fileprivate private(set) var current: Publication?
    /// All later changes, as one.
    fileprivate private(set) var next: Publication?
    /// How many connections, from the beginning of the list, are yet to be told of `current`. The list is worked
    /// through from its end. If a connection leaves, the last one takes its place, so it may be told twice but is never
    /// missed. A watcher knows what it was told and ignores the second time.
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

    /// Whether a provider on another connection watches presentations. It learns that a payment is to be looked for.
    func hasProvider(besides session: PeerSession) -> Bool {
        connections.contains { $0.isProvider && $0.session !== session }
    }

    /// Queues a change. Returns false if they are already being told of another; this one follows then.
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

    /// Counts a change that a slow watcher is told later, together with what follows.
    fileprivate func conflated() {
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

/// The watchers of one connection. What they are told of a change is handed to the kernel together.
final class ConnectionWatches {
    fileprivate let session: PeerSession
    private let connection: TTRPCServerConnection
    let user: UserWatches
    /// The index in the list of its user.
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

    /// Tells them now what they would be told later, when it is their user's turn.
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
        // It began to watch later, or `catchUp` has told it.
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
