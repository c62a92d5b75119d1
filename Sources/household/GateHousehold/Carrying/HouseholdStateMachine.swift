import GateGuardians
package import GateModel

/// Decides what is carried between the broker and gated: this device's state and answers out, commands and reports in.
/// It believes nothing: what is signed passes through, and gated checks it. The broker and gated come and go
/// independently: while the broker is away nothing is published, and while gated is away calls to it wait.
package struct HouseholdStateMachine: Hashable, Sendable {
    package struct Moment: Hashable, Sendable {
        /// The time for deadlines.
        package var boot: BootTime
        /// The time for the states that other devices read. Their boot clocks differ from this device's.
        package var wall: WallTime

        package init(boot: BootTime, wall: WallTime) {
            (self.boot, self.wall) = (boot, wall)
        }
    }

    enum BrokerState: Hashable {
        /// Nothing is published. Can go to `connected`.
        case lost
        /// Subscribed; what changes is published. Can go to `lost`.
        case connected
    }

    enum DaemonState: Hashable {
        /// gated was not reached yet, so no state is published. Can go to `away` or `asked`.
        case unknown
        /// The mode is child. Can go to `asked`.
        case away
        /// gated was asked for the challenge, and the state waits for it. Can go to `away` or `present`.
        case asked(ModeState)
        /// The challenge is empty if gated has none. Can go to `away` or `asked`.
        case present(ModeState, challenge: [UInt8])
    }

    let household: HouseholdID
    let device: HouseholdID
    /// The name on the household's list; until gated has returned that, the one in `household.yaml`.
    var name: String
    let version: String
    /// Names this run of the program, which recognizes its own messages by it. A twin's messages have another name.
    let instance: String?
    /// Until when another device is believed to have this device's key; `nil` if none does.
    var twinUntil: BootTime?
    /// When this run last published its state, and when it last did so before the present connection.
    var (lastSaid, lastSaidBefore): (WallTime?, WallTime?)

    package var hasTwin: Bool { twinUntil != nil }

    var broker = BrokerState.lost
    var daemon = DaemonState.unknown
    /// Counts how often gated came back.
    var daemonNumber: UInt64 = 0
    var lanes = Dictionary(uniqueKeysWithValues: DaemonCall.allCases.map { ($0, DaemonLane()) })

    var availability = RetainedTopic(interval: HouseholdLimits.availabilityInterval)
    var state = RetainedTopic(interval: HouseholdLimits.stateInterval)
    var outbox = Outbox()

    var commands = SenderQueue(limit: HouseholdLimits.waitingCommands)
    var results = SenderQueue(limit: HouseholdLimits.waitingResults)
    /// The newest list of devices and guardians that has come from the broker.
    var guardians: [UInt8]?
    var isGuardiansDue = false
    /// These two have something to publish only if this device has the household's key.
    var keptList = KeptList(.list)
    var keptPolicy = KeptList(.policy)
    /// The newest household policy that has come from the broker.
    var policy: [UInt8]?
    var isPolicyDue = false
    /// The number of the policy that is in force; `nil` if none is, or if gated has not returned it yet.
    var policyNumber: UInt64?
    var devices = DeviceRegister()
    /// Whether this device commands others, and so subscribes to their states. False until gated has said so.
    var isGuardians = false
    var asked = RetainedTopics<UInt64>(limit: HouseholdLimits.ownRequests)
    var heard = OthersRequests()
    /// Answers to asks of this device, and those of this device's guardian to asks of others.
    var askAnswers = AskAnswers()
    /// Whether gated hands out no questions: it lacks the method, or this program may not call it.
    var isAskingRefused = false
    /// This device's receipts. `receipts` has those of other devices.
    var shared = RetainedTopics<UInt64>(limit: HouseholdLimits.ownReceipts)
    var receipts = SenderQueue(limit: HouseholdLimits.waitingReceipts)
    let sharesReceipts: Bool
    /// When to ask the broker again for all receipts; `nil` if receipts are not shared.
    var nextHearing: BootTime?
    /// The reports of this device and of others about used time.
    var usage = UsageReports()
    let sumsUsage: Bool
    /// Whether gated hands out no receipts: it lacks the method, or this program may not call it.
    var isSharingRefused = false
    /// `nil` if nothing is published for Home Assistant.
    var homeAssistant: HomeAssistantStateMachine?
    var isChallengeDue = false
    /// When to ask for the next challenge, before this one gets too old; `nil` if there is none.
    var challengeRenewal: BootTime?
    /// Whether gated hands out no commands: it lacks the method, or this program may not call it.
    var isCollectingRefused = false

    /// How many messages were dropped since the start.
    package internal(set) var drops = HouseholdDrops()

    package init(
        household: HouseholdID, device: HouseholdID, name: String, version: String, instance: String? = nil,
        sharesReceipts: Bool = false, sumsUsage: Bool = false, homeAssistant: HomeAssistantStateMachine? = nil
    ) {
        self.sharesReceipts = sharesReceipts
        self.sumsUsage = sumsUsage
        self.homeAssistant = homeAssistant
        self.household = household
        self.device = device
        self.name = name
        self.version = version
        self.instance = instance
    }

    /// When `timePassed` has something to do; `nil` if only another event changes something.
    package var deadline: BootTime? {
        var deadlines = isDaemonThere ? lanes.values.compactMap(\.deadline) : []
        if isDaemonThere, let challengeRenewal { deadlines.append(challengeRenewal) }
        if isDaemonThere, isFree(.homeAssistant), let deadline = homeAssistant?.deadline { deadlines.append(deadline) }
        if let twinUntil { deadlines.append(twinUntil) }
        if broker == .connected {
            if let deadline = availability.deadline { deadlines.append(deadline) }
            if let deadline = state.deadline, isStateKnown { deadlines.append(deadline) }
            if let deadline = outbox.deadline { deadlines.append(deadline) }
            if let nextHearing { deadlines.append(nextHearing) }
            if let deadline = usage.deadline { deadlines.append(deadline) }
            if let deadline = heard.deadline { deadlines.append(deadline) }
            if let deadline = homeAssistant?.questionDeadline { deadlines.append(deadline) }
            if let deadline = homeAssistant?.useDeadline { deadlines.append(deadline) }
        }
        return deadlines.min()
    }

    // MARK: - The broker

    /// The broker has accepted all subscriptions. `keptList` and `keptPolicy` are the newest ones, which the broker may
    /// have lost, if this device has the household's key.
    package mutating func brokerConnected(
        keptList: [UInt8]? = nil, keptPolicy: [UInt8]? = nil, at now: Moment
    ) -> [HouseholdAction] {
        switch broker {
        case .connected: return []
        case .lost: break
        }
        broker = .connected
        lastSaidBefore = lastSaid
        availability.brokerConnected()
        state.brokerConnected()
        devices.brokerConnected()
        asked.brokerConnected()
        heard.brokerConnected()
        shared.brokerConnected()
        askAnswers.brokerConnected()
        usage.topic.brokerConnected()
        nextHearing = sharesReceipts ? now.boot.advanced(by: HouseholdLimits.receiptInterval) : nil
        self.keptList.brokerConnected(keptList)
        self.keptPolicy.brokerConnected(keptPolicy)
        homeAssistant?.brokerConnected()
        return due(at: now) + (isGuardians ? [.listen(true)] : [])
    }

    package mutating func brokerLost(at now: Moment) -> [HouseholdAction] {
        switch broker {
        case .lost: return []
        case .connected: break
        }
        broker = .lost
        outbox.brokerLost()
        keptList.brokerLost()
        keptPolicy.brokerLost()
        devices.brokerLost()
        asked.brokerLost()
        shared.brokerLost()
        askAnswers.brokerLost()
        homeAssistant?.brokerLost()
        return due(at: now)
    }

    package mutating func published(_ id: Publication.ID, at now: Moment) -> [HouseholdAction] {
        publicationEnded(id)
        return due(at: now)
    }

    /// Nobody is subscribed to the publication's topic. Commands and results are published again until they expire.
    package mutating func publicationUnheard(_ id: Publication.ID, at now: Moment) -> [HouseholdAction] {
        switch (broker, id) {
        case (.connected, .letter(let number)): drops.tooMany += outbox.unheard(number, at: now.boot)
        case (.connected, .availability), (.connected, .state), (.connected, .list), (.connected, .policy),
            (.connected, .request), (.connected, .receipt), (.connected, .homeAssistant), (.connected, .answer),
            (.connected, .homeAssistantRequest), (.connected, .homeAssistantUsed), (.connected, .homeAssistantPerson),
            (.connected, .usage), (.lost, _):
            publicationEnded(id)
        }
        return due(at: now)
    }

    /// The broker has refused a publication. It is not published again, since that would not help.
    package mutating func publicationRefused(_ id: Publication.ID, at now: Moment) -> [HouseholdAction] {
        drops.refused += 1
        publicationEnded(id)
        return due(at: now)
    }

    private mutating func publicationEnded(_ id: Publication.ID) {
        switch (broker, id) {
        case (.connected, .availability):
            availability.ended()
            keptList.brokerHasSpoken()
            heard.brokerHasSpoken()
            askAnswers.brokerHasSpoken()
            keptPolicy.brokerHasSpoken()
        case (.connected, .list): keptList.ended()
        case (.connected, .policy): keptPolicy.ended()
        case (.connected, .state): state.ended()
        case (.connected, .request(let number)): asked.ended(number)
        case (.connected, .receipt(let number)): shared.ended(number)
        case (.connected, .answer(let name)): askAnswers.own.ended(name)
        case (.connected, .usage): usage.topic.ended()
        case (.connected, .homeAssistant(let entity)): homeAssistant?.publicationEnded(entity)
        case (.connected, .homeAssistantRequest): homeAssistant?.questionPublished()
        case (.connected, .homeAssistantUsed): homeAssistant?.usePublished()
        case (.connected, .homeAssistantPerson(let uid)): homeAssistant?.personPublished(uid)
        case (.connected, .letter(let number)): outbox.ended(number)
        case (.lost, _): break
        }
    }

    // MARK: - gated

    package mutating func daemonReturned(_ mode: ModeState, at now: Moment) -> [HouseholdAction] {
        daemonNumber += 1
        for call in DaemonCall.allCases { lanes[call]?.daemonReturned() }
        daemon = .asked(mode)
        isChallengeDue = true
        challengeRenewal = nil
        state.changed()
        isGuardiansDue = guardians != nil
        isPolicyDue = policy != nil
        (isCollectingRefused, isAskingRefused, isSharingRefused) = (false, false, false)
        devices.allDue()
        heard.daemonReturned()
        asked.daemonReturned()
        shared.daemonReturned()
        askAnswers.daemonReturned()
        usage.daemonReturned()
        return due(at: now)
    }

    package mutating func modeChanged(_ mode: ModeState, at now: Moment) -> [HouseholdAction] {
        switch daemon {
        case .unknown, .away: return daemonReturned(mode, at: now)
        case .asked: daemon = .asked(mode)
        case .present(_, let challenge): daemon = .present(mode, challenge: challenge)
        }
        state.changed()
        return due(at: now)
    }

    /// gated has reported how much time people have used today.
    package mutating func usageTold(_ times: [UsedTime], at now: Moment) -> [HouseholdAction] {
        homeAssistant?.usageKnown(times)
        return due(at: now)
    }

    package mutating func daemonLost(at now: Moment) -> [HouseholdAction] {
        switch daemon {
        case .away: return []
        case .unknown, .asked, .present: break
        }
        daemon = .away
        state.changed()
        homeAssistant?.questionsUnknown()
        return due(at: now)
    }

    package mutating func commandAnswered(
        result: [UInt8], challenge: [UInt8], at now: Moment
    ) -> [HouseholdAction] {
        let isCurrent = lanes[.command]?.succeeded(daemon: daemonNumber) ?? false
        if let command = commands.removeUnderWay(), !result.isEmpty {
            outbox.append(
                .results(sender: device, target: command.sender), result,
                expires: now.boot.advanced(by: HouseholdLimits.signedLife))
        }
        if isCurrent { challengeKnown(challenge, at: now.boot) }
        return due(at: now)
    }

    /// gated has accepted a call that returns nothing. Traps for a call that returns something.
    package mutating func taken(_ call: DaemonCall, at now: Moment) -> [HouseholdAction] {
        _ = lanes[call]?.succeeded(daemon: daemonNumber)
        switch call {
        case .result: _ = results.removeUnderWay()
        case .receipt: _ = receipts.removeUnderWay()
        case .usageElsewhere: usage.ended()
        case .homeAssistant: homeAssistant?.orderEnded()
        // A new list may make this device a guardian's, and a new policy has another number. gated is asked for both.
        case .guardians, .policy: isChallengeDue = true
        case .report, .heard: break
        case .household, .command, .collect, .asked, .shared, .answer, .answers, .usage:
            preconditionFailure("these calls have answers of their own")
        }
        return due(at: now)
    }

    package mutating func collected(_ outgoing: [OutgoingCommand], at now: Moment) -> [HouseholdAction] {
        _ = lanes[.collect]?.succeeded(daemon: daemonNumber)
        for command in outgoing {
            outbox.append(
                .commands(sender: device, target: command.device), command.signed,
                expires: now.boot.advanced(by: HouseholdLimits.signedLife))
        }
        return due(at: now)
    }

    package mutating func sharedTold(_ outgoing: OutgoingReceipts, at now: Moment) -> [HouseholdAction] {
        let isCurrent = lanes[.shared]?.succeeded(daemon: daemonNumber) ?? false
        if isCurrent {
            let contents = outgoing.receipts.map {
                ($0.number, RetainedContent(payload: $0.signed, expires: .never))
            }
            shared.contentsAre(Dictionary(contents) { first, _ in first }, change: outgoing.change)
        }
        return due(at: now)
    }

    /// - Parameter jitter: a random number from 0 to 1.
    package mutating func callFailed(
        _ call: DaemonCall, _ failure: DaemonFailure, jitter: Double, at now: Moment
    ) -> [HouseholdAction] {
        guard lanes[call]?.failed(failure, daemon: daemonNumber, at: now.boot, jitter: jitter) ?? false else {
            return []
        }
        switch (call, failure) {
        // The state no longer waits for the challenge.
        case (.household, .later): challengeDelayed(at: now.boot)
        // gated takes no commands, and so has no challenge.
        case (.household, .never): challengeKnown([], at: now.boot)
        case (.command, .later): commands.returnUnderWay()
        case (.result, .later): results.returnUnderWay()
        case (.receipt, .later): receipts.returnUnderWay()
        case (.receipt, .never):
            drops.unwanted += 1
            _ = receipts.removeUnderWay()
        case (.command, .never):
            drops.unwanted += 1
            _ = commands.removeUnderWay()
        case (.result, .never):
            drops.unwanted += 1
            _ = results.removeUnderWay()
        case (.guardians, .later): isGuardiansDue = guardians != nil
        // gated may have got this list, or a newer one, from elsewhere.
        case (.guardians, .never): isChallengeDue = true
        case (.policy, .later): isPolicyDue = policy != nil
        case (.policy, .never): break
        case (.report, .later): devices.allDue()
        case (.report, .never): drops.unwanted += 1
        case (.homeAssistant, .later): homeAssistant?.orderReturned()
        case (.homeAssistant, .never):
            drops.unwanted += 1
            homeAssistant?.orderEnded()
        case (.collect, .later), (.asked, .later), (.shared, .later), (.usage, .later): break
        case (.collect, .never): isCollectingRefused = true
        case (.asked, .never):
            isAskingRefused = true
            homeAssistant?.questionsUnknown()
        case (.shared, .never): isSharingRefused = true
        case (.usage, .never): usage.isCollectingRefused = true
        case (.usageElsewhere, .later): usage.returned()
        case (.usageElsewhere, .never):
            drops.unwanted += 1
            usage.ended()
        case (.answer, _): if askAnswers.failed(failure) { drops.unwanted += 1 }
        case (.answers, .later): break
        case (.answers, .never): askAnswers.isCollectingRefused = true
        case (.heard, .later): heard.newsReturned()
        case (.heard, .never): drops.unwanted += 1
        }
        return due(at: now)
    }

    package mutating func timePassed(at now: Moment) -> [HouseholdAction] {
        for call in DaemonCall.allCases { lanes[call]?.timePassed(at: now.boot) }
        if let twinUntil, twinUntil <= now.boot { twinChanged(until: nil, at: now) }
        return due(at: now)
    }
}
