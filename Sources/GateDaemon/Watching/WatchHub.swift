import CPrefetch
import GateCore
import GateModel
import GateProtocol
import TTRPCTransport

/// Everyone who watches state topics. A change is encoded once for all who are told the same, and its bytes are shared.
struct WatchHub {
    /// The watchers of one connection: what they are told goes to the kernel together.
    private final class Watchers {
        let session: PeerSession
        let connection: TTRPCServerConnection
        /// In the list of all.
        var index: Int
        var list: [Watcher] = []

        init(of session: PeerSession, index: Int) {
            self.session = session
            connection = session.connection
            self.index = index
        }

        func prefetchMembers() {
            prefetch(UnsafeRawPointer(Unmanaged.passUnretained(connection).toOpaque()))
            list.withUnsafeBytes { if let start = $0.baseAddress { prefetch(start) } }
        }

        func tell(_ publication: inout Publication, statistics: inout Statistics) {
            guard list.count > 1 else { return tell(0, &publication, statistics: &statistics) }
            connection.together {
                for index in list.indices { tell(index, &publication, statistics: &statistics) }
            }
        }

        private func tell(_ index: Int, _ publication: inout Publication, statistics: inout Statistics) {
            let topics = publication.topics(for: &list[index], of: session)
            guard !topics.isEmpty else { return }
            switch list[index].machine
                .changed(topics, number: publication.number, isBacklogged: connection.isBacklogged)
            {
            case .conflate:
                statistics.conflated += 1
            case .send(let first):
                let message = publication.message(topics, first: first, for: list[index], of: session)
                let stream = list[index].stream
                guard !connection.sendAtOnce(stream, shared: message) else { return }
                connection.send(stream, shared: message)
            }
        }
    }

    /// In the order of their memory, more or less: a change goes through thousands of them, and what it waits for is memory.
    private var all: [Watchers] = []
    private var ofConnection: [UInt64: Watchers] = [:]
    private(set) var count = 0
    /// Somebody may see more or less than before, from the next transition on.
    var haveRolesChanged = false

    /// Adds a watcher and brings it up to date: with a message that tells of nothing where it has seen the newest revision,
    /// else with a snapshot.
    mutating func add(_ key: StreamKey, of session: PeerSession, topics: Topics, after: Revision?, state: GateState) {
        let revision = state.revision
        let watchers = ofConnection[key.connection] ?? Watchers(of: session, index: all.count)
        if watchers.list.isEmpty {
            ofConnection[key.connection] = watchers
            all.append(watchers)
        }
        watchers.list.append(Watcher(key.stream, of: session.peer, topics: topics, state: state))
        count += 1
        // What somebody sees who sees only their own depends on the connection, and that is a new one.
        let isCurrent = after == revision && (!topics.contains(.presentations) || Sight(of: session.peer) == .all)
        guard !isCurrent else {
            return session.connection.send(key.stream, message: WatchResponse(current: revision).encoded())
        }
        // Of another epoch, or of a future that a restored store no longer knows: everything is new to it.
        let isResumed = after.map { $0.epoch == revision.epoch && $0.number < revision.number } ?? false
        let first = isResumed ? (after?.number ?? 0) + 1 : min(1, revision.number)
        session.connection.send(
            key.stream,
            message: WatchResponse(state, topics, to: session.peer, first: first, isSnapshot: true).encoded())
    }

    mutating func remove(_ key: StreamKey) {
        guard let watchers = ofConnection[key.connection],
            let index = watchers.list.firstIndex(where: { $0.stream == key.stream })
        else { return }
        watchers.list.remove(at: index)
        count -= 1
        guard watchers.list.isEmpty else { return }
        ofConnection[key.connection] = nil
        let last = all.removeLast()
        guard last !== watchers else { return }
        all[watchers.index] = last
        last.index = watchers.index
    }

    /// Tells everyone what transitions that became durable together have changed for them, in one message.
    /// - Parameter states: before the first of them, and after each.
    mutating func publish(_ states: [GateState], statistics: inout Statistics) {
        guard !all.isEmpty else { return }
        defer { haveRolesChanged = false }
        guard var publication = Publication(states, haveRolesChanged: haveRolesChanged) else { return }
        for index in all.indices {
            fetchAhead(of: index)
            all[index].tell(&publication, statistics: &statistics)
        }
    }

    /// A push waits for memory longer than it computes: of those who come next, one object after the other that leads to it is
    /// fetched while the kernel works for this one.
    private func fetchAhead(of index: Int) {
        all.withUnsafeBytes { objects in
            let place = (index + 3) * MemoryLayout<UnsafeRawPointer>.stride
            if place < objects.count { prefetch(objects.load(fromByteOffset: place, as: UnsafeRawPointer.self)) }
        }
        if index + 2 < all.count { all[index + 2].prefetchMembers() }
        if index + 1 < all.count { all[index + 1].connection.prefetchForSending() }
    }

    /// A watcher reads again: what it missed, in one message.
    mutating func drained(_ key: StreamKey, state: GateState) {
        guard let watchers = ofConnection[key.connection],
            let index = watchers.list.firstIndex(where: { $0.stream == key.stream })
        else { return }
        switch watchers.list[index].machine.drained(number: state.revision.number) {
        case .send(let missed, let first):
            let session = watchers.session
            let message = WatchResponse(state, missed, to: session.peer, first: first, isSnapshot: false)
            session.connection.send(key.stream, message: message.encoded())
        case .nothing:
            break
        }
    }
}
