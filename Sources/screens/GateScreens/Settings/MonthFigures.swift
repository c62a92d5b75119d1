package import GateModel

/// The journal's figures of each of the last days: how long parent mode was on, and how questions were answered.
package struct MonthFigures: Hashable, Sendable {
    /// One day, where the device is.
    package struct Day: Hashable, Sendable {
        package var date: CivilDate
        /// How long the device was in parent mode.
        package var parentTime = Duration.zero
        /// How many questions were answered right.
        package var rightAnswers = 0
        /// How many were answered wrong.
        package var wrongAnswers = 0

        /// Whether nothing happened on it.
        package var isEmpty: Bool { parentTime == .zero && rightAnswers == 0 && wrongAnswers == 0 }
    }

    /// How many days there are.
    package static let dayCount = 30

    /// The days of the month on which something happened, by how long after 1 January 1970 they are.
    private var busy: [Int64: Day] = [:]
    /// Parent mode that still lasts.
    private var stay: Stay?

    /// Parent mode, as far as the journal has told.
    private struct Stay: Hashable {
        var start: WallTime
        /// Where the lease is known, which ends it even if nobody says so: the device may have been off by then.
        var leaseEnd: WallTime?
    }

    package init() {}

    /// More entries of the journal were made.
    ///
    /// - Parameters:
    ///   - entries: the oldest first.
    ///   - now: older days than those of the month are forgotten.
    ///   - clock: what says when days begin.
    package mutating func came(_ entries: some Sequence<AuditEntry>, now: WallTime, clock: LocalClock) {
        let month = Self.month(now, clock)
        busy = busy.filter { month.contains($0.key) }
        for entry in entries {
            if entry.kind == .answeredRight { update(entry.time, month, clock) { $0.rightAnswers += 1 } }
            if entry.kind == .answeredWrong { update(entry.time, month, clock) { $0.wrongAnswers += 1 } }
            stay = after(entry, month, clock)
        }
    }

    /// The days up to today, the oldest first.
    ///
    /// - Parameter now: where parent mode that still lasts is cut.
    package func days(now: WallTime, clock: LocalClock) -> [Day] {
        let month = Self.month(now, clock)
        var figures = self
        if let stay { figures.add(stay, until: now, month, clock) }
        return month.map { figures.busy[$0] ?? Day(date: Self.date($0)) }
    }

    /// The days up to today, by how long after 1 January 1970 they are.
    private static func month(_ now: WallTime, _ clock: LocalClock) -> ClosedRange<Int64> {
        let today = clock.day(now).daysSince1970
        return today - Int64(dayCount - 1)...today
    }

    private static func date(_ day: Int64) -> CivilDate {
        CivilDate(WallTime(unixMilliseconds: day * LocalClock.dayMilliseconds))
    }

    private mutating func after(_ entry: AuditEntry, _ month: ClosedRange<Int64>, _ clock: LocalClock) -> Stay? {
        let hasEnded = entry.mode != .parent || entry.kind == .started
        if let stay, hasEnded { add(stay, until: entry.time, month, clock) }
        guard entry.mode == .parent else { return nil }
        var next = (hasEnded ? nil : stay) ?? Stay(start: entry.time, leaseEnd: nil)
        let lease = Self.lease(entry)
        if entry.kind == .extended, let end = next.leaseEnd, let lease {
            // Beyond the lease that there is.
            next.leaseEnd = end.after(lease)
        } else if entry.kind == .parentEntered || entry.kind == .overridden {
            next.leaseEnd = lease.map { entry.time.after($0) }
        }
        return next
    }

    /// `for 15m`, `parent for 15m: reason`
    private static func lease(_ entry: AuditEntry) -> Duration? {
        let words = entry.detail.split(separator: " ", maxSplits: 4)
        guard let index = words.firstIndex(of: "for"), index + 1 < words.count else { return nil }
        return Duration(shortText: String(words[index + 1].prefix { $0 != ":" }))
    }

    private mutating func add(_ stay: Stay, until end: WallTime, _ month: ClosedRange<Int64>, _ clock: LocalClock) {
        let end = min(end, stay.leaseEnd ?? end)
        // A day before the month begins everywhere: a clock that was wrong may have said 1970.
        var start = max(
            stay.start, WallTime(unixMilliseconds: (month.lowerBound - 1) * LocalClock.dayMilliseconds))
        while start < end {
            let cut = min(end, clock.nextMidnight(after: start))
            let time = Duration.milliseconds(cut.unixMilliseconds - start.unixMilliseconds)
            update(start, month, clock) { $0.parentTime += time }
            start = cut
        }
    }

    /// Days before the month, and after today, are not there.
    private mutating func update(
        _ time: WallTime, _ month: ClosedRange<Int64>, _ clock: LocalClock, _ body: (inout Day) -> Void
    ) {
        let day = clock.day(time).daysSince1970
        guard month.contains(day) else { return }
        body(&busy[day, default: Day(date: Self.date(day))])
    }
}

extension WallTime {
    fileprivate func after(_ duration: Duration) -> WallTime {
        let (sum, overflow) = unixMilliseconds.addingReportingOverflow(duration.millisecondsRoundedUp)
        return WallTime(unixMilliseconds: overflow ? .max : sum)
    }
}
