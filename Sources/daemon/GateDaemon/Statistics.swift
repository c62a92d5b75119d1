import GateModel
import GateProtocol

/// What the daemon has counted since it started. `DaemonStatistics` says more of each count.
struct Statistics {
    var transitions: UInt64 = 0
    var commits: UInt64 = 0
    var conflated: UInt64 = 0
    var refused: UInt64 = 0

    /// How often each method was called, indexed by its number in `ServiceCatalog`.
    private(set) var callsOfMethod = [UInt64](repeating: 0, count: ServiceCatalog.methods.count)
    private(set) var commitMicroseconds = Histogram()
    private(set) var pushMicroseconds = Histogram()
    private(set) var commandsPerCommit = Histogram()
    var closes = CloseLog()
    private var commitBegan: BootTime?
    /// When the oldest commit became durable that has not been sent to all watchers yet; `nil` if there is none.
    private var durableSince: BootTime?

    mutating func called(_ number: Int) {
        callsOfMethod[number] += 1
    }

    mutating func commitBegan(commands: Int, at now: BootTime) {
        commits += 1
        commitBegan = now
        commandsPerCommit.add(UInt64(commands))
    }

    mutating func commitEnded(at now: BootTime) {
        if let commitBegan { commitMicroseconds.add(Self.microseconds(from: commitBegan, to: now)) }
        durableSince = durableSince ?? now
    }

    mutating func watchersTold(at now: BootTime) {
        if let durableSince { pushMicroseconds.add(Self.microseconds(from: durableSince, to: now)) }
        durableSince = nil
    }

    mutating func nobodyWatches() {
        durableSince = nil
    }

    private static func microseconds(from start: BootTime, to end: BootTime) -> UInt64 {
        UInt64(max(0, end.nanoseconds - start.nanoseconds)) / 1000
    }

    /// The anonymous memory of this process, in bytes; 0 if the kernel does not say.
    static func anonymousBytes() -> UInt64 {
        guard let status = readSmallFile("/proc/self/status") else { return 0 }
        for line in status.split(separator: "\n") where line.hasPrefix("RssAnon:") {
            return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { UInt64($0) }.map { $0 * 1024 }
                ?? 0
        }
        return 0
    }
}
