import GateModel
import Synchronization

@testable import GateHousehold

/// A broker in memory: topics with filters, retained messages, and a person in the middle where a test wants one.
final class MemoryBroker: Sendable {
    private struct Subscriber {
        let filters: [String]
        let events: AsyncStream<JoinChannel.Event>.Continuation
    }

    private struct State {
        var subscribers: [Int: Subscriber] = [:]
        var next = 0
        var retained: [String: [UInt8]] = [:]
        var published: [(topic: String, payload: [UInt8])] = []
        var identities: [JoinLink.Identity] = []
    }

    private let state = Mutex(State())
    /// Changes the messages that are delivered; an empty list loses one.
    private let change: @Sendable (_ topic: String, _ payload: [UInt8]) -> [[UInt8]]

    init(change: @escaping @Sendable (String, [UInt8]) -> [[UInt8]] = { [$1] }) {
        self.change = change
    }

    var published: [(topic: String, payload: [UInt8])] { state.withLock { $0.published } }
    var retained: [String: [UInt8]] { state.withLock { $0.retained } }
    var identities: [JoinLink.Identity] { state.withLock { $0.identities } }

    var link: JoinLink {
        JoinLink { _, _, identity, filters throws(FoundingError) in self.open(identity, filters) }
    }

    func publish(_ topic: String, _ payload: [UInt8], isRetained: Bool = false) {
        state.withLock { state in
            state.published.append((topic, payload))
            if isRetained { state.retained[topic] = payload }
            for payload in change(topic, payload) {
                for subscriber in state.subscribers.values
                where subscriber.filters.contains(where: { Self.fits(topic, $0) }) {
                    subscriber.events.yield(.message(BrokerMessage(topic: topic, payload: payload)))
                }
            }
        }
    }

    /// Breaks every connection.
    func fail() {
        state.withLock { state in
            for subscriber in state.subscribers.values {
                subscriber.events.yield(.lost("The connection to the broker has broken."))
                subscriber.events.finish()
            }
            state.subscribers = [:]
        }
    }

    private func open(_ identity: JoinLink.Identity, _ filters: [String]) -> JoinChannel {
        let (events, event) = AsyncStream.makeStream(of: JoinChannel.Event.self)
        let number = state.withLock { state in
            state.identities.append(identity)
            state.next += 1
            state.subscribers[state.next] = Subscriber(filters: filters, events: event)
            for (topic, payload) in state.retained where filters.contains(where: { Self.fits(topic, $0) }) {
                event.yield(.message(BrokerMessage(topic: topic, payload: payload, isRetained: true)))
            }
            return state.next
        }
        return JoinChannel(
            events: events,
            publication: { publication in
                guard self.state.withLock({ $0.subscribers[number] != nil }) else { return .lost }
                self.publish(publication.topic, publication.payload, isRetained: publication.isRetained)
                return .acknowledged
            },
            close: { self.state.withLock { $0.subscribers[number] = nil } })
    }

    private static func fits(_ topic: String, _ filter: String) -> Bool {
        let (levels, parts) = (topic.split(separator: "/"), filter.split(separator: "/"))
        return levels.count == parts.count && zip(levels, parts).allSatisfy { $1 == "+" || $0 == $1 }
    }
}

/// A clock that stands still, so that nothing comes too late on a slow machine, until it is thawed: then it jumps to the end of each
/// sleep.
final class JumpingClock: Sendable {
    private struct State {
        var nanoseconds: Int64 = 1_000_000_000
        var isFrozen = true
    }

    private let state = Mutex(State())
    private let pause: Duration

    /// - Parameter pause: so long somebody else has before a jump.
    init(pause: Duration = .milliseconds(50)) {
        self.pause = pause
    }

    func thaw() { state.withLock { $0.isFrozen = false } }

    var thawed: JumpingClock {
        thaw()
        return self
    }

    var now: @Sendable () -> BootTime { { BootTime(nanoseconds: self.state.withLock { $0.nanoseconds }) } }

    /// Advances the clock by this.
    func step(_ duration: Duration) {
        state.withLock { $0.nanoseconds += duration.clampedNanoseconds }
    }

    var sleep: @Sendable (Duration) async -> Void {
        { duration in
            let end = self.now().advanced(by: duration)
            while !Task.isCancelled, self.state.withLock(\.isFrozen) { try? await Task.sleep(for: .milliseconds(5)) }
            try? await Task.sleep(for: self.pause)
            guard !Task.isCancelled else { return }
            self.state.withLock { $0.nanoseconds = max($0.nanoseconds, end.nanoseconds) }
        }
    }
}
