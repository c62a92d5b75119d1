import Glibc

/// Tells systemd how the service is (sd_notify(3)). Without systemd it does nothing.
struct ServiceNotification: Sendable {
    /// A path, or a name in the abstract namespace that begins with "@".
    private let socketName: String?

    /// Reads the environment, and removes from it what was meant for this process alone.
    static func takeFromEnvironment() -> ServiceNotification {
        guard let value = getenv("NOTIFY_SOCKET") else { return ServiceNotification(socketName: nil) }
        defer { unsetenv("NOTIFY_SOCKET") }
        return ServiceNotification(socketName: String(cString: value))
    }

    func ready(_ status: String) { send("READY=1\nSTATUS=\(status)") }
    func stopping() { send("STOPPING=1\nSTATUS=stopping") }

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
