import GateCore
import GateModel

extension RecordTables {
    /// The time that people have used on each day.
    static let usage = EntryTable<
        (meter: UsageMeter, day: Int64), (key: (meter: UsageMeter, day: Int64), value: Int64)
    >(
        table: Table(
            "usage", step: 20, keyCount: 4, blank: (key: (meter: UsageMeter(uid: 0, .allowance("")), day: 0), value: 0),
            Column("uid", .uid, \.key.meter.uid), Column("is_allowance", .flag, \.key.meter.isAllowance),
            Column("name", .name, \.key.meter.name),
            // Days since 1970-01-01, by the clock of the device.
            Column("day", .day, \.key.day), Column("milliseconds", .used, \.value, "CHECK (milliseconds > 0)")),
        key: \.key, maximumCount: 1_000_000,
        entries: { records in
            records.usage.days.flatMap { meter, days in
                days.map { (key: (meter: meter, day: $0.key), value: $0.value) }
            }
        },
        add: { records, row in
            guard records.usage[row.key.meter, row.key.day] == nil else { return false }
            records.usage[row.key.meter, row.key.day] = row.value
            return true
        })

    /// The time that people have used on the household's other devices, as these have reported it.
    static let usageElsewhere = EntryTable<UsageElsewhere.Key, (key: UsageElsewhere.Key, value: Int64)>(
        table: Table(
            "usage_elsewhere", step: 23, keyCount: 4,
            blank: (key: UsageElsewhere.Key(device: .blank, person: "", allowance: "", day: 0), value: 0),
            Column("device", .householdID, \.key.device), Column("person", .name, \.key.person),
            Column("allowance", .name, \.key.allowance),
            // Days since 1970-01-01, by the clock of that device.
            Column("day", .day, \.key.day), Column("milliseconds", .used, \.value, "CHECK (milliseconds > 0)")),
        key: \.key, maximumCount: 1_000_000,
        entries: { $0.usageElsewhere.entries },
        add: { records, row in
            guard records.usageElsewhere[row.key] == nil else { return false }
            records.usageElsewhere[row.key] = row.value
            return true
        })
}

extension UsageMeter {
    /// The name of the allowance or of the gated action.
    fileprivate var name: String {
        get {
            switch subject {
            case .allowance(let name), .gatedAction(let name): name
            }
        }
        set { subject = isAllowance ? .allowance(newValue) : .gatedAction(newValue) }
    }

    fileprivate var isAllowance: Bool {
        get { if case .allowance = subject { true } else { false } }
        set { subject = newValue ? .allowance(name) : .gatedAction(name) }
    }
}

extension Format<Int64> {
    /// A day that the wall clock can show.
    fileprivate static let day = Format("INTEGER NOT NULL", "a day") { (-200_000_000...200_000_000).contains($0) }
    fileprivate static let used = Format("INTEGER NOT NULL", "a time that was used") { $0 > 0 }
}
