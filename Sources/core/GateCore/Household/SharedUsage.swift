package import GateModel

/// One person's use, summed over the household's devices. Each device reports to the others how much its people have
/// used of each allowance, and adds their reports to its own count. The rules for a report of another device:
///
/// | what                                     | what happens                                                       |
/// |------------------------------------------|--------------------------------------------------------------------|
/// | of another household, or of this device  | refused                                                            |
/// | not signed with the key of a member      | refused, also if the member is revoked                             |
/// | a time that is larger than the known one | stored: it counts from now on                                      |
/// | a smaller one, or the same once more     | nothing: the largest time that was told of a day counts            |
/// | more devices or times than the limits    | refused, or not stored; what is known stays                        |
/// | the device was revoked, or is gone       | what it told until today counts on those days; nothing of tomorrow |
///
/// People are matched by name: a report about Anna counts for the Anna on this device's list. Times of people who are
/// not on the list, and of allowances that this device's policy does not have, are not stored.
extension GateState {
    // MARK: - This device's report

    /// What this device tells the others; `nil` if it sums no use.
    package var usageToShare: UsageReport? {
        guard let settings = configuration.household, settings.sumsUsage, quarantinedFile == nil else { return nil }
        let uses = people.flatMap { person -> [(use: UsageReport.Use, newest: Int64)] in
            guard let uid = person.user?.uid, person.kind != .shared else { return [] }
            return records.usage.meters.compactMap { meter in
                guard meter.uid == uid, case .allowance(let allowance) = meter.subject,
                    allowance.utf8.count <= UsageReport.maximumNameByteCount,
                    let newest = records.usage.newestDay(of: meter)
                else { return nil }
                let days = records.usage.days(of: meter).filter {
                    $0.key > newest - Int64(UsageReport.maximumDays) && UsageReport.knownDays.contains($0.key)
                }
                return (
                    use: UsageReport.Use(
                        person: person.name, allowance: allowance,
                        days: days.mapValues { min($0, UsageReport.millisecondsOfDay) }),
                    newest: newest
                )
            }
        }
        // If there are too many uses for one report, it contains the most recent ones.
        let newestFirst = uses.enumerated().sorted { ($1.element.newest, $0.offset) < ($0.element.newest, $1.offset) }
        let told = newestFirst.prefix(UsageReport.maximumUses).sorted { $0.offset < $1.offset }
        return UsageReport(household: settings.household, device: settings.device, uses: told.map(\.element.use))
    }

    /// Whether this device reports the same use in both states. This is quick, because most commands change none of it.
    package func tellsSameUsage(as other: GateState) -> Bool {
        records.usage == other.records.usage && records.people == other.records.people
            && configuration.household == other.configuration.household
            && records.household.deviceKey == other.records.household.deviceKey
            && quarantinedFile == other.quarantinedFile
    }

    // MARK: - Reports of others

    /// - Parameter key: the key that the report's signature was verified with.
    mutating func takeUsage(
        _ report: UsageReport, verifiedBy key: [UInt8], _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        let settings = try household()
        guard quarantinedFile == nil else { throw .storeDamaged }
        guard settings.sumsUsage else {
            throw .badGuardian(.refused, "This device sums no use. household.yaml can say `usage: true`.")
        }
        guard report.household == settings.household else {
            throw .badGuardian(.household, "This report is of another household.")
        }
        guard report.device != settings.device, let member = householdList?.member(report.device),
            member.publicKey == key
        else { throw .badGuardian(.device, "The device that reports this is not on the household's list.") }
        guard !member.isRevoked else { throw .badGuardian(.revoked, "The device that reports this is revoked.") }
        let new = timesThatCount(report).filter { $0.value > records.usageElsewhere[$0.key] ?? 0 }
        guard !new.isEmpty else { return .done }
        if new.contains(where: { records.usageElsewhere[$0.key] == nil }) { forgetOldUsage(&draft) }
        let counts = records.usageElsewhere.countsByDevice
        guard counts[report.device] != nil || counts.count < Limits.devicesOfUsage else {
            throw .badGuardian(.refused, "More devices report use than are summed.")
        }
        var room = Limits.timesOfDevice - (counts[report.device] ?? 0)
        // The newest days first: if there is no room for all, they count longest.
        for (key, milliseconds) in new.sorted(by: { $0.key.order > $1.key.order }) {
            if records.usageElsewhere[key] == nil {
                guard room > 0 else { continue }
                room -= 1
            }
            record(.usageElsewhereSet(key, milliseconds: milliseconds), &draft)
        }
        countUse(context, changed: metersUsedElsewhere, &draft)
        draft.becameVisible()
        return .done
    }

