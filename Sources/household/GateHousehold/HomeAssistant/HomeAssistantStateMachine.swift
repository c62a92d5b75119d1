package import GateModel

/// Tells Home Assistant of this device, and keeps an order of Home Assistant until gated can take it. It permits
/// nothing: gated decides what Home Assistant may do.
package struct HomeAssistantStateMachine: Hashable, Sendable {
    /// The state of an entity's description at the broker.
    private enum Telling: Hashable {
        /// The broker has it, or has refused it. Can go to `due`.
        case told
        /// To be published. Can go to `underWay`.
        case due
        /// Published, and not acknowledged yet. Can go to `told` or `due`.
        case underWay
    }

    private struct TimedOrder: Hashable {
        var order: HomeAssistantOrder
        var expires: BootTime
    }

    /// Why a message is ignored.
    package enum Fault: Hashable, Sendable {
        /// The broker had kept it, so it may be of any age.
        case retained
        case malformed
    }

    private enum Told: Hashable {
        /// gated has not returned yet which questions are open. Can go to `known`.
        case unknown
        /// The newest open question; `nil` if none is open. Can go to `known`.
        case known(HomeAssistantQuestion?)
    }

    private var description: HomeAssistantDescription
    private let settings: HouseholdSettings.HomeAssistant
    private var entities: [HomeAssistantEntity: Telling] = [:]
    private var question = Told.unknown
    /// gated's numbers of the open questions, by the numbers that are published for Home Assistant.
    private var open: [UInt64: UInt64] = [:]
    private var questionTopic = RetainedTopic(interval: HouseholdLimits.stateInterval)
    /// The time used today; `nil` if gated has not reported it, or if Home Assistant may not have it.
    private var use: HomeAssistantUse?
    private var useTopic = RetainedTopic(interval: HouseholdLimits.stateInterval)
    /// The descriptions of people's sensors, by the people's own users. Those that an earlier run has left are cleared.
    private var people = RetainedTopics<UInt32>(limit: 2 * HouseholdLimits.peopleOfHomeAssistant)
    private var waiting: TimedOrder?
    private var underWay: TimedOrder?
    /// When the next order may go to gated.
    private var next = BootTime(nanoseconds: .min)

    /// The shortest time between two orders.
    package static let interval = Duration.seconds(1)

    package init(_ description: HomeAssistantDescription, settings: HouseholdSettings.HomeAssistant) {
        self.description = description
        self.settings = settings
        if !settings.tellsUse { describePeople() }
    }

    /// When an order that waits may go to gated; `nil` if none waits.
    var deadline: BootTime? { waiting == nil ? nil : next }

    // MARK: - The descriptions

    /// The broker may have forgotten everything, so everything is published again.
    package mutating func brokerConnected() {
        for entity in HomeAssistantEntity.allCases { entities[entity] = .due }
        questionTopic.brokerConnected()
        useTopic.brokerConnected()
        people.brokerConnected()
    }

    package mutating func brokerLost() {
        entities = [:]
        people.brokerLost()
    }

    /// The device has a new name. Home Assistant takes it from the next descriptions, and keeps its entities.
    mutating func deviceRenamed(_ name: String) {
        description.name = name
        for entity in entities.keys { entities[entity] = .due }
        if use != nil { describePeople() }
    }

    /// The broker has acknowledged or refused a description.
    package mutating func publicationEnded(_ entity: HomeAssistantEntity) {
        switch entities[entity] {
        case .underWay: entities[entity] = .told
        case .told, .due, nil: break
        }
    }

    /// The descriptions to publish now. That of an entity that is not shown is empty, which removes the entity.
    package mutating func takeDescriptions() -> [Publication] {
        HomeAssistantEntity.allCases.filter { entities[$0] == .due }.map { entity in
            entities[entity] = .underWay
            return Publication(
                .homeAssistant(entity), entity.topic(of: description.device),
                entity.isFound(settings) ? description.json(of: entity) : [], isRetained: true)
        }
    }

    // MARK: - The last question

    /// `words` are those that Home Assistant may read, by the number of the question.
    mutating func questionsKnown(_ requests: OutgoingRequests, words: [UInt64: String], at now: BootTime) {
        // An ask that was allowed is not an open question any more.
        let requests = requests.requests.filter { $0.kind != AskKind.allowed.rawValue }
        open = Dictionary(requests.map { ($0.numberForHomeAssistant, $0.number) }) { _, newer in newer }
        tell(
            requests.max { $0.number < $1.number }.map {
                HomeAssistantQuestion(
                    number: $0.numberForHomeAssistant, kind: $0.kind, askedAt: $0.askedAt, words: words[$0.number],
                    expires: now.advanced(by: $0.left))
            })
    }

    /// gated hands out no questions, or is away, so no question can be answered.
    mutating func questionsUnknown() {
        open = [:]
        tell(nil)
    }

    private mutating func tell(_ newest: HomeAssistantQuestion?) {
        // If Home Assistant is not to find the device, it must not even learn when a question was asked.
        guard settings.isFound else { return }
        switch question {
        case .known(let old) where HomeAssistantQuestion.json(old) == HomeAssistantQuestion.json(newest): return
        case .known, .unknown: break
        }
        question = .known(newest)
        questionTopic.changed()
    }

    /// When `takeQuestion` has something; `nil` if only another event changes that.
    var questionDeadline: BootTime? { isQuestionKnown ? questionTopic.deadline : nil }

    /// If Home Assistant is not to find the device, the topic is cleared, which needs no question.
    private var isQuestionKnown: Bool { !settings.isFound || question != .unknown }

    /// The message about the newest open question, or that none is open; an empty message if Home Assistant is not to
    /// find the device; `nil` if there is nothing to publish now.
    mutating func takeQuestion(at now: BootTime) -> Publication? {
        guard isQuestionKnown, questionTopic.publish(at: now) else { return nil }
        let topic = HouseholdTopic.homeAssistantRequest(description.device).text(in: description.household)
        guard settings.isFound else { return Publication(.homeAssistantRequest, topic, [], isRetained: true) }
        guard case .known(let newest?) = question, now < newest.expires else {
            return Publication(.homeAssistantRequest, topic, HomeAssistantQuestion.json(nil), isRetained: true)
        }
        // By this expiry the broker forgets the question even if this program can't clear it any more.
        return Publication(
            .homeAssistantRequest, topic, HomeAssistantQuestion.json(newest), isRetained: true,
            expiry: now.duration(to: newest.expires))
    }

    mutating func questionPublished() {
        questionTopic.ended()
    }

    // MARK: - The time that was used

    /// gated has reported the time that people have used today.
    mutating func usageKnown(_ times: [UsedTime]) {
        guard settings.tellsUse else { return }
        let new = HomeAssistantUse(times)
        guard new != use else { return }
        use = new
        useTopic.changed()
        describePeople()
    }

    /// Publishes a sensor for each person whose used time is published, and for nobody else.
    private mutating func describePeople() {
        let contents = (use?.names ?? [:]).map { uid, name in
            (uid, RetainedContent(payload: description.json(ofPerson: name, uid: uid), expires: .never))
        }
        people.contentsAre(Dictionary(uniqueKeysWithValues: contents), change: 1)
    }

    /// The broker has a description of one of this device's sensors. Returns false if the topic is another one.
    mutating func descriptionArrived(_ message: BrokerMessage) -> Bool {
        guard message.topic.hasPrefix(HomeAssistantEntity.sensors(of: description.device)) else { return false }
        if !message.payload.isEmpty,
            let uid = HomeAssistantEntity.person(ofTopic: message.topic, on: description.device)
        {
            people.arrived(uid)
        }
        return true
    }

    mutating func takePeople(at now: BootTime) -> [Publication] {
        people.takeDue(at: now).map { uid, payload, _ in
            Publication(
                .homeAssistantPerson(uid), HomeAssistantEntity.topic(ofPerson: uid, on: description.device), payload,
                isRetained: true)
        }
    }

    mutating func personPublished(_ uid: UInt32) {
        people.ended(uid)
    }

    /// When `takeUse` has something; `nil` if only another event changes that.
    var useDeadline: BootTime? { use == nil ? nil : useTopic.deadline }

    mutating func takeUse(at now: BootTime) -> Publication? {
        guard let use, useTopic.publish(at: now) else { return nil }
        let topic = HouseholdTopic.homeAssistantUsed(description.device).text(in: description.household)
        return Publication(.homeAssistantUsed, topic, use.json, isRetained: true, expiry: HomeAssistantUse.life)
    }

    mutating func usePublished() {
        useTopic.ended()
    }

    // MARK: - Orders

    package mutating func messageArrived(_ message: BrokerMessage, at now: BootTime) -> Fault? {
        guard !message.isRetained else { return .retained }
        guard let order = HomeAssistantOrder(payload: message.payload) else { return .malformed }
        let life = min(message.expiry ?? HouseholdLimits.signedLife, HouseholdLimits.signedLife)
        keep(TimedOrder(order: order, expires: now.advanced(by: life)))
        return nil
    }

    /// The newest order replaces one that waits. Only another lock replaces a lock.
    private mutating func keep(_ new: TimedOrder) {
        switch (waiting?.order, new.order) {
        case (nil, _), (.extend, _), (.answer, _), (.lock, .lock): waiting = new
        case (.lock, .extend), (.lock, .answer): break
        }
    }

    package mutating func takeOrder(at now: BootTime) -> HomeAssistantOrder? {
        guard let kept = waiting, underWay == nil, next <= now else { return nil }
        waiting = nil
        guard let order = ofDaemon(kept.order) else { return nil }
        underWay = kept
        next = now.advanced(by: Self.interval)
        return order
    }

    /// The order with gated's number of the question; `nil`, so that it is dropped, if no such question is open.
    private func ofDaemon(_ order: HomeAssistantOrder) -> HomeAssistantOrder? {
        guard case .answer(let number, let answer) = order else { return order }
        return open[number].map { .answer($0, answer) }
    }

    /// gated has carried out the order, or refuses it.
    package mutating func orderEnded() {
        underWay = nil
    }

    /// gated could not be asked. The order waits again, unless a newer one replaces it.
    package mutating func orderReturned() {
        guard let old = underWay else { return }
        underWay = nil
        let newer = waiting
        waiting = old
        if let newer { keep(newer) }
    }

    /// - Returns: how many orders had expired.
    package mutating func removeExpired(at now: BootTime) -> Int {
        guard let kept = waiting, kept.expires <= now else { return 0 }
        waiting = nil
        return 1
    }
}

extension OutgoingRequest {
    /// The second in which the question was asked, and the last 20 bits of gated's number. A restored backup brings
    /// gated's numbers back, and the yes of a phone's older notification must fit no other question. It has 53 bits,
    /// which any reader of JSON holds as a whole number.
    fileprivate var numberForHomeAssistant: UInt64 {
        let second = UInt64(max(0, askedAt.unixMilliseconds / 1000)) & (1 << 33 - 1)
        return second << 20 | number & (1 << 20 - 1)
    }
}
