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
