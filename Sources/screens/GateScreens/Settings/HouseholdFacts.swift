package import GateModel

/// The household of this device, if it belongs to one.
package enum HouseholdFacts: Hashable, Sendable {
    /// The device belongs to no household.
    case none
    case devices(HouseholdDevices)

    /// The devices, by name. Empty if there is no household.
    var devices: [HouseholdDevice] {
        switch self {
        case .none: []
        case .devices(let household): household.devices
        }
    }
}

/// Something that a grown-up can ask other devices of the household to do.
package enum DeviceAction: Hashable, Sendable {
    case lock
    case extend
    case open

    /// How much parent mode is extended.
    private static let more = Duration.seconds(900)
    /// The longest rest of parent mode that another device's report is believed to mean: its clock may be wrong.
    private static let longestLease = Duration.seconds(24 * 3600)
    /// How long gate-settings waits for answers.
    package static let patience = Duration.seconds(5)

    /// The new length of parent mode on a device, from now: the time until `end`, at most `longestLease`, in whole
    /// minutes, rounded up, and 15 minutes more. If `end` is `nil` or over, 15 minutes.
    package static func lease(until end: WallTime?, at now: WallTime) -> Duration {
        let left = end.map { Duration.milliseconds($0.milliseconds(since: now)) } ?? .zero
        let believed = min(max(left, .zero), longestLease)
        return .seconds((believed.components.seconds + 59) / 60 * 60) + more
    }
}

/// The outcome of the newest action on a device, which is shown until the device has changed otherwise.
package enum DeviceOutcome: Hashable, Sendable {
    /// The device was asked for it.
    case asked
    /// The device has done it, and is in this mode.
    case done(DeviceAction, Mode)
    /// The device can't be reached, or has not answered.
    case unanswered
    /// The device has refused: the check that failed, and the device's own sentence about it.
    case refused(check: String, message: String)
}

extension SettingsFacts {
    /// The devices that an action on all of them is sent to.
    package var otherDevices: [HouseholdMember] {
        (household.value?.devices ?? []).filter { !$0.isThisDevice && !$0.member.isRevoked }.map(\.member)
    }

    /// The household's devices have changed. Outcomes are removed if their device has changed otherwise since.
    mutating func householdCame(_ new: Known<HouseholdFacts>) {
        let before = Dictionary(grouping: household.value?.devices ?? [], by: \.id)
        household = new
        for device in new.value?.devices ?? [] {
            guard let outcome = outcomes[device.id], outcome != .asked, let old = before[device.id]?.first?.report,
                let report = device.report
            else { continue }
            let isItsDoing = if case .done(_, report.mode) = outcome { true } else { report.mode == old.mode }
            if !isItsDoing || report.isOnline != old.isOnline { outcomes[device.id] = nil }
        }
    }

    /// When a text about a device changes with time alone; `nil` if none does.
    func nextHouseholdChange(_ moment: SettingsMoment) -> BootTime? {
        let times = (household.value?.devices ?? []).compactMap(\.report).flatMap { report in
            let age = moment.wall.milliseconds(since: report.updated)
            // Ages are shown in whole minutes, then in hours, then in days.
            let step: Int64 = age < 3_600_000 ? 60_000 : age < 86_400_000 ? 3_600_000 : 86_400_000
            let older =
                report.isOnline ? nil : age < 0 ? step - max(age, -LocalClock.dayMilliseconds) : step - age % step
            let end = report.parentUntil.map { $0.milliseconds(since: moment.wall) }
            return [older, end].compactMap(\.self).filter { $0 > 0 }
        }
        return times.min().map { moment.boot.advanced(by: .milliseconds($0)) }
    }
}

extension WallTime {
    /// The time since `other`, cut to the range of numbers, because other devices can report any time.
    func milliseconds(since other: WallTime) -> Int64 {
        let (difference, overflow) = unixMilliseconds.subtractingReportingOverflow(other.unixMilliseconds)
        return overflow ? (other.unixMilliseconds < 0 ? .max : .min) : difference
    }
}
