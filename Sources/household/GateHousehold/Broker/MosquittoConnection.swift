import CMosquitto
import Dispatch
import GateModel
import Glibc
import Synchronization

/// One connection to the broker with libmosquitto: MQTT 5 over TLS, with a will if the options have one, and without a
/// session that the broker would keep. Each attempt to connect makes a new object of this class.
///
/// libmosquitto runs and calls back on a thread of the connection's own, which may block. Other threads only publish,
/// subscribe and disconnect, under the lock of `handle`. So the class can be `Sendable` unchecked.
package final class MosquittoConnection: @unchecked Sendable {
    /// After so many seconds without a packet libmosquitto sends a ping; after 1.5 times as many the broker hangs up.
    private static let keepAliveSeconds: CInt = 30
    /// The most messages that the broker may send before the first of them is acknowledged.
    private static let receiveMaximum: UInt16 = 100
    private static let maximumPacketBytes = UInt32(HouseholdLimits.packetBytes)

    /// The longest wait for the socket, in milliseconds. Between two waits libmosquitto checks the keep-alive.
    private static let longestTurn: CInt = 10_000
    /// After `close` the loop turns at most `farewellTurns` times, so many milliseconds each, to send DISCONNECT.
    private static let farewellTurn: CInt = 50
    private static let farewellTurns = 10
    private static let ownEnd = "This device has ended the connection."

    private let options: Options
    private let name: ConnectionName
    private let hear: @Sendable (BrokerEvent) -> Void
    private let thread = DispatchQueue(label: "gate-household.broker")
    /// Locked while another thread calls libmosquitto, and while the pointer changes. `nil` if there is no connection.
    private let handle = Mutex<Handle?>(nil)
    private let end = DispatchSemaphore(value: 0)
    private let isClosed = Atomic(false)
    private let inbox = MessageInbox()
    private let waker: Waker
    private let acknowledgements = Acknowledgements()
    private let complaint = Mutex<String?>(nil)
    // Used only on the connection's thread.
    private var refusal: String?
    private var isAccepted = false
    private var subscription: CInt = 0

    /// libmosquitto's client. Other threads use it only under the lock of `handle`, so it can be `Sendable` unchecked.
    private struct Handle: @unchecked Sendable {
        let pointer: OpaquePointer
        /// libmosquitto's number of the newest subscription to states; 0 if there is none.
        var listening: CInt = 0
    }

    /// Initializes libmosquitto once, before any thread uses it. SIGPIPE is ignored because OpenSSL writes to
    /// connections that the broker has closed, which would end the program.
    private static let isReady: Bool = {
        signal(SIGPIPE, SIG_IGN)
        return mosquitto_lib_init() == mosquittoSuccess
    }()

    private init(
        _ options: Options, _ name: ConnectionName, waker: Waker, hear: @escaping @Sendable (BrokerEvent) -> Void
    ) {
        (self.options, self.name, self.waker, self.hear) = (options, name, waker, hear)
    }

    /// Opens connections with these options. Each has its own thread.
    package static func link(_ options: Options) -> BrokerLink {
        let name = ConnectionName(options.clientID)
        return BrokerLink(takeOwnName: { name.isShared() }) { hear in
            let connection = MosquittoConnection(options, name, waker: Waker(), hear: hear)
            connection.thread.async {
                let reason = connection.run()
                connection.end.signal()
                hear(.lost(reason))
            }
            return BrokerConnection(
                takeMessages: { connection.take(atMost: $0) },
                publish: { connection.publish($0, $1) }, listen: { connection.listen($0) },
                hearReceipts: { connection.hearReceipts() },
                close: { connection.close() },
                waitForEnd: { _ = connection.end.wait(timeout: .now() + .milliseconds(500)) },
                oversizedCount: { connection.inbox.oversizedCount })
        }
    }

    // MARK: - From any thread

    private func take(atMost count: Int) -> [BrokerMessage] {
        let (messages, wasFull) = inbox.take(atMost: count)
        if wasFull { waker.wake() }
        return messages
    }

    private func publish(_ publication: Publication, _ hear: @escaping @Sendable (PublishOutcome) -> Void) {
        defer { waker.wake() }
        acknowledgements.wait(hear) { () -> Acknowledgements.Sent in
            handle.withLock { handle in
                guard let handle else { return .lost }
                var properties: OpaquePointer?
                defer { mosquitto_property_free_all(&properties) }
                if let expiry = publication.expiry {
                    let seconds = UInt32(clamping: (expiry.millisecondsRoundedUp + 999) / 1000)
                    mosquitto_property_add_int32(
                        &properties, CInt(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.rawValue), max(1, seconds))
                }
                var number: CInt = 0
                let result = mosquitto_publish_v5(
                    handle.pointer, &number, publication.topic, CInt(publication.payload.count), publication.payload, 1,
                    publication.isRetained, properties)
                return result == mosquittoSuccess
                    ? .number(number) : result == CInt(MOSQ_ERR_NO_CONN.rawValue) ? .lost : .refused(text(for: result))
            }
        }
    }

    private func listen(_ isListening: Bool) {
        // Only a member's usual connection listens to other devices.
        guard !options.stateFilters.isEmpty else { return }
        defer { waker.wake() }
        let result = handle.withLock { handle -> CInt in
            guard let client = handle?.pointer else { return mosquittoSuccess }
            return Self.withPointers(options.stateFilters) { filters, count in
                guard isListening else {
                    handle?.listening = 0
                    return mosquitto_unsubscribe_multiple(client, nil, count, filters, nil)
                }
                var number: CInt = 0
                let result = mosquitto_subscribe_multiple(client, &number, count, filters, 1, 0, nil)
                handle?.listening = number
                return result
            }
        }
        // Otherwise this device would miss the others' states without noticing. The next connection subscribes again.
        if result != mosquittoSuccess, result != CInt(MOSQ_ERR_NO_CONN.rawValue) { close() }
    }

    /// Subscribes once more. A broker sends its retained messages after each subscription, even a repeated one.
    private func hearReceipts() {
        guard let filter = options.receiptFilter else { return }
        defer { waker.wake() }
        handle.withLock { _ = $0.map { mosquitto_subscribe_v5($0.pointer, nil, filter, 1, 0, nil) } }
    }

    private static func withPointers<Result>(
        _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>?, CInt) -> Result
    ) -> Result {
        let copies = texts.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        return copies.withUnsafeBufferPointer { body($0.baseAddress, CInt($0.count)) }
    }

    private func close() {
        isClosed.store(true, ordering: .sequentiallyConsistent)
        handle.withLock { handle in
            guard let handle else { return }
            mosquitto_disconnect_v5(handle.pointer, CInt(MQTT_RC_DISCONNECT_WITH_WILL_MSG.rawValue), nil)
        }
        waker.wake()
    }

    // MARK: - On the connection's thread

    /// Blocks until the connection has ended, and returns why.
    private func run() -> String {
        defer { acknowledgements.connectionLost() }
        guard Self.isReady, let client = mosquitto_new(name.clientID, true, nil) else {
            return "There is not enough memory to connect to the broker."
        }
        // The callbacks get this object, which therefore lives until the client is destroyed.
        let context = Unmanaged.passRetained(self)
        mosquitto_user_data_set(client, context.toOpaque())
        defer {
            handle.withLock { $0 = nil }
            mosquitto_destroy(client)
            context.release()
        }
        if let fault = configure(client) { return fault }
        let result = connect(client)
        guard result == mosquittoSuccess else { return text(for: result, errno) }
        handle.withLock { $0 = Handle(pointer: client) }
        return carry(client)
    }

    private func configure(_ client: OpaquePointer) -> String? {
        let broker = options.broker
        let files =
            (options.checksBroker ? [(broker.authority, "the broker's certificate authority")] : [])
            + (options.showsCertificate
                ? [(broker.certificate, "this device's certificate"), (broker.key, "this device's key")] : [])
        for (path, what) in files where access(path, R_OK) != 0 {
            return "\(path), \(what), can't be read: \(String(cString: strerror(errno)))"
        }
        mosquitto_log_callback_set(client, onLog)
        mosquitto_connect_v5_callback_set(client, onConnect)
        mosquitto_disconnect_v5_callback_set(client, onDisconnect)
        mosquitto_subscribe_v5_callback_set(client, onSubscribe)
        mosquitto_message_v5_callback_set(client, onMessage)
        mosquitto_publish_v5_callback_set(client, onPublish)
        let settings: [() -> CInt] = [
            { mosquitto_threaded_set(client, true) },
            { mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, CInt(MQTT_PROTOCOL_V5)) },
            { mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1) },
            { mosquitto_int_option(client, MOSQ_OPT_RECEIVE_MAXIMUM, CInt(Self.receiveMaximum)) },
            { self.setTrust(client) },
            {
                guard let login = self.options.login else { return mosquittoSuccess }
                return mosquitto_username_pw_set(client, login.user, login.password)
            },
            {
                guard let will = self.options.will else { return mosquittoSuccess }
                return mosquitto_will_set_v5(
                    client, will.topic, CInt(will.payload.count), will.payload, 1, will.isRetained, nil)
            },
        ]
        for setting in settings {
            let result = setting()
            guard result == mosquittoSuccess else { return text(for: result) }
        }
        return nil
    }

    private func setTrust(_ client: OpaquePointer) -> CInt {
        let broker = options.broker
        guard options.checksBroker else {
            // libmosquitto speaks TLS only if it has some authority, so it gets the system's. They check nothing here.
            let result = mosquitto_int_option(client, MOSQ_OPT_TLS_USE_OS_CERTS, 1)
            return result == mosquittoSuccess ? mosquitto_tls_opts_set(client, 0, nil, nil) : result
        }
        let (certificate, key) = options.showsCertificate ? (broker.certificate, broker.key) : (nil, nil)
        let result = mosquitto_tls_set(client, broker.authority, nil, certificate, key, mosquitto_no_password)
        return result == mosquittoSuccess ? mosquitto_tls_opts_set(client, 1, nil, nil) : result
    }

    private func connect(_ client: OpaquePointer) -> CInt {
        var properties: OpaquePointer?
        defer { mosquitto_property_free_all(&properties) }
        // The broker keeps no session for a device that is away: the retained messages are enough when it is back.
        mosquitto_property_add_int32(&properties, CInt(MQTT_PROP_SESSION_EXPIRY_INTERVAL.rawValue), 0)
        mosquitto_property_add_int32(&properties, CInt(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue), Self.maximumPacketBytes)
        return mosquitto_connect_bind_v5(
            client, options.broker.host, CInt(options.broker.port), Self.keepAliveSeconds, nil, properties)
    }

    /// Reads and writes until the connection has ended, and returns why. libmosquitto's own loop calls select(2), which
    /// ends a program with more than 1,024 open files, and reads on even if nobody takes the messages.
    private func carry(_ client: OpaquePointer) -> String {
        var patience = Self.farewellTurns
        while true {
            let isEnding = isClosed.load(ordering: .sequentiallyConsistent)
            if isEnding { patience -= 1 }
            let descriptor = mosquitto_socket(client)
            guard descriptor >= 0, patience > 0 else { return refusal ?? Self.ownEnd }
            // While the inbox is full nothing is read, so that the broker has to wait with further messages.
            let events = (inbox.isFull ? 0 : POLLIN) | (mosquitto_want_write(client) ? POLLOUT : 0)
            let happened = waker.wait(for: descriptor, events, atMost: isEnding ? Self.farewellTurn : Self.longestTurn)
            var result = mosquittoSuccess
            if happened & ~POLLOUT != 0 { result = mosquitto_loop_read(client, 1) }
            if result == mosquittoSuccess, mosquitto_want_write(client) { result = mosquitto_loop_write(client, 1) }
            if result == mosquittoSuccess { result = mosquitto_loop_misc(client) }
            let error = errno
            guard result == mosquittoSuccess else {
                return refusal
                    ?? (isClosed.load(ordering: .sequentiallyConsistent) ? Self.ownEnd : text(for: result, error))
            }
        }
    }

    // MARK: - Called by libmosquitto

    fileprivate func connected(_ client: OpaquePointer, _ code: CInt) {
        guard code == 0 else {
            refusal = "The broker refuses this device: \(String(cString: mosquitto_reason_string(code)))"
            return
        }
        isAccepted = true
        let result = Self.withPointers(options.filters) {
            mosquitto_subscribe_multiple(client, &subscription, $1, $0, 1, 0, nil)
        }
        if result != mosquittoSuccess { refuse(client, because: text(for: result)) }
        _ = options.sensorFilter.map { mosquitto_subscribe_v5(client, nil, $0, 1, 0, nil) }
    }

    fileprivate func subscribed(_ client: OpaquePointer, _ number: CInt, _ granted: UnsafeBufferPointer<CInt>) {
        let isFirst = number == subscription
        guard isFirst || number == handle.withLock({ $0?.listening }) else { return }
        let filters = isFirst ? options.filters : options.stateFilters
        guard granted.count == filters.count else {
            return refuse(client, because: "The broker has not confirmed all subscriptions.")
        }
        // Without one of the subscriptions this device would miss commands although it seems to be connected.
        guard let refused = zip(filters, granted).first(where: { $1 != 1 }) else {
            if isFirst { hear(.connected) }
            return
        }
        refuse(
            client,
            because: "The broker refuses the subscription to \(refused.0): "
                + (refused.1 < 0x80 ? "it has no QoS 1." : String(cString: mosquitto_reason_string(refused.1))))
    }

    private func refuse(_ client: OpaquePointer, because reason: String) {
        refusal = reason
        mosquitto_disconnect_v5(client, CInt(MQTT_RC_DISCONNECT_WITH_WILL_MSG.rawValue), nil)
    }

    fileprivate func disconnected(_ code: CInt) {
        guard refusal == nil, code >= 0x80 else { return }
        refusal =
            code == CInt(MQTT_RC_SESSION_TAKEN_OVER.rawValue)
            ? "Another connection of the same name has taken the place of this one."
            : "The broker has ended the connection: \(String(cString: mosquitto_reason_string(code)))"
    }

    fileprivate func arrived(_ message: mosquitto_message, _ properties: OpaquePointer?) {
        var seconds: UInt32 = 0
        let isExpiring =
            mosquitto_property_read_int32(
                properties, CInt(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.rawValue), &seconds, false) != nil
        let isFirst = inbox.append(
            topic: message.topic, UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen)),
            isRetained: message.retain, expiry: isExpiring ? .seconds(Int64(seconds)) : nil)
        if isFirst { hear(.messagesWaiting) }
    }

    fileprivate func published(_ number: CInt, _ code: CInt) {
        acknowledgements.arrived(
            number,
            code == CInt(MQTT_RC_NO_MATCHING_SUBSCRIBERS.rawValue)
                ? .unheard
                : code < 0x80 ? .acknowledged : .refused(String(cString: mosquitto_reason_string(code))))
    }

    fileprivate func complained(_ text: UnsafePointer<CChar>) {
        complaint.withLock { $0 = String(cString: text).replacingHidden }
    }

    // MARK: - For people

    private func text(for result: CInt, _ error: CInt = 0) -> String {
        let detail = complaint.withLock { $0 }.map { " (\($0.prefix(200)))" } ?? ""
        let place = "\(options.broker.host), port \(options.broker.port)"
        return switch result {
        // With TLS 1.3 the handshake succeeds here before the broker refuses a certificate.
        case CInt(MOSQ_ERR_ERRNO.rawValue) where error == EPROTO,
            CInt(MOSQ_ERR_CONN_LOST.rawValue) where !isAccepted:
            "The broker at \(place) has not let this device in. Does it know this device's certificate?\(detail)"
        case CInt(MOSQ_ERR_ERRNO.rawValue) where error != 0:
            "The broker at \(place) can't be reached: \(String(cString: strerror(error)))"
        case CInt(MOSQ_ERR_EAI.rawValue), CInt(MOSQ_ERR_LOOKUP.rawValue):
            "The broker's host, \(options.broker.host), can't be found. Is this device online?"
        case CInt(MOSQ_ERR_TLS.rawValue), CInt(MOSQ_ERR_TLS_HANDSHAKE.rawValue):
            "There is no secure connection to the broker at \(place). Look at the certificates and at this device's clock\(detail)."
        case CInt(MOSQ_ERR_CONN_LOST.rawValue), CInt(MOSQ_ERR_NO_CONN.rawValue):
            "The connection to the broker at \(place) has broken\(detail)."
        case CInt(MOSQ_ERR_KEEPALIVE.rawValue): "The broker at \(place) has said nothing for too long."
        case CInt(MOSQ_ERR_NOMEM.rawValue): "There is not enough memory for the broker."
        case _: "\(String(cString: mosquitto_strerror(result)))\(detail)"
        }
    }
}

