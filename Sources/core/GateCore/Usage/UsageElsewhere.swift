package import GateModel

/// The time that people have used on the household's other devices, as these have reported it. It is stored.
///
/// For each device and day, only the largest time counts that the device has ever reported. So a report gives no time
/// back if it comes late, twice, in another order, or from a device that was restored from a backup.
package struct UsageElsewhere: Hashable, Sendable {
    /// Names one reported time.
    package struct Key: Hashable, Sendable {
        package var device: HouseholdID
        package var person: String
        package var allowance: String
        /// The number of the day (`UsageDay.number`), as the device counts its days.
        package var day: Int64

        package init(device: HouseholdID, person: String, allowance: String, day: Int64) {
            (self.device, self.person, self.allowance, self.day) = (device, person, allowance, day)
        }
    }

    /// One person's use of one allowance. Names are compared by their bytes, as the store does. For Swift two spellings
    /// of a letter are equal.
    private struct Subject: Hashable, Sendable {
        var person: String
        var allowance: String

        static func == (left: Subject, right: Subject) -> Bool {
            left.person.hasBytes(of: right.person) && left.allowance.hasBytes(of: right.allowance)
        }

        func hash(into hasher: inout Hasher) { for byte in person.utf8 { hasher.combine(byte) } }
    }

    /// Milliseconds by device and day. Nothing in it is empty, and no time is zero.
    private var days: [Subject: [HouseholdID: [Int64: Int64]]] = [:]

    package init() {}

    package var isEmpty: Bool { days.isEmpty }

    package subscript(key: Key) -> Int64? {
        get { days[Subject(person: key.person, allowance: key.allowance)]?[key.device]?[key.day] }
        set {
            let subject = Subject(person: key.person, allowance: key.allowance)
            days[subject, default: [:]][key.device, default: [:]][key.day] = newValue
            guard newValue == nil else { return }
            if days[subject]?[key.device]?.isEmpty ?? true { days[subject]?[key.device] = nil }
            if days[subject]?.isEmpty ?? true { days[subject] = nil }
        }
    }

    /// The time of one person and allowance by device, then by day; `nil` if no device has reported any.
    func times(of person: String, _ allowance: String) -> [HouseholdID: [Int64: Int64]]? {
        days[Subject(person: person, allowance: allowance)]
    }

    /// The allowances for which devices have reported use by this person.
    func allowances(of person: String) -> [String] {
        days.keys.filter { $0.person.hasBytes(of: person) }.map(\.allowance)
    }

    package var entries: [(key: Key, value: Int64)] {
        days.flatMap { subject, devices in
            devices.flatMap { device, days in
                days.map { day, milliseconds in
                    let key = Key(device: device, person: subject.person, allowance: subject.allowance, day: day)
                    return (key: key, value: milliseconds)
                }
            }
        }
    }

    /// The number of stored times of each device.
    var countsByDevice: [HouseholdID: Int] {
        days.values.reduce(into: [:]) { counts, devices in
            for (device, days) in devices { counts[device, default: 0] += days.count }
        }
    }

    /// What may be forgotten on a day: times that are more than `UsageRules.daysToldKept` days older. The newest week
    /// that a device has reported for a person and an allowance stays, however old it is, as long as the device is a
    /// member of the household. Otherwise a clock that was wrong once by years, and is right again, would give time
    /// back.
    func old(on today: Int64, members: Set<HouseholdID>) -> [Key] {
        let first = today - UsageRules.daysToldKept
        return days.flatMap { subject, devices in
            devices.flatMap { device, days in
                let newest = members.contains(device) ? (days.keys.max() ?? first) - 6 : first
                return days.keys.filter { $0 < min(first, newest) }.map {
                    Key(device: device, person: subject.person, allowance: subject.allowance, day: $0)
                }
            }
        }
    }
}
