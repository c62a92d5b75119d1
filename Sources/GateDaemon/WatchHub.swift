import GateCore
import GateModel
import GateProtocol
import TTRPCTransport

/// Everyone who watches state topics. A change is encoded once, and its bytes are shared by all who are told of it.
struct WatchHub {
    private struct Watcher {
        let connection: TTRPCServerConnection
        let topics: Set<Topic>
        var machine = WatcherStateMachine()
    }

    private var watchers: [StreamKey: Watcher] = [:]

    var count: Int { watchers.count }

    /// Adds a watcher and brings it up to date: with nothing where it has seen the newest revision, else with a snapshot.
    mutating func add(
        _ key: StreamKey, connection: TTRPCServerConnection, topics: Set<Topic>, after: Revision?, state: GateState
    ) {
        watchers[key] = Watcher(connection: connection, topics: topics)
        guard after != state.revision else { return }
        let isResumed = after.map { $0.epoch == state.revision.epoch && $0.number < state.revision.number } ?? false
        let first = isResumed ? after!.number + 1 : 1
        let snapshot = Self.message(topics, of: state, changedSince: nil, first: min(first, state.revision.number))
        if let snapshot { connection.send(key.stream, message: snapshot.encoded()) }
    }

    mutating func remove(_ key: StreamKey) {
        watchers[key] = nil
    }

    /// Tells everyone of one transition.
    mutating func publish(from before: GateState, to after: GateState, statistics: inout Statistics) {
        guard after.modeState != before.modeState else { return }
        let number = after.revision.number
        // One message for each set of topics in use, encoded when the first watcher of it is met.
        var encoded: [Set<Topic>: SharedMessage] = [:]
        for index in watchers.values.indices {
            let key = watchers.keys[index]
            let connection = watchers.values[index].connection
            switch watchers.values[index].machine.changed(number: number, isBacklogged: connection.isBacklogged) {
            case .conflate:
                statistics.conflated += 1
            case .send:
                let topics = watchers.values[index].topics
                if let shared = encoded[topics] {
                    connection.send(key.stream, shared: shared)
                } else if let message = Self.message(topics, of: after, changedSince: before, first: number) {
                    let shared = SharedMessage(message.encoded())
                    encoded[topics] = shared
                    connection.send(key.stream, shared: shared)
                }
            }
        }
    }

    /// A watcher reads again: what it missed, in one message.
    mutating func drained(_ key: StreamKey, state: GateState) {
        switch watchers[key]?.machine.drained() {
        case .sendAllSince(let firstMissed):
            guard let watcher = watchers[key],
                let message = Self.message(watcher.topics, of: state, changedSince: nil, first: firstMissed)
            else { return }
            watcher.connection.send(key.stream, message: message.encoded(asSnapshot: false))
        case .nothing, nil:
            break
        }
    }

    /// What these topics say at a state; nil where none of them changed since the other one.
    /// - Parameter before: nil: all of it, as a snapshot.
    private static func message(
        _ topics: Set<Topic>, of state: GateState, changedSince before: GateState?, first: UInt64
    ) -> WatchResponse? {
        let isModeTold = topics.contains(.mode) && state.modeState != before?.modeState
        guard before == nil || isModeTold else { return nil }
        return WatchResponse(
            firstNumber: first, revision: state.revision, isSnapshot: before == nil,
            mode: isModeTold ? state.modeState : nil)
    }
}

extension WatchResponse {
    fileprivate func encoded(asSnapshot: Bool) -> [UInt8] {
        var message = self
        message.isSnapshot = asSnapshot
        return message.encoded()
    }
}
