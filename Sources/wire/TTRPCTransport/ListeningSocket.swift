#if canImport(Musl)
import Musl
#else
import Glibc
#endif

public enum ListeningSocket: Sendable {
    /// Makes a socket file with this mode, whatever the umask. An existing socket file is replaced only if no process
    /// listens on it. The file is removed when the server stops, unless another one has taken its place.
    case path(String, mode: UInt16)
    /// A listening socket from systemd. The server owns the descriptor from now on, and leaves the socket file alone.
    case inherited(CInt)
}

public enum ListeningError: Error, Hashable, Sendable {
    /// The path has more than `limit` bytes.
    case pathTooLong(path: String, limit: Int)
    case inUse(path: String)
    /// The file at this path is not a socket. It is left alone.
    case notASocket(path: String)
    case failed(path: String, call: String, errno: CInt)
}

extension ListeningError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .pathTooLong(let path, let limit): "\(path): longer than the \(limit) bytes of a socket address"
        case .inUse(let path): "\(path): another process listens there; stop it first"
        case .notASocket(let path): "\(path): is no socket; move it away first"
        case .failed(let path, let call, let errno): "\(path): \(call): \(String(cString: strerror(errno)))"
        }
    }
}

/// A socket file that this process made, recognised by its inode.
struct SocketFile: Sendable {
    let path: String
    private let device: dev_t
    private let inode: ino_t

    /// Binds a new socket to `path`. Its mode holds for every peer, because nobody can connect before `listen`.
    static func bind(to path: String, mode: UInt16) throws(ListeningError) -> (file: SocketFile, descriptor: CInt) {
        guard var address = sockaddr_un(path: path) else {
            throw .pathTooLong(path: path, limit: sockaddr_un.maximumPathBytes)
        }
        try removeStale(at: path, address)
        let descriptor = unixSocket()
        guard descriptor >= 0 else { throw .failed(path: path, call: "socket", errno: errno) }
        do throws(ListeningError) {
            guard address.withSocketAddress({ bindSocket(descriptor, $0, $1) }) == 0 else {
                throw errno == EADDRINUSE ? .inUse(path: path) : .failed(path: path, call: "bind", errno: errno)
            }
            guard chmod(path, mode_t(mode)) == 0 else { throw .failed(path: path, call: "chmod", errno: errno) }
            var status = stat()
            guard lstat(path, &status) == 0 else { throw .failed(path: path, call: "lstat", errno: errno) }
            return (SocketFile(path: path, device: status.st_dev, inode: status.st_ino), descriptor)
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Removes the file, unless another one has taken its place.
    func remove() {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_dev == device, status.st_ino == inode else { return }
        unlink(path)
    }

    private static func removeStale(at path: String, _ address: sockaddr_un) throws(ListeningError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path: path) }
        // Not blocking, so that a living server with a full queue answers EAGAIN at once.
        let probe = unixSocket(isBlocking: false)
        guard probe >= 0 else { throw .failed(path: path, call: "socket", errno: errno) }
        defer { close(probe) }
        var address = address
        guard address.withSocketAddress({ connect(probe, $0, $1) }) != 0, errno == ECONNREFUSED else {
            throw .inUse(path: path)
        }
        guard unlink(path) == 0 || errno == ENOENT else { throw .failed(path: path, call: "unlink", errno: errno) }
    }
}

extension sockaddr_un {
    /// The longest path, in bytes, without the NUL at the end.
    static var maximumPathBytes: Int { MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1 }

    /// `nil` if the path is empty, too long, or contains a NUL.
    init?(path: String) {
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, bytes.count <= sockaddr_un.maximumPathBytes, !bytes.contains(0) else { return nil }
        self.init()
        sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &sun_path) { $0.copyBytes(from: bytes) }
    }

    mutating func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: &self) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
