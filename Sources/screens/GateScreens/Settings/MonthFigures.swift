package import GateModel

/// The journal's figures for each of the last days: the time in parent mode, and the answers to questions.
package struct MonthFigures: Hashable, Sendable {
    /// One local day.
    package struct Day: Hashable, Sendable {
        package var date: CivilDate
        package var parentTime = Duration.zero
        package var rightAnswers = 0
        package var wrongAnswers = 0

        package var isEmpty: Bool { parentTime == .zero && rightAnswers == 0 && wrongAnswers == 0 }
    }

    package static let dayCount = 30

    /// The days of the month on which something happened, by their number of days since 1 January 1970.
    private var busy: [Int64: Day] = [:]
    /// Parent mode that still lasts; `nil` if the device is not in it.
    private var stay: Stay?

    /// Parent mode, as far as the journal reports it.
    private struct Stay: Hashable {
        var start: WallTime
        /// The end of the lease, if known. There may be no entry for it, because the device may have been off.
        var leaseEnd: WallTime?
    }

    package init() {}

    /// More entries of the journal came.
    ///
    /// - Parameters:
    ///   - entries: the oldest first.
    ///   - now: the current time. Days that are no longer in the month are forgotten.
    ///   - clock: the clock that decides when days begin.
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
    /// - Parameter now: the current time, up to which parent mode that still lasts is counted.
    package func days(now: WallTime, clock: LocalClock) -> [Day] {
        let month = Self.month(now, clock)
        var figures = self
        if let stay { figures.add(stay, until: now, month, clock) }
        return month.map { figures.busy[$0] ?? Day(date: Self.date($0)) }
    }

    /// The days up to today, by their number of days since 1 January 1970.
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
        // An extension counts from its own time on, not from the end of the lease before.
        if [.parentEntered, .overridden, .extended].contains(entry.kind) {
            next.leaseEnd = Self.lease(entry).map { entry.time.after($0) }
        }
        return next
    }

    /// The length of parent mode in an entry's detail, such as `for 15m` or `parent for 15m: reason`; `nil` if the
    /// detail names none.
    private static func lease(_ entry: AuditEntry) -> Duration? {
        let words = entry.detail.split(separator: " ", maxSplits: 4)
        guard let index = words.firstIndex(of: "for"), index + 1 < words.count else { return nil }
        return Duration(shortText: String(words[index + 1].prefix { $0 != ":" }))
    }

    private mutating func add(_ stay: Stay, until end: WallTime, _ month: ClosedRange<Int64>, _ clock: LocalClock) {
        let end = min(end, stay.leaseEnd ?? end)
        // No earlier than a day before the month, which is enough for any time zone: if the clock was wrong, parent
        // mode may have begun in 1970.
        var start = max(
            stay.start, WallTime(unixMilliseconds: (month.lowerBound - 1) * LocalClock.dayMilliseconds))
        while start < end {
            let cut = min(end, clock.nextMidnight(after: start))
            let time = Duration.milliseconds(cut.unixMilliseconds - start.unixMilliseconds)
            update(start, month, clock) { $0.parentTime += time }
            start = cut
        }
    }

    /// Changes the figures of a day. Days before the month and after today are skipped.
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
