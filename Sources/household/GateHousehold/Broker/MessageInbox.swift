import Synchronization

/// Messages that have come over a connection and were not taken yet.
final class MessageInbox: Sendable {
    private struct Content {
        var messages: [BrokerMessage] = []
        var byteCount = 0
        var oversizedCount = 0

        var isFull: Bool {
            messages.count >= HouseholdLimits.unread || byteCount >= HouseholdLimits.unreadBytes
        }
    }

    private let content = Mutex(Content())

    /// Whether the connection should read nothing more until some messages are taken.
    var isFull: Bool { content.withLock { $0.isFull } }

    var oversizedCount: Int { content.withLock { $0.oversizedCount } }

    /// - Returns: whether this is the only message that waits. False if it was dropped.
    func append(
        topic: UnsafePointer<CChar>?, _ payload: UnsafeRawBufferPointer, isRetained: Bool, expiry: Duration?
    ) -> Bool {
        guard let topic = topic.map({ String(cString: $0) }), topic.utf8.count <= HouseholdLimits.topicBytes,
            payload.count <= HouseholdLimits.messageBytes(on: topic)
        else {
            content.withLock { $0.oversizedCount += 1 }
            return false
        }
        let message = BrokerMessage(topic: topic, payload: Array(payload), isRetained: isRetained, expiry: expiry)
        return content.withLock {
            $0.messages.append(message)
            $0.byteCount += message.payload.count + message.topic.utf8.count
            return $0.messages.count == 1
        }
    }

    /// The oldest messages, in their order, and whether the inbox was full, so that the connection had stopped reading.
    func take(atMost count: Int) -> (messages: [BrokerMessage], wasFull: Bool) {
        content.withLock {
            let wasFull = $0.isFull
            let taken = Array($0.messages.prefix(count))
            $0.messages.removeFirst(taken.count)
            $0.byteCount -= taken.reduce(0) { $0 + $1.payload.count + $1.topic.utf8.count }
            return (taken, wasFull)
        }
    }
}
