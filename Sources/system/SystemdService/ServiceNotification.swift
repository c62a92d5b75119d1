import Glibc

/// Tells systemd the state of the service (sd_notify(3)). Without systemd it does nothing.
public struct ServiceNotification: Sendable {
    /// A path, or a name in the abstract namespace, which begins with "@".
    private let socketName: String?

    /// Reads systemd's variable from the environment and removes it, because it is meant for this process only.
    public static func takeFromEnvironment() -> ServiceNotification {
        ServiceNotification(socketName: takeVariable("NOTIFY_SOCKET"))
    }

    public func ready(_ status: String) { send("READY=1\nSTATUS=\(status)") }
    public func waiting(_ status: String) { send("STATUS=\(status)") }
    public func stopping() { send("STOPPING=1\nSTATUS=stopping") }
    public func watchdog() { send("WATCHDOG=1") }

    private func send(_ message: String) {
        guard let socketName, let first = socketName.utf8.first else { return }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }

        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var path = Array(socketName.utf8)
        if first == UInt8(ascii: "@") { path[0] = 0 }
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        guard path.count < capacity else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size - capacity + path.count)
        let bytes = Array(message.utf8)
        _ = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, length)
            }
        }
    }
}

/// How often systemd must be notified that the service is alive (sd_watchdog_enabled(3)); `nil`: never. The variables
/// are removed from the environment.
public func takeWatchdogInterval() -> Duration? {
    let pid = takeVariable("WATCHDOG_PID").flatMap(pid_t.init)
    let microseconds = takeVariable("WATCHDOG_USEC").flatMap(Int64.init)
    guard pid == nil || pid == getpid(), let microseconds, microseconds > 0 else { return nil }
    return .microseconds(microseconds)
}

/// Reads a variable and removes it from the environment, since only this process should see it; `nil` if it is not set.
public func takeVariable(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    defer { unsetenv(name) }
    return String(cString: value)
}
