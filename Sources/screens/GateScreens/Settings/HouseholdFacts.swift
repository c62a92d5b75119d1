package import GateModel

/// The household, as far as this device belongs to one.
package enum HouseholdFacts: Hashable, Sendable {
    /// It belongs to none.
    case none
    /// Its devices.
    case devices(HouseholdDevices)

    /// The devices, by name; empty where there is no household.
    var devices: [HouseholdDevice] {
        switch self {
        case .none: []
        case .devices(let household): household.devices
        }
    }
}

/// A wish to other devices of the household.
package enum DeviceWish: Hashable, Sendable {
    case lock
    case extend
    case open

    /// How much longer parent mode lasts.
    private static let more = Duration.seconds(900)
    /// The longest time that parent mode of another device is believed to last still: its clock may be another one.
    private static let longestLease = Duration.seconds(24 * 3600)
    /// How long it is waited for answers.
    package static let patience = Duration.seconds(5)

    /// How long parent mode has to last from now to last longer than until this end, in whole minutes.
    package static func lease(until end: WallTime?, at now: WallTime) -> Duration {
        let left = end.map { Duration.milliseconds($0.milliseconds(since: now)) } ?? .zero
        let believed = min(max(left, .zero), longestLease)
        return .seconds((believed.components.seconds + 59) / 60 * 60) + more
    }
}

/// The outcome of the newest wish to a device. It stands beside the device until that has changed in another way.
package enum DeviceOutcome: Hashable, Sendable {
    /// It was asked.
    case asked
    /// It has done it, and is in that mode.
    case done(DeviceWish, Mode)
    /// It can't be reached, or has not answered.
    case unanswered
    /// It has not done it: the check that failed, and its own sentence.
    case refused(check: String, message: String)
}

extension SettingsFacts {
    /// The devices that a wish to all of them goes to.
    package var otherDevices: [HouseholdMember] {
        (household.value?.devices ?? []).filter { !$0.isThisDevice && !$0.member.isRevoked }.map(\.member)
    }

    /// The devices of the household have changed. What came of a wish goes where its device has changed in another way since.
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

    /// When a text about a device changes without anybody saying so; `nil`: never.
    func nextHouseholdChange(_ moment: SettingsMoment) -> BootTime? {
        let times = (household.value?.devices ?? []).compactMap(\.report).flatMap { report in
            let age = moment.wall.milliseconds(since: report.updated)
            // An age is told in whole minutes, then in hours, then in days.
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
    /// How long after another time it is; other devices say any time that they like.
    func milliseconds(since other: WallTime) -> Int64 {
        let (difference, overflow) = unixMilliseconds.subtractingReportingOverflow(other.unixMilliseconds)
        return overflow ? (other.unixMilliseconds < 0 ? .max : .min) : difference
    }
}
