import Glibc

/// Finds out whether something listens at a host's TCP port, and whether the host is this machine. It sends no data.
enum ListeningPort {
    private static let patienceMilliseconds: CInt = 3000

    /// Whether something takes a connection there. Waits for a few seconds at most for each of the host's addresses.
    static func answers(_ host: String, _ port: UInt16) -> Bool {
        contains(host, port) { address, socket in
            if connect(socket, address.ai_addr, address.ai_addrlen) == 0 { return true }
            guard errno == EINPROGRESS else { return false }
            var descriptors = [pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)]
            guard poll(&descriptors, 1, patienceMilliseconds) == 1 else { return false }
            var error: CInt = 0
            var length = socklen_t(MemoryLayout<CInt>.size)
            return getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &length) == 0 && error == 0
        }
    }

    /// Whether one of the host's addresses is this machine's: only to those can a socket be bound.
    static func isHere(_ host: String) -> Bool {
        contains(host, 0) { address, socket in bind(socket, address.ai_addr, address.ai_addrlen) == 0 }
    }

    /// Whether `isRight` returns true for one of the host's addresses. It gets a new socket for each address; the
    /// socket does not block.
    private static func contains(_ host: String, _ port: UInt16, where isRight: (addrinfo, CInt) -> Bool) -> Bool {
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &first) == 0 else { return false }
        defer { freeaddrinfo(first) }
        var next = first
        while let address = next?.pointee {
            next = address.ai_next
            let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
            let descriptor = socket(address.ai_family, kind, 0)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            if isRight(address, descriptor) { return true }
        }
        return false
    }
}
