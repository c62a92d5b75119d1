import GateCore
import GateModel
import GateProtocol
import TTRPCTransport

/// Everyone who watches state topics. A change is encoded once, and its bytes are shared by all who are told the same.
struct WatchHub {
    private struct Watcher {
        let connection: TTRPCServerConnection
        let topics: Set<Topic>
        var machine: WatcherStateMachine
    }

    /// What a message depends on, beside the state: watchers who agree in it share the bytes.
    private struct Audience: Hashable {
        let topics: Set<Topic>
        let first: UInt64
    }

    private var watchers: [StreamKey: Watcher] = [:]

    var count: Int { watchers.count }

    /// Adds a watcher and brings it up to date: with nothing where it has seen the newest revision, else with a snapshot.
    mutating func add(
        _ key: StreamKey, connection: TTRPCServerConnection, topics: Set<Topic>, after: Revision?, state: GateState
    ) {
        let revision = state.revision
        watchers[key] = Watcher(
            connection: connection, topics: topics, machine: WatcherStateMachine(told: revision.number))
        guard after != revision else { return }
        // Of another epoch, or of a future that a restored store no longer knows: everything is new to it.
        let isResumed = after.map { $0.epoch == revision.epoch && $0.number < revision.number } ?? false
        let first = isResumed ? (after?.number ?? 0) + 1 : min(1, revision.number)
        connection.send(key.stream, message: Self.whole(state, topics, first: first, isSnapshot: true).encoded())
    }

    mutating func remove(_ key: StreamKey) {
        watchers[key] = nil
    }

    /// Tells everyone of one transition.
    mutating func publish(from before: GateState, to after: GateState, statistics: inout Statistics) {
        guard after.modeState != before.modeState else { return }
        let number = after.revision.number
        var encoded: [Audience: SharedMessage] = [:]
        for index in watchers.values.indices {
            let key = watchers.keys[index]
            let connection = watchers.values[index].connection
            switch watchers.values[index].machine.changed(number: number, isBacklogged: connection.isBacklogged) {
            case .conflate:
                statistics.conflated += 1
            case .send(let first):
                let audience = Audience(topics: watchers.values[index].topics, first: first)
                let message =
                    encoded[audience]
                    ?? SharedMessage(Self.whole(after, audience.topics, first: first, isSnapshot: false).encoded())
                encoded[audience] = message
                connection.send(key.stream, shared: message)
            }
        }
    }

    /// A watcher reads again: what it missed, in one message.
    mutating func drained(_ key: StreamKey, state: GateState) {
        switch watchers[key]?.machine.drained(number: state.revision.number) {
        case .sendAll(let first):
            guard let watcher = watchers[key] else { return }
            let message = Self.whole(state, watcher.topics, first: first, isSnapshot: false)
            watcher.connection.send(key.stream, message: message.encoded())
        case .nothing, nil:
            break
        }
    }

    /// What these topics say at a state. The mode is the only one yet, and nobody is told before it has changed.
    private static func whole(
        _ state: GateState, _ topics: Set<Topic>, first: UInt64, isSnapshot: Bool
    ) -> WatchResponse {
        WatchResponse(
            firstNumber: first, revision: state.revision, isSnapshot: isSnapshot,
            mode: topics.contains(.mode) ? state.modeState : nil)
    }
}
