import GateModel

/// The relation of the wall clock to the boot clock, as of the newest command. Purchases end by the wall clock, while
/// deadlines use the boot clock. If the wall clock is set, entitlements are decided anew.
extension GateState {
    func wallTime(at moment: BootTime) -> WallTime {
        WallTime(unixMilliseconds: moment.milliseconds &+ wallClockOffset)
    }

    func bootTime(at time: WallTime) -> BootTime {
        let (milliseconds, isFar) = time.unixMilliseconds.subtractingReportingOverflow(wallClockOffset)
        let (nanoseconds, isFarther) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
        guard !isFar, !isFarther else {
            return time < wallTime(at: BootTime(nanoseconds: 0)) ? .init(nanoseconds: 0) : .never
        }
        return BootTime(nanoseconds: nanoseconds)
    }

    /// Smaller changes of the clocks' difference are the clocks' own inaccuracy and their correction.
    private static let smallestStep: Int64 = 60_000

    /// Stores the clocks' difference, and what follows if the wall clock was set since the last reading.
    mutating func clockWasRead(_ context: Context, _ draft: inout TransitionDraft) {
        let before = wallClockOffset
        clockWasRead(context)
        let step = wallClockOffset - before
        // At the first reading after a start, nobody knows whether the clock was set.
        guard step.magnitude >= Self.smallestStep, before != 0, !records.asks.isEmpty else { return }
        let time = WallTime(unixMilliseconds: context.now.milliseconds &+ before)
        moveTomorrow(from: time, by: .milliseconds(step), &draft)
    }

    /// Stores the clocks' difference. A wall clock that is further than 285,000 years from 1970 counts as that far.
    mutating func clockWasRead(_ context: Context) {
        let range: ClosedRange<Int64> = -(1 << 53)...(1 << 53)
        let wallTime = min(max(context.wallTime.unixMilliseconds, range.lowerBound), range.upperBound)
        wallClockOffset = wallTime - context.now.milliseconds
        suspendedNanoseconds = max(suspendedNanoseconds, context.suspendedNanoseconds)
    }
}

extension BootTime {
    fileprivate var milliseconds: Int64 { nanoseconds / 1_000_000 }
}
