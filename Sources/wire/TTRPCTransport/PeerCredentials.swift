import NIOCore

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The identity of a peer at the time it connected, as the kernel attests it (SO_PEERCRED and SO_PEERGROUPS).
public struct PeerCredentials: Hashable, Sendable {
    public var uid: UInt32
    public var gid: UInt32
    /// The process that connected. It may have exited since, or passed its descriptor to another process.
    public var pid: Int32
    public var groups: [UInt32]

    public init(uid: UInt32, gid: UInt32, pid: Int32, groups: [UInt32]) {
        self.uid = uid
        self.gid = gid
        self.pid = pid
        self.groups = groups
    }
}

extension PeerCredentials {
    /// SO_PEERGROUPS from <asm-generic/socket.h>, which Glibc's module lacks.
    private static let peerGroupsOption: CInt = 59

    /// Asks the kernel for the peer of a connected socket. `nil` if it does not answer, or not plausibly, or if the
    /// peer has more than `maximumGroups` groups.
    init?(ofPeerAt descriptor: CInt) {
        // struct ucred from <sys/socket.h>, which Glibc's module lacks.
        var credentials: (pid: Int32, uid: UInt32, gid: UInt32) = (0, .max, .max)
        let size = socklen_t(MemoryLayout.size(ofValue: credentials))
        var length = size
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0, length == size,
            // The kernel's answer for a socket without a peer.
            credentials.uid != UInt32.max, credentials.gid != UInt32.max,
            let groups = PeerCredentials.groups(ofPeerAt: descriptor)
        else { return nil }
        self.init(uid: credentials.uid, gid: credentials.gid, pid: credentials.pid, groups: groups)
    }

    /// The most supplementary groups that a peer may have. The kernel allows 65,536, and a user with a range of group
    /// ids could make the daemon store that many for each connection.
    static let maximumGroups = 1024

    private static func groups(ofPeerAt descriptor: CInt) -> [UInt32]? {
        var groups = [UInt32](repeating: 0, count: 32)
        while true {
            let room = socklen_t(groups.count * MemoryLayout<UInt32>.stride)
            var length = room
            if getsockopt(descriptor, SOL_SOCKET, peerGroupsOption, &groups, &length) == 0 {
                return Array(groups.prefix(Int(length) / MemoryLayout<UInt32>.stride))
            }
            // ERANGE: `length` is now the size that the kernel needs, which can only have grown.
            guard errno == ERANGE, length > room, Int(length) <= maximumGroups * MemoryLayout<UInt32>.stride else {
                return nil
            }
            groups = [UInt32](repeating: 0, count: Int(length) / MemoryLayout<UInt32>.stride)
        }
    }

    /// Call it on the channel's event loop, while the socket is open.
    init?(ofPeerOf channel: any Channel) {
        let credentials = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
            of: NIOBSDSocket.Handle.self
        ) { PeerCredentials(ofPeerAt: $0) }
        guard case .some(.some(let credentials)) = credentials else { return nil }
        self = credentials
    }
}
