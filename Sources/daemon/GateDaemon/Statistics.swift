import GateModel
import GateProtocol

/// The daemon's counts since it was ready.
struct Statistics {
    /// Durable transitions.
    var transitions: UInt64 = 0
    /// SQLite transactions that carried them.
    var commits: UInt64 = 0
    /// Messages that slow watchers did not get one by one.
    var conflated: UInt64 = 0
    /// Connections and requests refused for a limit.
    var refused: UInt64 = 0

    /// How often each method was called, by its number in `ServiceCatalog`.
    private(set) var callsOfMethod = [UInt64](repeating: 0, count: ServiceCatalog.methods.count)
    /// From a batch of commands given to the disk until it is durable, in microseconds.
    private(set) var commitMicroseconds = Histogram()
    /// From then until all watchers were told, in microseconds.
    private(set) var pushMicroseconds = Histogram()
    /// How many commands wait together for one commit.
    private(set) var commandsPerCommit = Histogram()
    var closes = CloseLog()
    private var commitBegan: BootTime?
    /// The end of the first commit of which not all watchers were told.
    private var durableSince: BootTime?

    /// - Parameter number: of its method.
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

    /// Anonymous memory of this process, in bytes; 0 where the kernel does not say.
    static func anonymousBytes() -> UInt64 {
        guard let status = readSmallFile("/proc/self/status") else { return 0 }
        for line in status.split(separator: "\n") where line.hasPrefix("RssAnon:") {
            return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { UInt64($0) }.map { $0 * 1024 }
                ?? 0
        }
        return 0
    }
}
