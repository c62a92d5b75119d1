import GateGuardians
package import GateModel

/// Carries between the broker and gated: this device's state and its answers out, commands and reports in. It opens nothing and
/// believes nothing: what is signed passes through unread, and gated checks it.
///
/// Two things come and go, each by itself: the broker, which carries nothing while it is away, and gated, whose calls wait until it is
/// back.
package struct HouseholdStateMachine: Hashable, Sendable {
    /// This moment, by both clocks.
    package struct Moment: Hashable, Sendable {
        /// For deadlines.
        package var boot: BootTime
        /// For people who read a state.
        package var wall: WallTime

        /// Makes a moment of these values.
        package init(boot: BootTime, wall: WallTime) {
            (self.boot, self.wall) = (boot, wall)
        }
    }

    enum BrokerState: Hashable {
        /// Nothing is published. Can transition to: connected.
        case lost
        /// Subscribed, and to be told what changes. Can transition to: lost.
        case connected
    }

    enum DaemonState: Hashable {
        /// Nothing was heard of it yet, so that nothing can be said of the mode. Can transition to: away, present.
        case unknown
        /// The mode is child. Can transition to: present.
        case away
        /// The challenge is asked for, and the state waits for it. Can transition to: away, present.
        case asked(ModeState)
        /// The challenge is empty where gated has not told one. Can transition to: away, asked.
        case present(ModeState, challenge: [UInt8])
    }

    let household: HouseholdID
    let device: HouseholdID
    /// As the household's list has it; until that is known, as `household.yaml` has it.
    var name: String
    let version: String
    /// Names this run of the program, so that it knows its own words from those of a twin.
    let instance: String?
    /// Until when another device is believed to speak with this one's key; `nil`: none does.
    var twinUntil: BootTime?
    /// When this run said last how it is, and when it had by the beginning of this connection.
    var (lastSaid, lastSaidBefore): (WallTime?, WallTime?)

    /// Whether another device speaks with this one's key.
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
    /// The newest list that has come.
    var guardians: [UInt8]?
    var isGuardiansDue = false
    /// Where this device has the household's key.
    var keptList = KeptList(.list)
    var keptPolicy = KeptList(.policy)
    /// The newest policy for all devices that has come.
    var policy: [UInt8]?
    var isPolicyDue = false
    /// The number of the policy that is in force; `nil`: none is, or gated has not told.
    var policyNumber: UInt64?
    var devices = DeviceRegister()
    /// This device commands others, so it hears how they are. Known once gated has told.
    var isGuardians = false
    /// Questions for guardians: this device's, and those of others.
    var asked = RetainedTopics(limit: HouseholdLimits.ownRequests)
    var heard = OthersRequests()
    /// gated tells no questions: it has not the method, or this program may not ask.
    var isAskingRefused = false
    /// Purchases on this device, and on others.
    var shared = RetainedTopics(limit: HouseholdLimits.ownReceipts)
    var receipts = SenderQueue(limit: HouseholdLimits.waitingReceipts)
    let sharesReceipts: Bool
    /// When the broker is asked once more for what was bought; `nil`: it is not.
    var nextHearing: BootTime?
    /// gated hands out no receipts: it has not the method, or this program may not ask.
    var isSharingRefused = false
    /// `nil`: this device has nothing to do with Home Assistant.
    var homeAssistant: HomeAssistantStateMachine?
    /// gated is to be asked for the challenge.
    var isChallengeDue = false
    /// When it is to be asked for the next one: what opens has to echo one of the last hour. `nil`: there is none that gets old.
    var challengeRenewal: BootTime?
    /// gated hands out no commands: it has not the method, or this program may not ask.
    var isCollectingRefused = false

    /// Counts since the start.
    package internal(set) var drops = HouseholdDrops()

    /// Makes the machine of a device.
    package init(
        household: HouseholdID, device: HouseholdID, name: String, version: String, instance: String? = nil,
        sharesReceipts: Bool = false, homeAssistant: HomeAssistantStateMachine? = nil
    ) {
        self.sharesReceipts = sharesReceipts
        self.homeAssistant = homeAssistant
        self.household = household
        self.device = device
        self.name = name
        self.version = version
        self.instance = instance
    }

    /// When `timePassed` has something to do; `nil`: only another event changes something.
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
            if let deadline = homeAssistant?.questionDeadline { deadlines.append(deadline) }
        }
        return deadlines.min()
    }

    // MARK: - The broker

    /// Connected, and subscribed to everything.
    ///
    /// - Parameters:
    ///   - keptList: the newest list, where this device has the household's key. The broker may have lost it.
    ///   - keptPolicy: likewise the newest policy for all devices.
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
        homeAssistant?.brokerLost()
        return due(at: now)
    }

    /// The broker has acknowledged it.
    package mutating func published(_ id: Publication.ID, at now: Moment) -> [HouseholdAction] {
        publicationEnded(id)
        return due(at: now)
    }

    /// The broker has acknowledged it, and says that nobody was there to hear it: a command or a result goes out again, as long as it
    /// counts.
    package mutating func publicationUnheard(_ id: Publication.ID, at now: Moment) -> [HouseholdAction] {
        switch (broker, id) {
        case (.connected, .letter(let number)): drops.tooMany += outbox.unheard(number, at: now.boot)
        case (.connected, .availability), (.connected, .state), (.connected, .list), (.connected, .policy),
            (.connected, .request), (.connected, .receipt), (.connected, .homeAssistant),
            (.connected, .homeAssistantRequest), (.lost, _):
            publicationEnded(id)
        }
        return due(at: now)
    }

    /// The broker does not want it. To publish the same again would not help.
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
            keptPolicy.brokerHasSpoken()
        case (.connected, .list): keptList.ended()
        case (.connected, .policy): keptPolicy.ended()
        case (.connected, .state): state.ended()
        case (.connected, .request(let number)): asked.ended(number)
        case (.connected, .receipt(let number)): shared.ended(number)
        case (.connected, .homeAssistant(let entity)): homeAssistant?.publicationEnded(entity)
        case (.connected, .homeAssistantRequest): homeAssistant?.questionPublished()
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
        heard.allDue()
        asked.daemonReturned()
        shared.daemonReturned()
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

    /// gated has answered the command that it was given.
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

    /// gated has taken a result, the list, or reports, or done what Home Assistant asked for.
    package mutating func taken(_ call: DaemonCall, at now: Moment) -> [HouseholdAction] {
        _ = lanes[call]?.succeeded(daemon: daemonNumber)
        switch call {
        case .result: _ = results.removeUnderWay()
        case .receipt: _ = receipts.removeUnderWay()
        case .homeAssistant: homeAssistant?.orderEnded()
        // This device may command others by it, or no more; another policy is in force.
        case .guardians, .policy: isChallengeDue = true
        case .report, .heard: break
        case .household, .command, .collect, .asked, .shared:
            preconditionFailure("these calls have answers of their own")
        }
        return due(at: now)
    }

    /// gated has handed out what is to be carried.
    package mutating func collected(_ outgoing: [OutgoingCommand], at now: Moment) -> [HouseholdAction] {
        _ = lanes[.collect]?.succeeded(daemon: daemonNumber)
        for command in outgoing {
            outbox.append(
                .commands(sender: device, target: command.device), command.signed,
                expires: now.boot.advanced(by: HouseholdLimits.signedLife))
        }
        return due(at: now)
    }

    /// gated has told what was bought on this device, for the others.
    package mutating func sharedTold(_ outgoing: OutgoingReceipts, at now: Moment) -> [HouseholdAction] {
        let isCurrent = lanes[.shared]?.succeeded(daemon: daemonNumber) ?? false
        if isCurrent {
            let contents = outgoing.receipts.map {
                ($0.number, RetainedTopics.Content(payload: $0.signed, expires: .never))
            }
            shared.contentsAre(Dictionary(contents) { first, _ in first }, change: outgoing.change)
        }
        return due(at: now)
    }

    /// A call to gated has failed.
    ///
    /// - Parameter jitter: by chance, from 0 to 1.
    package mutating func callFailed(
        _ call: DaemonCall, _ failure: DaemonFailure, jitter: Double, at now: Moment
    ) -> [HouseholdAction] {
        guard lanes[call]?.failed(failure, daemon: daemonNumber, at: now.boot, jitter: jitter) ?? false else {
            return []
        }
        switch (call, failure) {
        // The state waits no longer.
        case (.household, .later): challengeDelayed(at: now.boot)
        // It takes no commands, and so has no challenge.
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
        // gated may have had it from elsewhere.
        case (.guardians, .never): isChallengeDue = true
        case (.policy, .later): isPolicyDue = policy != nil
        case (.policy, .never): break
        case (.report, .later): devices.allDue()
        case (.report, .never): drops.unwanted += 1
        case (.homeAssistant, .later): homeAssistant?.orderReturned()
        case (.homeAssistant, .never):
            drops.unwanted += 1
            homeAssistant?.orderEnded()
        case (.collect, .later), (.asked, .later), (.shared, .later): break
        case (.collect, .never): isCollectingRefused = true
        case (.asked, .never):
            isAskingRefused = true
            homeAssistant?.questionsUnknown()
        case (.shared, .never): isSharingRefused = true
        case (.heard, .later): heard.allDue()
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
