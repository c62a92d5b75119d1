import GateModel

/// The challenge that the next command for this device has to echo. What opens has to echo one of the last hour, so gated is asked for the next one
/// every half an hour.
extension HouseholdStateMachine {
    /// gated has told a challenge; an empty one: it has none.
    ///
    /// - Parameter isDue: it is to be asked once more.
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

    /// gated could not tell the next challenge: the one that is known goes on, as long as there is one.
    mutating func challengeDelayed(at now: BootTime) {
        switch daemon {
        case .present(_, let challenge) where !challenge.isEmpty: isChallengeDue = true
        case .present, .asked, .unknown, .away: challengeKnown([], isDue: true, at: now)
        }
    }
}
