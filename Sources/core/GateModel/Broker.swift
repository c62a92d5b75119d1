/// A process that a broker asks for.
public struct Subject: Hashable, Sendable {
    /// Its user.
    public var uid: UInt32
    /// Its process id.
    public var pid: Int32
    /// When it started, in clock ticks since the boot: field 22 of `/proc/PID/stat`. No other process with its number has the same.
    public var startTime: UInt64

    /// Makes a subject of these values.
    public init(uid: UInt32, pid: Int32, startTime: UInt64) {
        self.uid = uid
        self.pid = pid
        self.startTime = startTime
    }
}

/// The program that asks for another process.
public struct Broker: Hashable, Sendable {
    /// Its user, as the kernel says.
    public var uid: UInt32
    /// As the program names itself: unverified.
    public var program: String
    /// When the process started that it asks for. Only a running daemon asks.
    package var startTime: UInt64

    /// Makes a broker of these values.
    package init(uid: UInt32, program: String, startTime: UInt64 = 0) {
        self.uid = uid
        self.program = program
        self.startTime = startTime
    }
}

/// The line of /proc/PID/stat, as far as it is needed here.
package struct ProcessStat: Hashable {
    /// How the process calls itself.
    package let name: String
    /// Nobody runs it any more: it waits for its parent to take notice.
    package let hasEnded: Bool
    /// In clock ticks since the boot.
    package let startTime: UInt64

    /// - Returns: `nil`: it is not such a line.
    package init?(_ line: String) {
        // The name may have brackets, spaces and line ends in it; nothing after it has.
        guard let begin = line.firstIndex(of: "("), let end = line.lastIndex(of: ")"), begin < end else { return nil }
        // From the third field on.
        let fields = line[line.index(after: end)...].split(separator: " ")
        guard fields.count > 19, let startTime = UInt64(fields[19]) else { return nil }
        name = String(line[line.index(after: begin)..<end])
        hasEnded = ["Z", "X", "x"].contains(fields[0])
        self.startTime = startTime
    }
}
