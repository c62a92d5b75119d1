import GateModel

extension HouseholdStateMachine {
    package mutating func messageArrived(_ message: BrokerMessage, at now: Moment) -> [HouseholdAction] {
        switch broker {
        case .lost: return []
        case .connected: break
        }
        guard let topic = HouseholdTopic(message.topic, in: household) else {
            if homeAssistant?.descriptionArrived(message) == true { return due(at: now) }
            drops.foreign += 1
            return []
        }
        switch topic {
        case .state(device): ownStateArrived(message, at: now)
        // It was still on its way when this device stopped listening to others.
        case .state where !isGuardians: break
        case .state(let other): stateArrived(message.payload, of: other)
        case .availability(device):
            // The broker has published the will of an earlier connection of this device late, so this one says again
            // that the device is online. A retained message is older than what this connection has said.
            if !message.isRetained, Availability(payload: message.payload) == .offline { availability.changed() }
        case .availability where !isGuardians: break
        case .availability(let other): availabilityArrived(message.payload, of: other)
        case .commands(let sender, let target) where target == nil || target == device:
            signedArrived(message, from: sender, into: \.commands, at: now.boot)
        case .results(let sender, device):
            signedArrived(message, from: sender, into: \.results, at: now.boot)
        case .request(let other, let number): requestArrived(message, RequestName(other, number), at: now.boot)
        case .answer(device, let target, let number):
            if !message.payload.isEmpty { askAnswers.own.arrived(RequestName(target, number)) }
        case .answer(let sender, device, _): answerArrived(message, from: sender, at: now.boot)
        case .receipt(device, let number): if !message.payload.isEmpty { shared.arrived(number) }
        case .receipt(let other, _): receiptArrived(message.payload, from: other, at: now.boot)
        // This device's own report, as the broker has it.
        case .usage(device): break
        case .usage(let other): usageArrived(message.payload, from: other)
        case .homeAssistant(device): homeAssistantSaid(message, at: now.boot)
        case .commands, .results, .answer, .homeAssistant, .homeAssistantRequest, .homeAssistantUsed:
            drops.foreign += 1
        case .guardians: guardiansArrived(message.payload)
        case .policy: policyArrived(message.payload)
        // Read as root by `gate-household renew`, and not subscribed to here.
        case .certificate, .revokedCertificates: drops.foreign += 1
        }
        return due(at: now)
    }

    /// The broker also sends this device's own states. One with another `instance` comes either from a twin (a copy of
    /// this device's disk, with the same key), or from an earlier run of this program, whose state the broker has
    /// retained. A retained state is a twin's only if it is newer than the last one that this run published over an
    /// earlier connection: twins with the same client identifier end each other's connections, and each then finds the
    /// other's state.
    private mutating func ownStateArrived(_ message: BrokerMessage, at now: Moment) {
        guard let state = DeviceStateMessage(json: message.payload), state.device == device,
            state.instance != instance,
            !message.isRetained || lastSaidBefore.map({ $0 < state.updated }) ?? false
        else { return }
        twinChanged(until: now.boot.advanced(by: HouseholdLimits.twinLife), at: now)
    }

    /// Notes until when a twin is believed to exist; `nil` if there is none. Reports to other devices and gated if one
    /// has appeared or disappeared.
    mutating func twinChanged(until end: BootTime?, at now: Moment) {
        let hadTwin = hasTwin
        twinUntil = end
        guard hadTwin != hasTwin else { return }
        state.changed()
        tellOfTwin(at: now)
    }

    /// Reports to gated whether there is a twin, in a report about this device itself.
    mutating func tellOfTwin(at now: Moment) {
        _ = devices.stateArrived(
            DeviceStateMessage(
                device: device, name: name, mode: .child, parentUntil: nil, updated: now.wall, challenge: [],
                gate: version, hasTwin: hasTwin))
    }

    private mutating func stateArrived(_ payload: [UInt8], of other: HouseholdID) {
        guard !payload.isEmpty else { return devices.stateRemoved(of: other) }
        guard let state = DeviceStateMessage(json: payload), state.device == other else {
            drops.malformed += 1
            return
        }
        if !devices.stateArrived(state) { drops.tooMany += 1 }
    }

    private mutating func availabilityArrived(_ payload: [UInt8], of other: HouseholdID) {
        // An empty payload means that the topic was cleared.
        guard let availability = payload.isEmpty ? .offline : Availability(payload: payload) else {
            drops.malformed += 1
            return
        }
        if !devices.availabilityArrived(availability, of: other) { drops.tooMany += 1 }
    }

    private mutating func signedArrived(
        _ message: BrokerMessage, from sender: HouseholdID,
        into queue: WritableKeyPath<HouseholdStateMachine, SenderQueue>, at now: BootTime
    ) {
        guard !message.isRetained else {
            drops.retained += 1
            return
        }
        guard !message.payload.isEmpty, message.payload.count <= HouseholdLimits.signedBytes else {
            drops.malformed += 1
            return
        }
        let life = min(message.expiry ?? HouseholdLimits.signedLife, HouseholdLimits.signedLife)
        let element = SenderQueue.Element(
            sender: sender, signed: message.payload, expires: now.advanced(by: life))
        drops.tooMany += self[keyPath: queue].append(element)
    }

    private mutating func requestArrived(_ message: BrokerMessage, _ name: RequestName, at now: BootTime) {
        guard name.device != device else {
            if !message.payload.isEmpty { asked.arrived(name.number) }
            return
        }
        guard isGuardians else { return }
        guard !message.payload.isEmpty else { return heard.closed(name) }
        guard let request = RequestMessage(json: message.payload), request.name == name else {
            drops.malformed += 1
            return
        }
        // Not sealed to this device: the device that asks does not know it as a guardian's.
        guard let own = request.sealed.first(where: { $0.device == device }) else { return }
        let longest = request.isAsk ? HouseholdAsk.longestLife : HouseholdRequest.longestLife
        let life = min(message.expiry ?? longest, longest)
        if !heard.arrived(request, sealed: own.sealed, expires: now.advanced(by: life)) { drops.tooMany += 1 }
    }

    private mutating func receiptArrived(_ signed: [UInt8], from sender: HouseholdID, at now: BootTime) {
        // An empty payload means that the receipt is not shared any more. If gated has taken it, it keeps it.
        guard sharesReceipts, !signed.isEmpty else { return }
        guard signed.count <= HouseholdLimits.receiptBytes else {
            drops.malformed += 1
            return
        }
        let element = SenderQueue.Element(
            sender: sender, signed: signed, expires: now.advanced(by: HouseholdLimits.receiptInterval))
        drops.tooMany += receipts.append(element)
    }

    private mutating func homeAssistantSaid(_ message: BrokerMessage, at now: BootTime) {
        switch homeAssistant?.messageArrived(message, at: now) {
        case .retained: drops.retained += 1
        case .malformed: drops.malformed += 1
        case nil: if homeAssistant == nil { drops.foreign += 1 }
        }
    }
}
