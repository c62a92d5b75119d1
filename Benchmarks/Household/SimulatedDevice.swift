import CMosquitto
import GateClient
import GateCore
import GateGuardians
import GateHousehold
import GateModel
import Glibc

/// A device of the household with the machines of the real ones: gate-household's, which carries, and gated's, which checks signatures and
/// obeys. What lies between them on a real device, a socket and a disk, is left out. Confined to its thread.
final class SimulatedDevice {
    let settings: HouseholdSettings
    private let key: SigningKey
    private var machine: HouseholdStateMachine
    private var state: GateState
    private let client: OpaquePointer
    private var random = SystemRandomNumberGenerator()
    /// The publications that the broker has not acknowledged, by libmosquitto's numbers.
    private var publications: [CInt: Publication.ID] = [:]
    /// The outcomes that came before libmosquitto had told the number.
    private var early: Set<CInt> = []
    private(set) var isSubscribed = false
    private(set) var failure: String?
    /// Locks that were done and answered.
    private(set) var lockCount = 0

    /// - Parameters:
    ///   - records: with this device's key, and a list that the household has signed.
    ///   - authority: the file of the certificate authority; `nil`: without TLS.
    init(_ settings: HouseholdSettings, key: SigningKey, records: DurableRecords, authority: String?) throws {
        self.settings = settings
        self.key = key
        machine = HouseholdStateMachine(
            household: settings.household, device: settings.device, name: settings.name, version: GateRelease.version)
        var configuration = Configuration.builtIn
        configuration.household = settings
        state = GateState(restoring: records, configuration: configuration)
        guard let client = mosquitto_new("gate-\(settings.device)", true, nil) else {
            throw LoadFailure("no memory is left")
        }
        self.client = client
        mosquitto_user_data_set(client, Unmanaged.passUnretained(self).toOpaque())
        mosquitto_connect_v5_callback_set(client) { _, context, code, _, _ in
            SimulatedDevice.of(context)?.connected(code)
        }
        mosquitto_subscribe_v5_callback_set(client) { _, context, _, count, granted, _ in
            SimulatedDevice.of(context)?.subscribed(UnsafeBufferPointer(start: granted, count: Int(count)))
        }
        mosquitto_message_v5_callback_set(client) { _, context, message, _ in
            if let message { SimulatedDevice.of(context)?.arrived(message.pointee) }
        }
        mosquitto_publish_v5_callback_set(client) { _, context, number, _, _ in
            SimulatedDevice.of(context)?.published(number)
        }
        try check(mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, CInt(MQTT_PROTOCOL_V5)))
        try check(mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1))
        // The name that the access list goes by. On real devices the certificate says it.
        try check(mosquitto_username_pw_set(client, settings.device.description, nil))
        if let authority { try check(mosquitto_tls_set(client, authority, nil, nil, nil, nil)) }
        _ = try? apply(.daemon(.start(lastEntry: nil)), roles: .administrator, over: 0)
    }

    deinit { mosquitto_destroy(client) }

    private static func of(_ context: UnsafeMutableRawPointer?) -> SimulatedDevice? {
        context.map { Unmanaged<SimulatedDevice>.fromOpaque($0).takeUnretainedValue() }
    }

    private func check(_ result: CInt) throws {
        guard result == CInt(MOSQ_ERR_SUCCESS.rawValue) else {
            throw LoadFailure("\(settings.name): \(String(cString: mosquitto_strerror(result)))")
        }
    }

    // MARK: - The connection

    /// Connects; blocks until TCP is there.
    func connect() throws {
        try check(mosquitto_connect_bind_v5(client, settings.broker.host, CInt(settings.broker.port), 60, nil, nil))
    }

    var socket: CInt { mosquitto_socket(client) }
    var wantsToWrite: Bool { mosquitto_want_write(client) }

    /// Reads what is there and writes what waits.
    func carry(reads: Bool) {
        // TLS may have read more than was asked for, and the kernel says nothing of that.
        for _ in 0..<(reads ? 4 : 0) { note(mosquitto_loop_read(client, 1)) }
        while wantsToWrite {
            let result = mosquitto_loop_write(client, 1)
            note(result)
            if result != CInt(MOSQ_ERR_SUCCESS.rawValue) || errno == EAGAIN { break }
        }
    }

    func timePassed() {
        note(mosquitto_loop_misc(client))
        if let deadline = machine.deadline, deadline <= .now() { perform(machine.timePassed(at: Self.moment)) }
    }

    private func note(_ result: CInt) {
        if failure == nil, result != CInt(MOSQ_ERR_SUCCESS.rawValue), result != CInt(MOSQ_ERR_CONN_PENDING.rawValue) {
            failure = "\(settings.name): \(String(cString: mosquitto_strerror(result)))"
        }
    }

    private func connected(_ code: CInt) {
        guard code == 0 else {
            failure = "\(settings.name): \(String(cString: mosquitto_reason_string(code)))"
            return
        }
        let filters = HouseholdTopic.filters(in: settings.household, for: settings.device).map { strdup($0) }
        defer { filters.forEach { free($0) } }
        var pointers = filters.map { UnsafeMutablePointer<CChar>($0) }
        note(
            pointers.withUnsafeMutableBufferPointer {
                mosquitto_subscribe_multiple(client, nil, CInt($0.count), $0.baseAddress, 1, 0, nil)
            })
    }

    private func subscribed(_ granted: UnsafeBufferPointer<CInt>) {
        guard granted.allSatisfy({ $0 == 1 }) else {
            failure = "\(settings.name): the broker refuses a subscription"
            return
        }
        isSubscribed = true
        perform(machine.brokerConnected(at: Self.moment))
        perform(machine.daemonReturned(state.modeState, at: Self.moment))
    }

    private func arrived(_ message: mosquitto_message) {
        let payload = Array(UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen)))
        let message = BrokerMessage(topic: String(cString: message.topic), payload: payload, isRetained: message.retain)
        perform(machine.messageArrived(message, at: Self.moment))
    }

    private func published(_ number: CInt) {
        guard let id = publications.removeValue(forKey: number) else {
            early.insert(number)
            return
        }
        perform(machine.published(id, at: Self.moment))
    }

    // MARK: - The machines

    private static var moment: HouseholdStateMachine.Moment { .init(boot: .now(), wall: .now()) }

    private func perform(_ actions: [HouseholdAction]) {
        var rest = actions
        while !rest.isEmpty { rest = rest.flatMap(perform) }
    }

    private func perform(_ action: HouseholdAction) -> [HouseholdAction] {
        switch action {
        case .publish(let publication): return publish(publication)
        case .askHousehold:
            guard case .challenge(let challenge) = try? apply(.household(.openHousehold), roles: .household) else {
                return machine.callFailed(.household, .never, jitter: 0, at: Self.moment)
            }
            return machine.householdTold(challenge: challenge, isGuardians: false, at: Self.moment)
        // It commands nobody.
        case .listen, .hearReceipts: return []
        case .submitCommand(let signed): return obey(signed)
        case .submitResult: return machine.taken(.result, at: Self.moment)
        case .submitGuardians: return machine.taken(.guardians, at: Self.moment)
        case .submitPolicy: return machine.taken(.policy, at: Self.moment)
        case .report: return machine.taken(.report, at: Self.moment)
        // It commands nobody, and Home Assistant does not know it.
        case .collect, .obeyHomeAssistant, .collectRequests, .submitRequests, .collectReceipts, .submitReceipt,
            .submitAnswer, .collectAnswers, .collectUsage, .submitUsage:
            return []
        }
    }

    private func publish(_ publication: Publication) -> [HouseholdAction] {
        var number: CInt = 0
        let result = mosquitto_publish_v5(
            client, &number, publication.topic, CInt(publication.payload.count), publication.payload, 1,
            publication.isRetained, nil)
        note(result)
        if early.remove(number) != nil { return machine.published(publication.id, at: Self.moment) }
        publications[number] = publication.id
        return []
    }

    /// As gated does with a guardian's command.
    private func obey(_ signed: [UInt8]) -> [HouseholdAction] {
        let before = state.modeState
        guard let command = try? verified(signed),
            case .obeyed(let obeyed) = try? apply(.household(.execute(command)), roles: .household)
        else { return machine.callFailed(.command, .never, jitter: 0, at: Self.moment) }
        if obeyed.result.refusal == nil, state.modeState.mode == .child { lockCount += 1 }
        let result = SignedText.sign(obeyed.result.payload, as: .result, with: key)
        let answered = machine.commandAnswered(result: result, challenge: obeyed.challenge, at: Self.moment)
        return state.modeState == before ? answered : answered + machine.modeChanged(state.modeState, at: Self.moment)
    }

    private func verified(_ signed: [UInt8]) throws -> SignedGuardianCommand {
        let text = try SignedText(signed, as: .command)
        let command = try GuardianCommand(payload: text.payload)
        guard let member = state.householdList?.member(command.guardian), member.guardian != nil else {
            throw LoadFailure("no guardian")
        }
        try text.verify(with: member.publicKey)
        return SignedGuardianCommand(command, verifiedBy: member.publicKey)
    }

    private func apply(_ command: Command, roles: Roles, over connection: UInt64 = 1) throws -> Reply {
        let peer = Peer(connection: connection, uid: 0, pid: 1, roles: roles.union(.app))
        var context = Context(now: .now(), localTime: LocalTime(.now()), peer: peer, random: random)
        return try state.apply(command, &context).reply
    }

    /// A grown-up opens it here, so that there is something to lock.
    func open() {
        _ = try? apply(.mode(.override(.parent, nil, reason: "load")), roles: .administrator)
        perform(machine.modeChanged(state.modeState, at: Self.moment))
    }

    var isOpen: Bool { state.modeState.mode == .parent }
}
