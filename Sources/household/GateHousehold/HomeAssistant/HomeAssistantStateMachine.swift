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
    private struct TimedOrder: Hashable {
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

    private enum Told: Hashable {
        /// gated has not told yet what is asked. Can transition to: known.
        case unknown
        /// The newest question that is open; `nil`: none is. Can transition to: known.
        case known(HomeAssistantQuestion?)
    }

    private var description: HomeAssistantDescription
    private let settings: HouseholdSettings.HomeAssistant
    private var entities: [HomeAssistantEntity: Telling] = [:]
    private var question = Told.unknown
    /// gated's numbers of the questions that are open, by those that Home Assistant is told.
    private var open: [UInt64: UInt64] = [:]
    private var questionTopic = RetainedTopic(interval: HouseholdLimits.stateInterval)
    private var waiting: TimedOrder?
    private var underWay: TimedOrder?
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
        questionTopic.brokerConnected()
    }

    package mutating func brokerLost() {
        entities = [:]
    }

    /// People call the device by another name from now on: Home Assistant takes it from the next descriptions, and keeps its entities.
    mutating func deviceRenamed(_ name: String) {
        description.name = name
        for entity in entities.keys { entities[entity] = .due }
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

    // MARK: - The last question

    /// gated has told which questions are open for guardians.
    ///
    /// - Parameter words: of those that Home Assistant may read, by number.
    mutating func questionsKnown(_ requests: OutgoingRequests, words: [UInt64: String], at now: BootTime) {
        open = Dictionary(requests.requests.map { ($0.numberForHomeAssistant, $0.number) }) { _, newer in newer }
        tell(
            requests.requests.max { $0.number < $1.number }.map {
                HomeAssistantQuestion(
                    number: $0.numberForHomeAssistant, kind: $0.kind, askedAt: $0.askedAt, words: words[$0.number],
                    expires: now.advanced(by: $0.left))
            })
    }

    /// gated tells no questions, or is away: nobody can answer one.
    mutating func questionsUnknown() {
        open = [:]
        tell(nil)
    }

    private mutating func tell(_ newest: HomeAssistantQuestion?) {
        // Where the device is not to be found, not even the moment of a question is to be seen.
        guard settings.isFound else { return }
        switch question {
        case .known(let old) where HomeAssistantQuestion.json(old) == HomeAssistantQuestion.json(newest): return
        case .known, .unknown: break
        }
        question = .known(newest)
        questionTopic.changed()
    }

    /// When `takeQuestion` has something; `nil`: only another event changes that.
    var questionDeadline: BootTime? { isQuestionKnown ? questionTopic.deadline : nil }

    /// Where the device is not to be found, there is nothing to wait for: its topic is cleared.
    private var isQuestionKnown: Bool { !settings.isFound || question != .unknown }

    /// The newest question as Home Assistant is to read it, where that is to be published now. An empty one takes the topic away.
    mutating func takeQuestion(at now: BootTime) -> Publication? {
        guard isQuestionKnown, questionTopic.publish(at: now) else { return nil }
        let topic = HouseholdTopic.homeAssistantRequest(description.device).text(in: description.household)
        guard settings.isFound else { return Publication(.homeAssistantRequest, topic, [], isRetained: true) }
        guard case .known(let newest?) = question, now < newest.expires else {
            return Publication(.homeAssistantRequest, topic, HomeAssistantQuestion.json(nil), isRetained: true)
        }
        // The broker forgets it where this program can't take it back any more.
        return Publication(
            .homeAssistantRequest, topic, HomeAssistantQuestion.json(newest), isRetained: true,
            expiry: now.duration(to: newest.expires))
    }

    mutating func questionPublished() {
        questionTopic.ended()
    }

    // MARK: - What is asked for

    /// - Returns: why the message is ignored; `nil`: it is not.
    package mutating func messageArrived(_ message: BrokerMessage, at now: BootTime) -> Fault? {
        guard !message.isRetained else { return .retained }
        guard let order = HomeAssistantOrder(payload: message.payload) else { return .malformed }
        let life = min(message.expiry ?? HouseholdLimits.signedLife, HouseholdLimits.signedLife)
        keep(TimedOrder(order: order, expires: now.advanced(by: life)))
        return nil
    }

    /// The newest counts, but nothing takes the place of a lock.
    private mutating func keep(_ new: TimedOrder) {
        switch (waiting?.order, new.order) {
        case (nil, _), (.extend, _), (.answer, _), (.lock, .lock): waiting = new
        case (.lock, .extend), (.lock, .answer): break
        }
    }

    /// The order for gated, where one may go now.
    package mutating func takeOrder(at now: BootTime) -> HomeAssistantOrder? {
        guard let kept = waiting, underWay == nil, next <= now else { return nil }
        waiting = nil
        guard let order = ofDaemon(kept.order) else { return nil }
        underWay = kept
        next = now.advanced(by: Self.interval)
        return order
    }

    /// The order with gated's number of the question; `nil`: no question that is open has this one, so nothing comes of it.
    private func ofDaemon(_ order: HomeAssistantOrder) -> HomeAssistantOrder? {
        guard case .answer(let number, let isApproved) = order else { return order }
        return open[number].map { .answer($0, isApproved: isApproved) }
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
        if let newer { keep(newer) }
    }

    /// - Returns: how many orders there were whose time is over.
    package mutating func removeExpired(at now: BootTime) -> Int {
        guard let kept = waiting, kept.expires <= now else { return 0 }
        waiting = nil
        return 1
    }
}

extension OutgoingRequest {
    /// Its number for Home Assistant: the second in which it was asked, and the end of gated's own number. A backup that is restored brings gated's
    /// numbers back, and a notification on a phone may be older than that: its yes must fit no other question. Together they have 53 bits, which any
    /// reader of JSON holds as a whole number.
    fileprivate var numberForHomeAssistant: UInt64 {
        let second = UInt64(max(0, askedAt.unixMilliseconds / 1000)) & (1 << 33 - 1)
        return second << 20 | number & (1 << 20 - 1)
    }
}
