import GateModel

/// A connection to the broker while a household is joined or changed.
package struct JoinChannel: Sendable {
    package enum Event: Hashable, Sendable {
        case message(BrokerMessage)
        /// The connection has ended. The sentence says why.
        case lost(String)
    }

    /// The messages, and then the end.
    package let events: AsyncStream<Event>
    private let publication: @Sendable (Publication) async -> PublishOutcome
    /// Ends the connection, after what was published has left.
    package let close: @Sendable () -> Void

    package init(
        events: AsyncStream<Event>, publication: @escaping @Sendable (Publication) async -> PublishOutcome,
        close: @escaping @Sendable () -> Void
    ) {
        (self.events, self.publication, self.close) = (events, publication, close)
    }

    /// The first message on a topic; `nil` if `duration` passes without a message on any topic.
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

    /// Passes each message that the broker keeps on the topics of this channel to `hear`. To learn when all have come,
    /// this device publishes a message on `echo`, one of those topics: the broker sends what it keeps before that
    /// message. `hear` should keep only what it needs, since a member can make the broker keep a great deal.
    /// - Throws: `broker`, also if `duration` passes without a message; `brokerRefuses`.
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
    /// - Throws: `broker` or `brokerRefuses`.
    package func publish(
        _ topic: String, _ payload: [UInt8], isRetained: Bool = false, expiry: Duration? = nil
    ) async throws(FoundingError) {
        switch await publication(Publication(.state, topic, payload, isRetained: isRetained, expiry: expiry)) {
        case .acknowledged, .unheard: return
        case .refused(let why): throw .brokerRefuses("The broker refuses to take \(topic): \(why)")
        case .lost: throw .broker("The connection to the broker has broken.")
        }
    }

    /// Makes the broker forget the messages that it keeps on these topics.
    /// - Throws: `broker` or `brokerRefuses`.
    package func clear(_ topics: some Sequence<String>) async throws(FoundingError) {
        for topic in topics { try await publish(topic, [], isRetained: true) }
    }
}

package struct JoinLink: Sendable {
    package enum Identity: Hashable, Sendable {
        /// Any client, to learn the authority's certificate. It does not check the broker, so it trusts no message.
        case anyone
        /// A newcomer without a certificate. The broker has to show a certificate of the authority in this file.
        case newcomer(authority: String)
        /// The inviting device, at the broker for devices that join. The broker has to show a certificate of the
        /// authority in this file, too.
        case inviting(authority: String, password: String)
        /// A device of the household. Its files are in this folder.
        case device(folder: String)
    }

    /// Connects, and subscribes to these filters. When this returns, the broker has accepted both, or has sent a
    /// message before it confirmed the subscriptions.
    /// - Throws: `broker`.
    package let open:
        @Sendable (_ host: String, _ port: UInt16, Identity, _ filters: [String]) async throws(FoundingError) ->
            JoinChannel

    package init(
        open:
            @escaping @Sendable (String, UInt16, Identity, [String]) async throws(FoundingError) -> JoinChannel
    ) {
        self.open = open
    }

    /// How long a broker may take to accept the connection and the subscriptions. libmosquitto alone would wait for
    /// half a minute for a program that says nothing.
    private static let patience = Duration.seconds(10)

    package static let mosquitto = JoinLink { host, port, identity, filters throws(FoundingError) in
        let silence = "The broker at \(host), port \(port) has said nothing for too long."
        return try await connected(MosquittoConnection.link(options(host, port, identity, filters)), or: silence)
    }

    private static func options(
        _ host: String, _ port: UInt16, _ identity: Identity, _ filters: [String]
    ) -> MosquittoConnection.Options {
        // A random name, because the broker ends an older connection of the same name, such as the service's.
        var options = MosquittoConnection.Options(
            broker: .init(host: host, port: port, authority: "", certificate: "", key: ""),
            clientID: "gate-join-\(UInt64.random(in: .min ... .max))", filters: filters, will: nil)
        switch identity {
        case .anyone:
            (options.checksBroker, options.showsCertificate) = (false, false)
        case .newcomer(let authority):
            options.showsCertificate = false
            options.broker.authority = authority
        case .inviting(let authority, let password):
            options.showsCertificate = false
            options.broker.authority = authority
            options.login = .init(user: JoinBroker.user, password: password)
        case .device(let folder):
            options.broker = .init(
                host: host, port: port, authority: "\(folder)/\(HouseholdFileName.authority)",
                certificate: "\(folder)/\(HouseholdFileName.certificate)", key: "\(folder)/\(HouseholdFileName.key)")
        }
        return options
    }

    private static func connected(_ link: BrokerLink, or silence: String) async throws(FoundingError) -> JoinChannel {
        let (told, tell) = AsyncStream.makeStream(of: BrokerEvent.self)
        let connection = link.open { tell.yield($0) }
        let timer = Task {
            try await Task.sleep(for: patience)
            tell.yield(.lost(silence))
        }
        defer { timer.cancel() }
        var iterator = told.makeAsyncIterator()
        switch await iterator.next() {
        case .connected, .messagesWaiting: break
        case .lost(let why):
            connection.close()
            throw .broker(why)
        case nil: throw .broker("The connection to the broker was given up.")
        }
        let (events, event) = AsyncStream.makeStream(of: JoinChannel.Event.self)
        let task = Task { [iterator] in
            var iterator = iterator
            // The first round takes messages that came before the subscriptions were confirmed.
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
