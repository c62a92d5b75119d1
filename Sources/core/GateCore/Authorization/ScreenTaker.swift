import GateModel

/// Who pays for the screens of others that a request takes.
enum ScreenTaker: Hashable, Sendable {
    case owner(Owner)
    /// Another device of the household, whose question is shown here.
    case device(HouseholdID)
}

/// Counts how often questions of other devices take screens of this device. The other device counts its users'
/// questions itself, but would not if it was broken into. So this device counts, too, by the same rules. The counters
/// are only in memory: all that they decide is whether a device's next questions wait behind what stands on a screen.
struct DeviceLockouts: Hashable, Sendable {
    private var lockouts: [HouseholdID: Lockout] = [:]

    var heldBack: [ScreenTaker] {
        lockouts.lazy.filter { $0.value.lockedUntil != nil }.map { .device($0.key) }
    }

    @inline(__always) var nextEnd: BootTime? { lockouts.values.reduce(nil) { $0.earlier($1.lockedUntil) } }

    /// Counts that a question of this device took a screen. Returns for how long the device's next questions may take
    /// no screen; `nil` if the limit is not reached.
    mutating func screenTaken(by device: HouseholdID, at now: BootTime, _ rules: LockoutRules) -> Duration? {
        let before = lockouts[device]
        let after = rules.counted(.unanswered, on: before, at: now)
        lockouts[device] = after
        return after.lockedUntil == before?.lockedUntil ? nil : after.lockDuration
    }

    mutating func forgiven(_ device: HouseholdID) {
        lockouts[device] = nil
    }

    /// Forgets devices that are no members any more, so that there are never more counters than members.
    mutating func keep(_ isMember: (HouseholdID) -> Bool) {
        lockouts = lockouts.filter { isMember($0.key) }
    }

    mutating func timePassed(at now: BootTime) {
        for (device, lockout) in lockouts where lockout.lockedUntil.map({ $0 <= now }) ?? false {
            lockouts[device]?.lockedUntil = nil
        }
    }
}

extension GateState {
    /// Everybody who is locked out of the screens of others.
    var heldBack: Set<ScreenTaker> {
        let owners = records.lockouts.lazy
            .filter { $0.value.lockedUntil != nil && $0.key == Lockout.Key(otherScreensOf: $0.key.owner) }
            .map { ScreenTaker.owner($0.key.owner) }
        return Set(owners).union(householdBook.takenScreens.heldBack)
    }

    /// Charges another device whose question took a screen here and ended without an answer from that screen.
    mutating func chargeDevice(
        _ device: HouseholdID, _ ending: RequestEnding, _ open: QueuedPresentation, of request: OpenRequest,
        by peer: Peer?, at moment: BootTime, _ draft: inout TransitionDraft
    ) {
        let isByCarrier = peer.map { isOwn($0, request) } ?? false
        guard ending.costsDevice(isByCarrier: isByCarrier) else { return }
        let list = householdList
        householdBook.takenScreens.keep { list?.member($0) != nil }
        let rules = LockoutRules(configuration.lockout)
        guard let lock = householdBook.takenScreens.screenTaken(by: device, at: moment, rules) else { return }
        draft.journal(
            .lockedOut, by: nil, of: request.requester,
            "\(open.asked.device) from taking screens, for \(lock.shortText)")
    }
}
