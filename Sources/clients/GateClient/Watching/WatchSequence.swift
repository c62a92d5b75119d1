public import GateModel
import GateProtocol

extension GateClient {
    /// The whole state of these topics now, then each change, and each loss of the daemon.
    public func events(of topics: Set<WatchTopic>) -> WatchSequence {
        WatchSequence(connection: connection, topics: topics)
    }
}

/// The events of a watch, over as many connections as necessary.
///
/// It never throws, and ends only when its task is cancelled or the client is closed. When the daemon is lost, it
/// returns `lost` and reconnects. A slow reader gets several changes as one. Each iteration is a watch for one task.
public struct WatchSequence: AsyncSequence, Sendable {
    /// A state, a change, or the loss of the daemon.
    public typealias Element = WatchEvent
    /// It never throws.
    public typealias Failure = Never

    let connection: SharedConnection
    let topics: Set<WatchTopic>

    /// Makes a watch, which begins with the first call of `next`.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(shared: connection, topics: topics)
    }

    /// One watch. `next` does what the state machine says, in the task that waits for the event. Only while a deadline
    /// runs, a second task waits for it, in case the daemon hangs. The watch keeps only messages that were not yet
    /// taken; the daemon limits these.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let shared: SharedConnection
        let topics: Set<WatchTopic>
        private var machine: WatchStateMachine
        private var stream: MessageStream?
        private var messages: MessageStream.AsyncIterator?

        init(shared: SharedConnection, topics: Set<WatchTopic>) {
            self.shared = shared
            self.topics = topics
            machine = WatchStateMachine(topics: topics)
        }

        /// The next event; `nil` after cancellation, and after the client was closed.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> WatchEvent? {
            while true {
                var event: WatchEvent?
                do throws(GateError) {
                    switch machine.action {
                    case .open(let after):
                        let opened = try await shared.connected().openStream(
                            Methods.Watch.watch, WatchRequest(topics: topics, after: after))
                        stream = opened
                        messages = opened.makeAsyncIterator()
                        machine.streamOpened()
                    case .receive:
                        let bytes = try await nextMessage(isolation: actor)
                        event = machine.messageReceived(
                            try WatchResponse(ofDaemon: bytes), at: clock?.read(), jitter: .random(in: 0..<1))
                    case .wait(let duration):
                        letGo()
                        try? await shared.options.pause(duration)
                        machine.waited()
                    case .end:
                        letGo()
                        return nil
                    }
                } catch {
                    letGo()
                    event = machine.failed(error, jitter: .random(in: 0..<1))
                    if await shared.isClosed {
                        // The client was closed, so nothing will come any more, whether the machine was live or away.
                        machine.stopped()
                        event = nil
                    }
                }
                if Task.isCancelled {
                    machine.stopped()
                } else if let event {
                    return event
                }
            }
        }

        private var clock: ClientClock? { shared.options.clock }

        /// - Throws: `UNAVAILABLE` also if the daemon hangs, and so does not report that a deadline has passed.
        private mutating func nextMessage(isolation actor: isolated (any Actor)?) async throws(GateError) -> [UInt8] {
            let alarm = deadlineAlarm()
            defer { alarm?.cancel() }
            do throws(GateError) {
                if let bytes = try await messages?.next(isolation: actor) { return bytes }
            } catch {
                // Only the alarm cancels the stream while the task goes on and the client is open.
                guard error.code == .cancelled, alarm != nil, !Task.isCancelled, await !shared.isClosed else {
                    throw error
                }
                throw GateError(
                    .unavailable, .unspecified,
                    "A deadline has passed, but the daemon has not reported it. Does it hang (`systemctl status gated`)?"
                )
            }
            throw GateError(.unavailable, .unspecified, "The daemon ended the watch.")
        }

        /// A task that cancels the stream when a deadline has passed and the daemon does not report it; `nil` if there
        /// is no deadline, or a message is already there.
        private func deadlineAlarm() -> Task<Void, Never>? {
            guard let clock, let stream, messages?.hasNext == false, machine.timeLeft(at: clock.read()) != nil else {
                return nil
            }
            return Task { [machine, pause = shared.options.pause] in
                do {
                    try await clock.sleepPast(pausing: pause) { machine.timeLeft(at: $0) }
                    stream.cancel()
                } catch {}
            }
        }

        private mutating func letGo() {
            (stream, messages) = (nil, nil)
        }
    }
}
