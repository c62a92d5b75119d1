import GateModel

/// The challenge that the next command for this device has to echo. A command that opens has to echo one of the last
/// hour, so gated is asked for a new one every half hour.
extension HouseholdStateMachine {
    /// `DaemonLink.Household` explains the values.
    package mutating func householdTold(
        challenge: [UInt8], isGuardians: Bool, name: String? = nil, policy number: UInt64? = nil,
        list listNumber: UInt64 = 0, at now: Moment
    ) -> [HouseholdAction] {
        let isCurrent = lanes[.household]?.succeeded(daemon: daemonNumber) ?? false
        guard isCurrent else { return due(at: now) }
        policyNumber = number
        keptList.daemonKnows(listNumber)
        keptPolicy.daemonKnows(number ?? 0)
        if let name, name != self.name {
            self.name = name
            homeAssistant?.deviceRenamed(name)
            if hasTwin { tellOfTwin(at: now) }
        }
        challengeKnown(challenge, at: now.boot)
        guard isGuardians != self.isGuardians else { return due(at: now) }
        self.isGuardians = isGuardians
        if !isGuardians {
            devices.forget()
            if hasTwin { tellOfTwin(at: now) }
            heard = OthersRequests()
        }
        let listens: [HouseholdAction] =
            switch broker {
            case .connected: [.listen(isGuardians)]
            case .lost: []
            }
        return due(at: now) + listens
    }

    /// Publishes gated's challenge, which is empty if it has none, with the state. With `isDue`, gated is asked again.
    mutating func challengeKnown(_ challenge: [UInt8], isDue: Bool = false, at now: BootTime) {
        isChallengeDue = isDue
        switch daemon {
        case .asked(let mode):
            daemon = .present(mode, challenge: challenge)
            challengeRenewal = nil
        case .present(let mode, let known):
            if known != challenge { challengeRenewal = nil }
            daemon = .present(mode, challenge: challenge)
        case .unknown, .away: return
        }
        if challengeRenewal == nil, !challenge.isEmpty {
            challengeRenewal = now.advanced(by: HouseholdLimits.challengeRenewal)
        }
        state.changed()
    }

    /// gated could not return the next challenge, so it is asked again. Until then a known challenge stays in use; if
    /// none is known, the state is published without one.
    mutating func challengeDelayed(at now: BootTime) {
        switch daemon {
        case .present(_, let challenge) where !challenge.isEmpty: isChallengeDue = true
        case .present, .asked, .unknown, .away: challengeKnown([], isDue: true, at: now)
        }
    }
}
