package import GateModel

/// What time is counted for: one person's use of an allowance, or of a gated action that needs no allowance. The person
/// is known by their own Unix user, so another name on the list of people gives nobody new time.
package struct UsageMeter: Hashable, Sendable, Comparable {
    package var uid: UInt32
    package var subject: UsedTime.Subject

    package init(uid: UInt32, _ subject: UsedTime.Subject) {
        (self.uid, self.subject) = (uid, subject)
    }

    private var order: (UInt32, Int, String) {
        switch subject {
        case .allowance(let name): (uid, 0, name)
        case .gatedAction(let name): (uid, 1, name)
        }
    }

    package static func < (left: UsageMeter, right: UsageMeter) -> Bool { left.order < right.order }
}

/// The time that people have used on each day, as it is stored.
///
/// Time is never given back. The time of a day only grows (`add`), and the day of a meter never goes back (`day`): if
/// the clock or the zone is set back, use counts on the last day that was counted until the clock gets there again.
package struct UsageLedger: Hashable, Sendable {
    /// What is stored of one meter.
    private struct Stored: Hashable, Sendable {
        /// Milliseconds by the number of the day (`UsageDay.number`). Never empty.
        var days: [Int64: Int64]
        /// The newest day. It is kept because every decision about an allowance asks for it.
        var newest: Int64
    }

    private var stored: [UsageMeter: Stored] = [:]

    package init() {}

    package var isEmpty: Bool { stored.isEmpty }

    /// Milliseconds by the number of the day (`UsageDay.number`), for each meter. No meter is without days.
    package var days: [UsageMeter: [Int64: Int64]] { stored.mapValues(\.days) }

    /// Milliseconds by the number of the day, for one meter; empty if nothing is stored for it.
    func days(of meter: UsageMeter) -> [Int64: Int64] { stored[meter]?.days ?? [:] }

    /// The milliseconds used on a day; `nil` if nothing is stored for it.
    package subscript(meter: UsageMeter, day: Int64) -> Int64? {
        get { stored[meter]?.days[day] }
        set {
            if let newValue {
                let newest = max(stored[meter]?.newest ?? day, day)
                stored[meter, default: Stored(days: [:], newest: newest)].days[day] = newValue
                stored[meter]?.newest = newest
            } else {
                stored[meter]?.days[day] = nil
                guard let newest = stored[meter]?.days.keys.max() else { return stored[meter] = nil }
                stored[meter]?.newest = newest
            }
        }
    }

    package func used(_ meter: UsageMeter, on day: Int64) -> Duration { .milliseconds(self[meter, day] ?? 0) }

    /// The day on which use counts if today is `today`.
    package func day(of meter: UsageMeter, today: Int64) -> Int64 { max(stored[meter]?.newest ?? today, today) }

    package var meters: [UsageMeter] { stored.keys.sorted() }
    package var meterCount: Int { stored.count }
    package func contains(_ meter: UsageMeter) -> Bool { stored[meter] != nil }

    package func meterCount(of uid: UInt32) -> Int { stored.keys.count { $0.uid == uid } }

    /// The newest day of a meter; `nil` if nothing is stored for it.
    func newestDay(of meter: UsageMeter) -> Int64? { stored[meter]?.newest }

    /// The days that may be forgotten on a day: those that are more than `UsageRules.daysKept` days older. If something
    /// limits the time of a meter, what counts towards the week of its newest day stays, however old it is. Otherwise a
    /// clock that was wrong once by years, and is right again, would give time back. A meter that nothing limits is
    /// forgotten with its last day.
    package func old(on today: Int64, isLimited: (UsageMeter) -> Bool) -> [(meter: UsageMeter, day: Int64)] {
        stored.sorted { $0.key < $1.key }.flatMap { meter, stored in
            let oldest = today - UsageRules.daysKept
            let first = isLimited(meter) ? min(oldest, stored.newest - 6) : oldest
            return stored.days.keys.filter { $0 < first }.sorted().map { (meter: meter, day: $0) }
        }
    }

    /// Both ledgers together: of each day the larger time.
    package func joined(with other: UsageLedger) -> UsageLedger {
        var joined = self
        for (meter, days) in other.days {
            for (day, milliseconds) in days { joined[meter, day] = max(joined[meter, day] ?? 0, milliseconds) }
        }
        return joined
    }
}

/// How use is counted.
package enum UsageRules {
    /// How many days the time used is kept for.
    package static let daysKept: Int64 = 70
    /// For how many days the times that other devices have reported are kept: for a week, and one day more, because it
    /// may already be tomorrow on the other device.
    static let daysToldKept: Int64 = 8
    /// How often the time is stored while something is being used. After a kill, no more than this is lost.
    package static let interval = Duration.seconds(60)
    /// How much time is left when watchers and programs are warned.
    package static let warnings: [Duration] = [.seconds(300), .seconds(60)]
}
