import Glibc
import SystemdService

/// What systemd passes to the daemon, and what the daemon tells systemd: sockets opened before the start,
/// notifications, and the watchdog (sd_listen_fds(3), sd_watchdog_enabled(3)). Without systemd, it all does nothing.
struct Supervisor: Sendable {
    let notification: ServiceNotification
    /// How often systemd must be notified that the event loop still runs; `nil`: never.
    let watchdogInterval: Duration?
    let listeningSockets: [CInt]

    private static let firstDescriptor: CInt = 3

    /// Reads systemd's variables from the environment and removes them, because they are meant for this process only.
    static func takeFromEnvironment() -> Supervisor {
        let isForUs = takeVariable("LISTEN_PID").flatMap(pid_t.init) == getpid()
        let count = takeVariable("LISTEN_FDS").flatMap(CInt.init) ?? 0
        _ = takeVariable("LISTEN_FDNAMES")
        let sockets = isForUs && count > 0 ? Array(firstDescriptor..<firstDescriptor + count) : []
        for descriptor in sockets { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }

        return Supervisor(
            notification: .takeFromEnvironment(), watchdogInterval: takeWatchdogInterval(), listeningSockets: sockets)
    }
}
