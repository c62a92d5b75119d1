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

    /// The days up to today, the oldest first.
    package private(set) var days: [Day]

    /// Parent mode, as far as the journal has told.
    private struct Stay {
        var start: WallTime
        /// Where the lease is known, which ends it even if nobody says so: the device may have been off by then.
        var leaseEnd: WallTime?
    }

    /// - Parameters:
    ///   - entries: of the journal, the oldest first.
    ///   - now: where parent mode that still lasts is cut.
    ///   - clock: what says when days begin.
    package init(_ entries: some Sequence<AuditEntry>, now: WallTime, clock: LocalClock) {
        let today = clock.day(now).daysSince1970
        days = (0..<Self.dayCount).map { index in
            let date = CivilDate(
                WallTime(
                    unixMilliseconds: (today - Int64(Self.dayCount - 1 - index)) * LocalClock.dayMilliseconds))
            return Day(date: date)
        }
        var stay: Stay?
        for entry in entries {
            if entry.kind == .answeredRight { update(entry.time, clock) { $0.rightAnswers += 1 } }
            if entry.kind == .answeredWrong { update(entry.time, clock) { $0.wrongAnswers += 1 } }
            stay = after(entry, stay, clock)
        }
        if let stay { add(stay, until: now, clock) }
    }

    private mutating func after(_ entry: AuditEntry, _ stay: Stay?, _ clock: LocalClock) -> Stay? {
        let hasEnded = entry.mode != .parent || entry.kind == .started
        if let stay, hasEnded { add(stay, until: entry.time, clock) }
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

    private mutating func add(_ stay: Stay, until end: WallTime, _ clock: LocalClock) {
        let end = min(end, stay.leaseEnd ?? end)
        guard let first = days.first?.date else { return }
        var start = stay.start
        while start < end {
            let cut = min(end, clock.nextMidnight(after: start))
            if clock.day(start) >= first {
                let time = Duration.milliseconds(cut.unixMilliseconds - start.unixMilliseconds)
                update(start, clock) { $0.parentTime += time }
            }
            start = cut
        }
    }

    /// Days before the first, and after today, are not there.
    private mutating func update(_ time: WallTime, _ clock: LocalClock, _ body: (inout Day) -> Void) {
        guard let first = days.first?.date else { return }
        let index = clock.day(time).daysSince1970 - first.daysSince1970
        guard days.indices.contains(Int(index)) else { return }
        body(&days[Int(index)])
    }
}

extension WallTime {
    fileprivate func after(_ duration: Duration) -> WallTime {
        let (sum, overflow) = unixMilliseconds.addingReportingOverflow(duration.millisecondsRoundedUp)
        return WallTime(unixMilliseconds: overflow ? .max : sum)
    }
}
