import Glibc

/// The conversation between systemd and the daemon: sockets that were opened before the start, "ready", "stopping", and the
/// watchdog (sd_listen_fds(3), sd_notify(3)). Without systemd all of it does nothing.
struct Supervisor: Sendable {
    /// Where notifications go: a path, or a name in the abstract namespace that begins with "@".
    private let notifySocket: String?
    /// How often systemd wants to hear that the event loop turns; nil: never.
    let watchdogInterval: Duration?
    /// Sockets that systemd listens on for us.
    let listeningSockets: [CInt]

    private static let firstDescriptor: CInt = 3

    /// Reads the environment, and removes from it what was meant for this process alone.
    static func takeFromEnvironment() -> Supervisor {
        func take(_ name: String) -> String? {
            guard let value = getenv(name) else { return nil }
            defer { unsetenv(name) }
            return String(cString: value)
        }
        let isForUs = take("LISTEN_PID").flatMap(pid_t.init) == getpid()
        let count = take("LISTEN_FDS").flatMap(CInt.init) ?? 0
        _ = take("LISTEN_FDNAMES")
        let sockets = isForUs && count > 0 ? Array(firstDescriptor..<firstDescriptor + count) : []
        for descriptor in sockets { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }

        let watchdogPID = take("WATCHDOG_PID").flatMap(pid_t.init)
        let watchdog = take("WATCHDOG_USEC").flatMap(Int64.init)
        let isWatched = watchdogPID == nil || watchdogPID == getpid()
        return Supervisor(
            notifySocket: take("NOTIFY_SOCKET"),
            watchdogInterval: isWatched ? watchdog.flatMap { $0 > 0 ? .microseconds($0) : nil } : nil,
            listeningSockets: sockets)
    }

    func ready(_ status: String) { notify("READY=1\nSTATUS=\(status)") }
    func waiting(_ status: String) { notify("STATUS=\(status)") }
    func stopping() { notify("STOPPING=1\nSTATUS=stopping") }
    func watchdog() { notify("WATCHDOG=1") }

    private func notify(_ message: String) {
        guard let notifySocket, let first = notifySocket.utf8.first else { return }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }

        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var path = Array(notifySocket.utf8)
        if first == UInt8(ascii: "@") { path[0] = 0 }
        guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let length = socklen_t(MemoryLayout.offset(of: \sockaddr_un.sun_path)! + path.count)
        let bytes = Array(message.utf8)
        _ = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, length)
            }
        }
    }
}