private let mosquittoSuccess = CInt(MOSQ_ERR_SUCCESS.rawValue)

private func connection(_ context: UnsafeMutableRawPointer?) -> MosquittoConnection? {
    context.map { Unmanaged<MosquittoConnection>.fromOpaque($0).takeUnretainedValue() }
}

private let onConnect: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, CInt, CInt, OpaquePointer?) -> Void = {
    client, context, code, _, _ in
    if let client { connection(context)?.connected(client, code) }
}

private let onDisconnect: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, CInt, OpaquePointer?) -> Void = {
    _, context, code, _ in
    connection(context)?.disconnected(code)
}

private let onSubscribe:
    @convention(c) (
        OpaquePointer?, UnsafeMutableRawPointer?, CInt, CInt, UnsafePointer<CInt>?, OpaquePointer?
    ) -> Void = { client, context, number, count, granted, _ in
        if let client {
            connection(context)?.subscribed(client, number, UnsafeBufferPointer(start: granted, count: Int(count)))
        }
    }

private let onMessage:
    @convention(c) (
        OpaquePointer?, UnsafeMutableRawPointer?, UnsafePointer<mosquitto_message>?, OpaquePointer?
    ) -> Void = { _, context, message, properties in
        if let message { connection(context)?.arrived(message.pointee, properties) }
    }

private let onPublish: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, CInt, CInt, OpaquePointer?) -> Void = {
    _, context, number, code, _ in
    connection(context)?.published(number, code)
}

private let onLog: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, CInt, UnsafePointer<CChar>?) -> Void = {
    _, context, level, text in
    if level == CInt(MOSQ_LOG_ERR), let text { connection(context)?.complained(text) }
}
