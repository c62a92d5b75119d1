import GateModel

/// How the clock on the wall stands to the boot clock, as of the newest command. Purchases end by the clock on the wall,
/// deadlines are those of the boot clock; the first may be set, and then what is paid for is decided anew.
extension GateState {
    func wallTime(at moment: BootTime) -> WallTime {
        WallTime(unixMilliseconds: moment.milliseconds &+ wallClockOffset)
    }

    /// The first moment of the boot clock at which the clock on the wall says so.
    func bootTime(at time: WallTime) -> BootTime {
        let (milliseconds, isFar) = time.unixMilliseconds.subtractingReportingOverflow(wallClockOffset)
        let (nanoseconds, isFarther) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
        guard !isFar, !isFarther else {
            return time < wallTime(at: BootTime(nanoseconds: 0)) ? .init(nanoseconds: 0) : .never
        }
        return BootTime(nanoseconds: nanoseconds)
    }

    /// A clock that is set to where no clock goes is taken to be at the end of the range, 285,000 years from now.
    mutating func clockWasRead(_ context: Context) {
        let range: ClosedRange<Int64> = -(1 << 53)...(1 << 53)
        let wallTime = min(max(context.wallTime.unixMilliseconds, range.lowerBound), range.upperBound)
        wallClockOffset = wallTime - context.now.milliseconds
    }
}

extension BootTime {
    fileprivate var milliseconds: Int64 { nanoseconds / 1_000_000 }
}
