import CPrefetch
import GateModel
import TTRPCTransport

/// The watchers of one user, and how many of them were told of the newest changes.
final class UserWatches {
    let owner: Owner
    private let context: LoopContext
    /// In the order of their memory, more or less: a change goes through thousands of them, and what it waits for is memory.
    private var connections: [ConnectionWatches] = []
    /// The change that they are being told of. `nil`: they were told of everything.
    fileprivate private(set) var current: Publication?
    /// All that has changed meanwhile.
    fileprivate private(set) var next: Publication?
    /// The connections at the beginning of the list that are yet to be told of `current`. The list is told from its end, so that one
    /// that takes the place of another that left is told twice rather than never; and a watcher knows what it was told.
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

    /// Whether one of them reads what is asked, as a provider: it hears that a payment is to be looked for.
    func hasProvider(besides session: PeerSession) -> Bool {
        connections.contains { $0.isProvider && $0.session !== session }
    }

    /// Takes what they are to be told of. Returns false if they are being told already, and hear of this after that.
    func publish(_ publication: Publication) -> Bool {
        guard current != nil else {
            (current, untold) = (publication, connections.count)
            return true
        }
        next = next.map { $0.followed(by: publication) } ?? publication
        return false
    }

    /// Tells so many connections. Returns whether others still wait.
    func tell(upTo limit: Int) -> Bool {
        guard let current else { return false }
        // Telling calls nobody back, so both stay what they are.
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

    /// A watcher that reads too slowly gets this later, with all that comes meanwhile.
    fileprivate func conflated() {
        context.statistics.conflated += 1
    }

    /// A push waits for memory longer than it computes: of those who come next, one object after the other that leads to it is
    /// fetched while the kernel works for this one.
    private static func fetchAhead(of index: Int, in connections: [ConnectionWatches]) {
        connections.withUnsafeBytes { objects in
            let place = (index - 3) * MemoryLayout<UnsafeRawPointer>.stride
            if place >= 0 { prefetch(objects.load(fromByteOffset: place, as: UnsafeRawPointer.self)) }
        }
        if index >= 2 { connections[index - 2].prefetchMembers() }
        if index >= 1 { connections[index - 1].prefetchForSending() }
    }
}

/// The watchers of one connection: what they are told goes to the kernel together.
final class ConnectionWatches {
    fileprivate let session: PeerSession
    private let connection: TTRPCServerConnection
    let user: UserWatches
    /// In its user's list.
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

    /// Tells them now what their user's turn would tell them later.
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
        // It has come since, or was told first.
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
