package import GateModel

/// Tells Home Assistant of this device, and keeps what it asks for until gated can be asked. It allows nothing: gated decides what Home
/// Assistant may do.
package struct HomeAssistantStateMachine: Hashable, Sendable {
    /// The state of an entity's description at the broker.
    private enum Telling: Hashable {
        /// All there is to tell, or it does not want it. Can transition to: due.
        case told
        /// To be published. Can transition to: underWay.
        case due
        /// The broker was given it. Can transition to: told, due.
        case underWay
    }

    /// Something that was asked for, and when it counts no longer.
    private struct Wish: Hashable {
        var order: HomeAssistantOrder
        var expires: BootTime
    }

    /// Why a message is ignored.
    package enum Fault: Hashable, Sendable {
        /// The broker had kept it: it may be of any age.
        case retained
        /// Home Assistant sends no such thing, or it is too long.
        case malformed
    }

    private let description: HomeAssistantDescription
    private let settings: HouseholdSettings.HomeAssistant
    private var entities: [HomeAssistantEntity: Telling] = [:]
    private var waiting: Wish?
    private var underWay: Wish?
    /// When the next order may go to gated.
    private var next = BootTime(nanoseconds: .min)

    /// The shortest time between two orders.
    package static let interval = Duration.seconds(1)

    /// Makes the machine of a device.
    package init(_ description: HomeAssistantDescription, settings: HouseholdSettings.HomeAssistant) {
        self.description = description
        self.settings = settings
    }

    /// When an order that waits may go to gated; `nil`: none waits.
    var deadline: BootTime? { waiting == nil ? nil : next }

    // MARK: - The descriptions

    /// The broker may have forgotten all of it.
    package mutating func brokerConnected() {
        for entity in HomeAssistantEntity.allCases { entities[entity] = .due }
    }

    package mutating func brokerLost() {
        entities = [:]
    }

    /// The broker has it, or does not want it.
    package mutating func publicationEnded(_ entity: HomeAssistantEntity) {
        switch entities[entity] {
        case .underWay: entities[entity] = .told
        case .told, .due, nil: break
        }
    }

    /// The descriptions to publish now. An entity that is not to be found gets an empty one, which takes it away.
    package mutating func takeDescriptions() -> [Publication] {
        HomeAssistantEntity.allCases.filter { entities[$0] == .due }.map { entity in
            entities[entity] = .underWay
            return Publication(
                .homeAssistant(entity), entity.topic(of: description.device),
                entity.isFound(settings) ? description.json(of: entity) : [], isRetained: true)
        }
    }

    // MARK: - What is asked for

    /// - Returns: why the message is ignored; `nil`: it is not.
    package mutating func messageArrived(_ message: BrokerMessage, at now: BootTime) -> Fault? {
        guard !message.isRetained else { return .retained }
        guard let order = HomeAssistantOrder(payload: message.payload) else { return .malformed }
        let life = min(message.expiry ?? HouseholdLimits.signedLife, HouseholdLimits.signedLife)
        wish(Wish(order: order, expires: now.advanced(by: life)))
        return nil
    }

    /// The newest counts, but nothing takes the place of a lock.
    private mutating func wish(_ wish: Wish) {
        switch (waiting?.order, wish.order) {
        case (nil, _), (.extend, _), (.lock, .lock): waiting = wish
        case (.lock, .extend): break
        }
    }

    /// The order for gated, where one may go now.
    package mutating func takeOrder(at now: BootTime) -> HomeAssistantOrder? {
        guard let wish = waiting, underWay == nil, next <= now else { return nil }
        (waiting, underWay) = (nil, wish)
        next = now.advanced(by: Self.interval)
        return wish.order
    }

    /// gated has done it, or never will.
    package mutating func orderEnded() {
        underWay = nil
    }

    /// gated could not be asked: the order waits again, behind a newer one.
    package mutating func orderReturned() {
        guard let old = underWay else { return }
        underWay = nil
        let newer = waiting
        waiting = old
        if let newer { wish(newer) }
    }

    /// - Returns: how many orders there were whose time is over.
    package mutating func removeExpired(at now: BootTime) -> Int {
        guard let wish = waiting, wish.expires <= now else { return 0 }
        waiting = nil
        return 1
    }
}
