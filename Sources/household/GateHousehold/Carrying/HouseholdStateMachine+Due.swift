import GateModel

extension HouseholdStateMachine {
    var isDaemonThere: Bool {
        switch daemon {
        case .asked, .present: true
        case .unknown, .away: false
        }
    }

    /// Whether there is a state to publish. It waits while gated is asked for the challenge.
    var isStateKnown: Bool {
        switch daemon {
        case .present, .away: true
        case .unknown, .asked: false
        }
    }

    /// Drops what has expired, and returns everything that can be done now and is not under way.
    mutating func due(at now: Moment) -> [HouseholdAction] {
        drops.expired += commands.removeExpired(at: now.boot) + results.removeExpired(at: now.boot)
        // Not counted as dropped: the broker still has these.
        _ = receipts.removeExpired(at: now.boot)
        _ = askAnswers.arrived.removeExpired(at: now.boot)
        drops.expired += outbox.removeExpired(at: now.boot) + (homeAssistant?.removeExpired(at: now.boot) ?? 0)
        // The answer to a command is published before the state that follows from it.
        return publications(at: now).map(HouseholdAction.publish) + calls(at: now) + hearing(at: now)
    }

    private mutating func publications(at now: Moment) -> [Publication] {
        switch broker {
        case .lost: return []
        case .connected: break
        }
        var publications: [Publication] = []
        if availability.publish(at: now.boot) {
            publications.append(retained(.availability, .availability(device), Availability.online.payload))
        }
        if isStateKnown, let list = keptList.takeDue() { publications.append(retained(.list, .guardians, list)) }
        if isStateKnown, let policy = keptPolicy.takeDue() { publications.append(retained(.policy, .policy, policy)) }
        for letter in outbox.takeDue(at: now.boot) {
            publications.append(
                Publication(
                    .letter(letter.number), letter.topic.text(in: household), letter.signed,
                    expiry: now.boot.duration(to: letter.expires)))
        }
        publications += asked.takeDue(at: now.boot).map { number, payload, left in
            retained(.request(number), .request(device, number), payload, expiry: left)
        }
        publications += shared.takeDue(at: now.boot).map { number, payload, left in
            retained(.receipt(number), .receipt(device, number), payload, expiry: left)
        }
        publications += askAnswers.own.takeDue(at: now.boot).map { name, payload, left in
            retained(
                .answer(name), .answer(sender: device, target: name.device, name.number), payload, expiry: left)
        }
        if let report = usage.takeDue(at: now.boot) {
            publications.append(retained(.usage, .usage(device), report, expiry: HouseholdLimits.usageLife))
        }
        if let message = stateMessage(at: now), state.publish(at: now.boot) {
            lastSaid = message.updated
            publications.append(retained(.state, .state(device), message.json))
        }
        if let question = homeAssistant?.takeQuestion(at: now.boot) { publications.append(question) }
        if let use = homeAssistant?.takeUse(at: now.boot) { publications.append(use) }
        publications += homeAssistant?.takeDescriptions() ?? []
        return publications + (homeAssistant?.takePeople(at: now.boot) ?? [])
    }

    private func retained(
        _ id: Publication.ID, _ topic: HouseholdTopic, _ payload: [UInt8], expiry: Duration? = nil
    ) -> Publication {
        Publication(id, topic.text(in: household), payload, isRetained: true, expiry: expiry)
    }

    private mutating func hearing(at now: Moment) -> [HouseholdAction] {
        guard broker == .connected else { return [] }
        var actions: [HouseholdAction] = []
        // A broker sends its retained messages after each subscription, even a repeated one.
        if isGuardians, heard.takeHearing(at: now.boot) { actions.append(.listen(true)) }
        if let next = nextHearing, next <= now.boot {
            nextHearing = now.boot.advanced(by: HouseholdLimits.receiptInterval)
            actions.append(.hearReceipts)
        }
        return actions
    }

