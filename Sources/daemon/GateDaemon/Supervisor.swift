import Glibc
import SystemdService

/// The conversation between systemd and the daemon: sockets that were opened before the start, notifications, and the watchdog
/// (sd_listen_fds(3), sd_watchdog_enabled(3)). Without systemd all of it does nothing.
struct Supervisor: Sendable {
    let notification: ServiceNotification
    /// How often systemd wants to hear that the event loop turns; nil: never.
    let watchdogInterval: Duration?
    /// Sockets that systemd listens on for us.
    let listeningSockets: [CInt]

    private static let firstDescriptor: CInt = 3

    /// Reads the environment, and removes from it what was meant for this process alone.
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
