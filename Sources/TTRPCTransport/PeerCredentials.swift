import NIOCore

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The identity of a peer, as the kernel attests it when the peer connects: SO_PEERCRED and SO_PEERGROUPS.
public struct PeerCredentials: Hashable, Sendable {
    public var uid: UInt32
    /// The primary group.
    public var gid: UInt32
    /// The process that connected. It may have handed its descriptor on, or be gone.
    public var pid: Int32
    /// The supplementary groups.
    public var groups: [UInt32]

    public init(uid: UInt32, gid: UInt32, pid: Int32, groups: [UInt32]) {
        self.uid = uid
        self.gid = gid
        self.pid = pid
        self.groups = groups
    }
}

extension PeerCredentials {
    /// SO_PEERGROUPS of <asm-generic/socket.h>, which Glibc's module leaves out.
    private static let peerGroupsOption: CInt = 59

    /// Asks the kernel about the peer of a connected socket; `nil` if it does not say, or its answer makes no sense.
    init?(ofPeerAt descriptor: CInt) {
        // struct ucred of <sys/socket.h>, which Glibc's module leaves out.
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

    /// More groups than a person has. The kernel allows 65,536, and a user with a range of group ids may have that many on each
    /// connection.
    static let maximumGroups = 1024

    private static func groups(ofPeerAt descriptor: CInt) -> [UInt32]? {
        var groups = [UInt32](repeating: 0, count: 32)
        while true {
            let room = socklen_t(groups.count * MemoryLayout<UInt32>.stride)
            var length = room
            if getsockopt(descriptor, SOL_SOCKET, peerGroupsOption, &groups, &length) == 0 {
                return Array(groups.prefix(Int(length) / MemoryLayout<UInt32>.stride))
            }
            // ERANGE: the kernel has put the length it needs into `length`. It can only have grown.
            guard errno == ERANGE, length > room, Int(length) <= maximumGroups * MemoryLayout<UInt32>.stride else {
                return nil
            }
            groups = [UInt32](repeating: 0, count: Int(length) / MemoryLayout<UInt32>.stride)
        }
    }

    /// Asks on the channel's event loop, while its socket is open.
    init?(ofPeerOf channel: any Channel) {
        let credentials = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
            of: NIOBSDSocket.Handle.self
        ) { PeerCredentials(ofPeerAt: $0) }
        guard case .some(.some(let credentials)) = credentials else { return nil }
        self = credentials
    }
}
