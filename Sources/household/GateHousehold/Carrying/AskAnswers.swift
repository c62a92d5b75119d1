package import GateModel

/// Guardians' answers to asks, which the broker keeps: those to asks of this device on their way to gated, and those of
/// this device's guardian on their way to the broker.
struct AskAnswers: Hashable, Sendable {
    /// Answers to asks of this device.
    var arrived = SenderQueue(limit: HouseholdLimits.waitingAnswers)
    /// Whether the broker has sent all that it keeps since it was last connected. Before, the list of guardians that it
    /// keeps may not have arrived.
    private var hasBrokerSpoken = false
    /// Answers of this device's guardian, by the asks of other devices.
    var own = RetainedTopics<RequestName>(limit: HouseholdLimits.ownAnswers)
    /// Whether gated hands out no answers: it lacks the method, or this program may not call it.
    var isCollectingRefused = false

    /// Whether an answer can go to gated.
    var isDue: Bool { hasBrokerSpoken && !arrived.isEmpty }

    mutating func brokerConnected() {
        own.brokerConnected()
    }

    mutating func brokerHasSpoken() {
        hasBrokerSpoken = true
    }

    mutating func brokerLost() {
        hasBrokerSpoken = false
        own.brokerLost()
    }

    mutating func daemonReturned() {
        own.daemonReturned()
        isCollectingRefused = false
    }

    /// gated did not take the answer under way. Returns whether it refuses it for good.
    mutating func failed(_ failure: DaemonFailure) -> Bool {
        switch failure {
        case .later:
            arrived.returnUnderWay()
            return false
        case .never:
            _ = arrived.removeUnderWay()
            return true
        }
    }
}

extension HouseholdStateMachine {
    mutating func answerArrived(_ message: BrokerMessage, from sender: HouseholdID, at now: BootTime) {
        // The topic was cleared.
        guard !message.payload.isEmpty else { return }
        guard message.payload.count <= HouseholdLimits.signedBytes else {
            drops.malformed += 1
            return
        }
        let life = min(message.expiry ?? HouseholdAsk.longestLife, HouseholdAsk.longestLife)
        drops.tooMany += askAnswers.arrived.append(
            SenderQueue.Element(sender: sender, signed: message.payload, expires: now.advanced(by: life)))
    }

    /// gated has checked an answer to an ask of this device.
    package mutating func answerTaken(result: [UInt8], at now: Moment) -> [HouseholdAction] {
        _ = lanes[.answer]?.succeeded(daemon: daemonNumber)
        // gated may have replaced the challenge meanwhile. The one from before counts only a few minutes longer.
        isChallengeDue = true
        if let answer = askAnswers.arrived.removeUnderWay(), !result.isEmpty {
            outbox.append(
                .results(sender: device, target: answer.sender), result,
                expires: now.boot.advanced(by: HouseholdLimits.signedLife))
        }
        return due(at: now)
    }

    /// gated has returned all answers of this device's guardian that the broker has to retain.
    package mutating func answersTold(_ outgoing: OutgoingAnswers, at now: Moment) -> [HouseholdAction] {
        let isCurrent = lanes[.answers]?.succeeded(daemon: daemonNumber) ?? false
        if isCurrent {
            let contents = outgoing.answers.map {
                ($0.name, RetainedContent(payload: $0.signed, expires: now.boot.advanced(by: $0.left)))
            }
            askAnswers.own.contentsAre(Dictionary(contents) { first, _ in first }, change: outgoing.change)
        }
        return due(at: now)
    }
}