    private func stateMessage(at now: Moment) -> DeviceStateMessage? {
        let (mode, challenge): (ModeState, [UInt8])
        switch daemon {
        case .unknown, .asked: return nil
        case .away: (mode, challenge) = (.closed, [])
        case .present(let told, let known): (mode, challenge) = (told, known)
        }
        var parentUntil: WallTime?
        switch mode.mode {
        case .parent:
            parentUntil = mode.deadline.map { deadline in
                let left = now.boot.duration(to: deadline).clampedNanoseconds / 1_000_000
                let (end, isTooFar) = now.wall.unixMilliseconds.addingReportingOverflow(left)
                return WallTime(unixMilliseconds: isTooFar ? .max : end)
            }
        case .child, .verifying: break
        }
        return DeviceStateMessage(
            device: device, name: name, mode: mode.mode, parentUntil: parentUntil, updated: now.wall,
            challenge: challenge, gate: version, policy: policyNumber, instance: instance, hasTwin: hasTwin)
    }

    private mutating func calls(at now: Moment) -> [HouseholdAction] {
        guard isDaemonThere else { return [] }
        var actions: [HouseholdAction] = []
        if let renewal = challengeRenewal, renewal <= now.boot { (isChallengeDue, challengeRenewal) = (true, nil) }
        if isChallengeDue, begin(.household) { actions.append(.askHousehold) }
        if isGuardiansDue, let guardians, begin(.guardians) {
            isGuardiansDue = false
            actions.append(.submitGuardians(guardians))
        }
        if isPolicyDue, let policy, begin(.policy) {
            isPolicyDue = false
            actions.append(.submitPolicy(policy))
        }
        if !outbox.isFull, !commands.isEmpty, begin(.command), let command = commands.takeFirst() {
            actions.append(.submitCommand(command.signed))
        }
        if !results.isEmpty, begin(.result), let result = results.takeFirst() {
            actions.append(.submitResult(result.signed))
        }
        if !receipts.isEmpty, begin(.receipt), let receipt = receipts.takeFirst() {
            actions.append(.submitReceipt(receipt.signed))
        }
        // A newer list may have revoked the guardian who has answered, or the device that reports use.
        let knowsNewestList = !isGuardiansDue && isFree(.guardians)
        if askAnswers.isDue, knowsNewestList, !outbox.isFull, begin(.answer),
            let answer = askAnswers.arrived.takeFirst()
        {
            actions.append(.submitAnswer(answer.signed))
        }
        if !usage.isEmpty, knowsNewestList, begin(.usageElsewhere), let report = usage.takeFirst() {
            actions.append(.submitUsage(report))
        }
        if devices.isDue, begin(.report), let news = devices.takeNews() { actions.append(.report(news)) }
        if isGuardians, heard.isDue, begin(.heard), let news = heard.takeNews(at: now.boot) {
            actions.append(.submitRequests(news))
        }
        if !isAskingRefused, begin(.asked) { actions.append(.collectRequests(after: asked.change)) }
        if !isSharingRefused, begin(.shared) { actions.append(.collectReceipts(after: shared.change)) }
        if !askAnswers.isCollectingRefused, begin(.answers) {
            actions.append(.collectAnswers(after: askAnswers.own.change))
        }
        if !usage.isCollectingRefused, begin(.usage) { actions.append(.collectUsage(after: usage.change)) }
        if isFree(.homeAssistant), let order = homeAssistant?.takeOrder(at: now.boot), begin(.homeAssistant) {
            actions.append(.obeyHomeAssistant(order))
        }
        // gated forgets the commands that it hands out, so it is asked only if they can go on.
        if broker == .connected, !isCollectingRefused, !outbox.isFull, begin(.collect) { actions.append(.collect) }
        return actions
    }

    func isFree(_ call: DaemonCall) -> Bool { lanes[call]?.isFree ?? false }

    /// Marks a call as under way, and returns whether it may be made.
    private mutating func begin(_ call: DaemonCall) -> Bool {
        guard isFree(call) else { return false }
        lanes[call]?.begin(daemon: daemonNumber)
        return true
    }
}
