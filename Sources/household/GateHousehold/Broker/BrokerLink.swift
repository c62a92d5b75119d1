/// The ways in which a publication ends.
package enum PublishOutcome: Hashable, Sendable {
    /// The broker has it.
    case acknowledged
    /// The broker has it, and says that nobody was there to hear it. Not every broker does.
    case unheard
    /// The broker does not want it, and says why.
    case refused(String)
    /// The connection ended first: nobody knows whether the broker has it.
    case lost
}

/// An event of one connection to the broker.
package enum BrokerEvent: Hashable, Sendable {
    /// The broker has accepted this device, and all its subscriptions.
    case connected
    /// There are messages to take, after there were none.
    case messagesWaiting
    /// The end of the connection, or of the attempt: the last event. The sentence says why.
    case lost(String)
}

/// One connection to the broker, from its beginning on.
package struct BrokerConnection: Sendable {
    /// Takes messages that have come, in their order.
    package var takeMessages: @Sendable (_ atMost: Int) -> [BrokerMessage]
    /// Hands it over, after those before it. The outcome comes on any thread, when the broker has acknowledged it.
    package var publish: @Sendable (Publication, _ hear: @escaping @Sendable (PublishOutcome) -> Void) -> Void
    /// Hears what other devices say of themselves from now on, or no more. A connection begins without.
    package var listen: @Sendable (Bool) -> Void
    /// Has the broker hand out once more what was bought.
    package var hearReceipts: @Sendable () -> Void
    /// Ends it, within a second where there is a connection; the broker publishes the will.
    package var close: @Sendable () -> Void
    /// Waits until it has ended after `close`, half a second at most.
    package var waitForEnd: @Sendable () -> Void
    /// How many messages were too long to be read.
    package var oversizedCount: @Sendable () -> Int

    /// Makes a connection of these.
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

/// The way to the broker.
package struct BrokerLink: Sendable {
    /// Begins a connection, which is told of by its events, on any thread. They must not block.
    package var open: @Sendable (_ hear: @escaping @Sendable (BrokerEvent) -> Void) -> BrokerConnection
    /// Has the next connections go by a name that no copy of this device has.
    package var takeOwnName: @Sendable () -> Void

    /// Makes a link of these.
    package init(
        takeOwnName: @escaping @Sendable () -> Void = {},
        open: @escaping @Sendable (@escaping @Sendable (BrokerEvent) -> Void) -> BrokerConnection
    ) {
        self.takeOwnName = takeOwnName
        self.open = open
    }
}
