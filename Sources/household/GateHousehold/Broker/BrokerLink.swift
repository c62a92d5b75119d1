package enum PublishOutcome: Hashable, Sendable {
    /// The broker has it.
    case acknowledged
    /// The broker has it, and reports that no client is subscribed to the topic. Not every broker reports that.
    case unheard
    /// The broker refused it. The text says why.
    case refused(String)
    /// The connection ended before the broker acknowledged it, so the broker may have it or not.
    case lost
}

package enum BrokerEvent: Hashable, Sendable {
    /// The broker has accepted this device and all of its subscriptions.
    case connected
    /// There are messages to take. Reported only if there were none before.
    case messagesWaiting
    /// The connection, or the attempt to connect, has ended. This is the last event. The sentence says why.
    case lost(String)
}

/// One connection to the broker, from the attempt to connect to the end. All functions can be called on any thread.
package struct BrokerConnection: Sendable {
    /// Takes the oldest messages that have come, in their order.
    package var takeMessages: @Sendable (_ atMost: Int) -> [BrokerMessage]
    /// Publishes after everything that was published before. The outcome comes on any thread, once the broker has
    /// acknowledged the publication or the connection has ended.
    package var publish: @Sendable (Publication, _ hear: @escaping @Sendable (PublishOutcome) -> Void) -> Void
    /// Subscribes to the states of other devices, or unsubscribes. A new connection is not subscribed.
    package var listen: @Sendable (Bool) -> Void
    /// Makes the broker send all receipts that it keeps once more.
    package var hearReceipts: @Sendable () -> Void
    /// Ends the connection, within a second if it was established. The broker then publishes the will.
    package var close: @Sendable () -> Void
    /// Waits after `close` until the connection has ended, at most half a second.
    package var waitForEnd: @Sendable () -> Void
    /// How many messages were dropped because they were too long.
    package var oversizedCount: @Sendable () -> Int

    package init(
        takeMessages: @escaping @Sendable (Int) -> [BrokerMessage],
        publish: @escaping @Sendable (Publication, @escaping @Sendable (PublishOutcome) -> Void) -> Void,
        listen: @escaping @Sendable (Bool) -> Void, hearReceipts: @escaping @Sendable () -> Void,
        close: @escaping @Sendable () -> Void,
        waitForEnd: @escaping @Sendable () -> Void, oversizedCount: @escaping @Sendable () -> Int
    ) {
        self.takeMessages = takeMessages
        self.publish = publish
        self.listen = listen
        self.hearReceipts = hearReceipts
        self.close = close
        self.waitForEnd = waitForEnd
        self.oversizedCount = oversizedCount
    }
}

/// Opens connections to one broker.
package struct BrokerLink: Sendable {
    /// Starts a connection. Its events come on any thread, and their receiver must not block.
    package var open: @Sendable (_ hear: @escaping @Sendable (BrokerEvent) -> Void) -> BrokerConnection
    /// Gives later connections a name that no copy of this device uses.
    package var takeOwnName: @Sendable () -> Void

    package init(
        takeOwnName: @escaping @Sendable () -> Void = {},
        open: @escaping @Sendable (@escaping @Sendable (BrokerEvent) -> Void) -> BrokerConnection
    ) {
        self.takeOwnName = takeOwnName
        self.open = open
    }
}
