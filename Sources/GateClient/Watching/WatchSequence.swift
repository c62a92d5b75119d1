import GateModel
import GateProtocol
import TTRPCTransport

extension GateClient {
    /// Every change, from the state as it is now. Never throws and ends only when its task is cancelled or the client is
    /// closed: while the daemon is away it says `lost` and goes on trying.
    package func watch(_ topics: Set<WatchTopic> = [.mode]) -> WatchSequence {
        WatchSequence(connection: connection, topics: topics)
    }
}

/// The events of a watch, over as many connections as it takes. Each iteration is a watch of its own.
package struct WatchSequence: AsyncSequence, Sendable {
    package typealias Element = WatchEvent
    package typealias Failure = Never

    let connection: SharedConnection
    let topics: Set<WatchTopic>

    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(shared: connection, topics: topics)
    }

    /// Does what the machine says, whenever somebody waits for the next event. There is no task behind it, and nothing
    /// is kept but what the daemon has sent and nobody has taken yet, which the daemon bounds.
    package struct AsyncIterator: AsyncIteratorProtocol {
        let shared: SharedConnection
        let topics: Set<WatchTopic>
        private var machine: WatchStateMachine
        private var messages: MessageStream.AsyncIterator?

        init(shared: SharedConnection, topics: Set<WatchTopic>) {
            self.shared = shared
            self.topics = topics
            machine = WatchStateMachine(topics: topics)
        }

        /// `nil` after cancellation, and after the client was closed.
        package mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> WatchEvent? {
            while true {
                var event: WatchEvent?
                do throws(GateError) {
                    switch machine.action {
                    case .open(let after):
                        let opened = try await shared.openStream(
                            Methods.Watch.watch, WatchRequest(topics: topics, after: after))
                        messages = opened.stream.makeAsyncIterator()
                        machine.streamOpened()
                    case .receive:
                        guard let bytes = try await messages?.next(isolation: actor) else {
                            throw GateError(.unavailable, .unspecified, "The daemon ended the watch.")
                        }
                        event = machine.messageReceived(try WatchResponse(ofDaemon: bytes), jitter: .random(in: 0..<1))
                    case .wait(let duration):
                        letGo()
                        try? await Task.sleep(for: duration)
                        machine.waited()
                    case .end:
                        letGo()
                        return nil
                    }
                } catch {
                    letGo()
                    event = machine.failed(error, jitter: .random(in: 0..<1))
                    if await shared.isClosed {
                        // Whether live or away: nothing will come any more.
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

        private mutating func letGo() {
            messages = nil
        }
    }
}
