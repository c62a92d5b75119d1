/// The process on whose behalf a broker asks.
public struct Subject: Hashable, Sendable {
    /// The user of the process.
    public var uid: UInt32
    /// The process id.
    public var pid: Int32
    /// When the process started, in clock ticks since the boot: field 22 of `/proc/PID/stat`. It tells the process from
    /// a later one with the same id.
    public var startTime: UInt64

    public init(uid: UInt32, pid: Int32, startTime: UInt64) {
        self.uid = uid
        self.pid = pid
        self.startTime = startTime
    }
}

/// A program that asks on behalf of another process, like polkit's rules or a power manager.
public struct Broker: Hashable, Sendable {
    /// The user of the broker, as the kernel attests it.
    public var uid: UInt32
    /// The name that the broker gives itself. It is not verified.
    public var program: String
    /// When the process on whose behalf the broker asks started, in clock ticks since the boot. Only the daemon needs
    /// it, and only while the broker asks: it is 0 in the journal and at clients.
    package var startTime: UInt64

    package init(uid: UInt32, program: String, startTime: UInt64 = 0) {
        self.uid = uid
        self.program = program
        self.startTime = startTime
    }
}

/// What Gate needs of `/proc/PID/stat`.
package struct ProcessStat: Hashable {
    /// The process's own name (`comm`).
    package let name: String
    /// Whether the process has ended and only waits for its parent to reap it (states Z, X and x).
    package let hasEnded: Bool
    /// When the process started, in clock ticks since the boot.
    package let startTime: UInt64

    /// `nil` if this is not a line of `/proc/PID/stat`.
    package init?(_ line: String) {
        // The name may contain brackets, spaces and line ends, so its end is the last bracket of the line.
        guard let begin = line.firstIndex(of: "("), let end = line.lastIndex(of: ")"), begin < end else { return nil }
        // The fields from the third one on.
        let fields = line[line.index(after: end)...].split(separator: " ")
        guard fields.count > 19, let startTime = UInt64(fields[19]) else { return nil }
        name = String(line[line.index(after: begin)..<end])
        hasEnded = ["Z", "X", "x"].contains(fields[0])
        self.startTime = startTime
    }
}
