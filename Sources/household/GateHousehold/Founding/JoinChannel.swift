import GateModel

/// A connection to the broker, for as long as a household is joined or changed.
package struct JoinChannel: Sendable {
    /// A message of the broker's, or the end.
    package enum Event: Hashable, Sendable {
        /// A message has come.
        case message(BrokerMessage)
        /// The connection has ended. The sentence says why.
        case lost(String)
    }

    /// The messages, and then the end.
    package let events: AsyncStream<Event>
    private let publication: @Sendable (Publication) async -> PublishOutcome
    /// Ends it, after what was published is on its way.
    package let close: @Sendable () -> Void

    /// Makes a channel of these.
    package init(
        events: AsyncStream<Event>, publication: @escaping @Sendable (Publication) async -> PublishOutcome,
        close: @escaping @Sendable () -> Void
    ) {
        (self.events, self.publication, self.close) = (events, publication, close)
    }

    /// The first message on a topic; `nil`: none comes in time.
    ///
    /// - Throws: `broker`.
    package func message(
        on topic: String, within duration: Duration, sleep: @escaping @Sendable (Duration) async -> Void
    ) async throws(FoundingError) -> [UInt8]? {
        var events = Timed(events, sleep: sleep)
        while let event = await events.next(within: duration) {
            switch event {
            case .lost(let why): throw .broker(why)
            case .message(let message): if message.topic == topic { return message.payload }
            }
        }
        return nil
    }

    /// Hears everything that the broker keeps on the topics of this channel's filters: what comes before a message of this device's own. A topic that
    /// is not heard of has nothing.
    ///
    /// - Parameters:
    ///   - echo: a topic of the filters that this device may also write.
    ///   - hear: is given each message. It takes what it needs: a member can have the broker keep a great deal.
    /// - Throws: `broker`.
    package func hearKept(
        echo: String, within duration: Duration, sleep: @escaping @Sendable (Duration) async -> Void,
        hear: (BrokerMessage) -> Void
    ) async throws(FoundingError) {
        let mark = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        try await publish(echo, mark, expiry: duration)
        var events = Timed(events, sleep: sleep)
        while let event = await events.next(within: duration) {
            switch event {
            case .lost(let why): throw .broker(why)
            case .message(let message) where message.topic == echo: if message.payload == mark { return }
            case .message(let message): hear(message)
            }
        }
        throw .broker("The broker does not send what this device has published on \(echo).")
    }

    /// Publishes a message, and waits until the broker has it.
    ///
    /// - Throws: `broker`, `brokerRefuses`.
    package func publish(
        _ topic: String, _ payload: [UInt8], isRetained: Bool = false, expiry: Duration? = nil
    ) async throws(FoundingError) {
        switch await publication(Publication(.state, topic, payload, isRetained: isRetained, expiry: expiry)) {
        case .acknowledged, .unheard: return
        case .refused(let why): throw .brokerRefuses("The broker refuses to take \(topic): \(why)")
        case .lost: throw .broker("The connection to the broker has broken.")
        }
    }

    /// Has the broker forget what it keeps on these topics.
    ///
    /// - Throws: `broker`, `brokerRefuses`.
    package func clear(_ topics: some Sequence<String>) async throws(FoundingError) {
        for topic in topics { try await publish(topic, [], isRetained: true) }
    }
}

/// The ways to the broker while a household is joined or changed.
package struct JoinLink: Sendable {
    /// Those who connect.
    package enum Identity: Hashable, Sendable {
        /// Anyone, to learn the authority's certificate. Nothing that comes is believed as it is.
        case anyone
        /// A newcomer, which has checked the authority's certificate: a file.
        case newcomer(authority: String)
        /// A device of the household: the folder of its files.
        case device(folder: String)
    }

    /// Connects, with subscriptions to these filters; the broker has accepted both when this returns.
    package let open:
        @Sendable (_ host: String, _ port: UInt16, Identity, _ filters: [String]) async throws(FoundingError) ->
            JoinChannel

    /// Makes a link of this.
    package init(
        open:
            @escaping @Sendable (String, UInt16, Identity, [String]) async throws(FoundingError) -> JoinChannel
    ) {
        self.open = open
    }

    /// The way over a real broker.
    package static let mosquitto = JoinLink { host, port, identity, filters throws(FoundingError) in
        try await connected(MosquittoConnection.link(options(host, port, identity, filters)))
    }

    private static func options(
        _ host: String, _ port: UInt16, _ identity: Identity, _ filters: [String]
    ) -> MosquittoConnection.Options {
        // A name of its own: the broker ends an older connection of the same name, like the service's.
        var options = MosquittoConnection.Options(
            broker: .init(host: host, port: port, authority: "", certificate: "", key: ""),
            clientID: "gate-join-\(UInt64.random(in: .min ... .max))", filters: filters, will: nil)
        switch identity {
        case .anyone:
            (options.checksBroker, options.showsCertificate) = (false, false)
        case .newcomer(let authority):
            options.showsCertificate = false
            options.broker.authority = authority
        case .device(let folder):
            options.broker = .init(
                host: host, port: port, authority: "\(folder)/\(HouseholdFileName.authority)",
                certificate: "\(folder)/\(HouseholdFileName.certificate)", key: "\(folder)/\(HouseholdFileName.key)")
        }
        return options
    }

    private static func connected(_ link: BrokerLink) async throws(FoundingError) -> JoinChannel {
        let (told, tell) = AsyncStream.makeStream(of: BrokerEvent.self)
        let connection = link.open { tell.yield($0) }
        var iterator = told.makeAsyncIterator()
        switch await iterator.next() {
        case .connected, .messagesWaiting: break
        case .lost(let why): throw .broker(why)
        case nil: throw .broker("The connection to the broker was given up.")
        }
        let (events, event) = AsyncStream.makeStream(of: JoinChannel.Event.self)
        let task = Task { [iterator] in
            var iterator = iterator
            // What came before the subscriptions were confirmed, too.
            repeat {
                while case let messages = connection.takeMessages(64), !messages.isEmpty {
                    for message in messages { event.yield(.message(message)) }
                }
                let next = await iterator.next()
                if case .lost(let why) = next { event.yield(.lost(why)) }
                if next == nil { break }
            } while !Task.isCancelled
            event.finish()
        }
        return JoinChannel(
            events: events,
            publication: { publication in
                await withCheckedContinuation { continuation in
                    connection.publish(publication) { continuation.resume(returning: $0) }
                }
            },
            close: {
                connection.close()
                connection.waitForEnd()
                task.cancel()
                tell.finish()
            })
    }
}