    /// The times in a report that concern this device: those of people on its list and of allowances of its policy, by
    /// their names here.
    private func timesThatCount(_ report: UsageReport) -> [UsageElsewhere.Key: Int64] {
        var times: [UsageElsewhere.Key: Int64] = [:]
        for use in report.uses {
            guard let person = records.people[use.person]?.person, person.user != nil, person.kind != .shared,
                let allowance = allowances.allowances[use.allowance]
            else { continue }
            for (day, milliseconds) in use.days {
                let key = UsageElsewhere.Key(
                    device: report.device, person: person.name, allowance: allowance.name, day: day)
                times[key] = max(times[key] ?? 0, min(milliseconds, UsageReport.millisecondsOfDay))
            }
        }
        return times
    }

    private mutating func forgetOldUsage(_ draft: inout TransitionDraft) {
        let members = Set((householdList?.members ?? []).filter { !$0.isRevoked }.map(\.id))
        for key in records.usageElsewhere.old(on: allowances.firstToday, members: members) {
            record(.usageElsewhereRemoved(key), &draft)
        }
    }

    /// A new household list is in force. Removes the times of future days that were reported by devices which are not
    /// on the list any more, or are revoked.
    mutating func forgetUsageToCome(_ draft: inout TransitionDraft) {
        guard !records.usageElsewhere.isEmpty else { return }
        let members = Set((householdList?.members ?? []).filter { !$0.isRevoked }.map(\.id))
        for (key, _) in records.usageElsewhere.entries
        where !members.contains(key.device) && key.day > allowances.today(for: .allowance(key.allowance)) {
            record(.usageElsewhereRemoved(key), &draft)
        }
    }

    // MARK: - Sums

    private var sumsUsage: Bool {
        !records.usageElsewhere.isEmpty && configuration.household?.sumsUsage ?? false
    }

    /// The meters of this device's people for which other devices have reported use.
    var metersUsedElsewhere: Set<UsageMeter> {
        guard sumsUsage else { return [] }
        return Set(
            records.people.values.flatMap { record -> [UsageMeter] in
                guard let uid = record.person.user?.uid, record.person.kind != .shared else { return [] }
                return records.usageElsewhere.allowances(of: record.person.name).map {
                    UsageMeter(uid: uid, .allowance($0))
                }
            })
    }

    /// The milliseconds that other devices have reported for a meter, by device and day; `nil` if they have reported
    /// none.
    func usedElsewhere(_ meter: UsageMeter) -> [HouseholdID: [Int64: Int64]]? {
        guard sumsUsage, case .allowance(let name) = meter.subject,
            let person = records.people.values.first(where: { $0.person.user?.uid == meter.uid })?.person,
            person.kind != .shared
        else { return nil }
        return records.usageElsewhere.times(of: person.name, name)
    }

    /// How much of a day's time was used on which other devices, in the order of their names. A device that is on no
    /// list any more has its id as its name.
    func usedElsewhere(_ meter: UsageMeter, on day: Int64) -> [UsedElsewhere] {
        (usedElsewhere(meter) ?? [:]).compactMap { device, days in
            days[day].map {
                UsedElsewhere(
                    device: householdList?.member(device)?.name ?? device.description, used: .milliseconds($0))
            }
        }.sorted { ($0.device, $0.used) < ($1.device, $1.used) }
    }
}

extension UsageElsewhere.Key {
    /// The newest day is the greatest.
    fileprivate var order: (Int64, String, String) { (day, person, allowance) }
}

extension [HouseholdID: [Int64: Int64]]? {
    /// The time of all devices on a day.
    func sum(on day: Int64) -> Duration {
        guard let self else { return .zero }
        return .milliseconds(self.values.reduce(0) { $0 + ($1[day] ?? 0) })
    }
}
