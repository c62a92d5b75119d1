/// The daemon's counts since it was ready.
struct Statistics {
    /// Unary calls and streams opened.
    var calls: UInt64 = 0
    /// Durable transitions.
    var transitions: UInt64 = 0
    /// SQLite transactions that carried them.
    var commits: UInt64 = 0
    /// Messages that slow watchers did not get one by one.
    var conflated: UInt64 = 0
    /// Connections and requests refused for a limit.
    var refused: UInt64 = 0

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
