public import GateModel
import Glibc
public import TTRPCTransport

/// Who has which role, by what the kernel says of the peer (DESIGN, section 7). Names of groups become ids when this is
/// made, that is, at the start and at a reload.
public struct RoleRules: Hashable, Sendable {
    /// Members are administrators; nil where the device has no such group.
    public var administratorGroup: UInt32?
    /// Members may present; nil where the device has no such group.
    public var presenterGroup: UInt32?
    /// Administrators beside root: the uid that gated runs as.
    public var daemonUser: UInt32

    public static let administratorGroupName = "gate-admin"
    public static let presenterGroupName = "gate-presenter"

    public init(administratorGroup: UInt32?, presenterGroup: UInt32?, daemonUser: UInt32) {
        self.administratorGroup = administratorGroup
        self.presenterGroup = presenterGroup
        self.daemonUser = daemonUser
    }

    /// The built-in rules, with the groups of this device as they are now.
    public static func ofThisDevice() -> RoleRules {
        RoleRules(
            administratorGroup: groupID(named: administratorGroupName),
            presenterGroup: groupID(named: presenterGroupName), daemonUser: geteuid())
    }

    public func roles(of credentials: PeerCredentials) -> Roles {
        var roles: Roles = .app
        if isMember(credentials, of: presenterGroup) { roles.insert(.presenter) }
        if credentials.uid == 0 || credentials.uid == daemonUser || isMember(credentials, of: administratorGroup) {
            roles.formUnion([.administrator, .presenter])
        }
        return roles
    }

    private func isMember(_ credentials: PeerCredentials, of group: UInt32?) -> Bool {
        guard let group else { return false }
        return credentials.gid == group || credentials.groups.contains(group)
    }

    /// What is in force, a line each, for people.
    public var description: [String] {
        func line(_ group: UInt32?, _ name: String) -> String {
            group.map { "group \(name) (gid \($0))" } ?? "group \(name) (this device has none)"
        }
        return [
            "role app: every local user",
            "role presenter: \(line(presenterGroup, Self.presenterGroupName))",
            "role administrator: root, uid \(daemonUser), \(line(administratorGroup, Self.administratorGroupName))",
        ]
    }
}

private func groupID(named name: String) -> UInt32? {
    var entry = group()
    var result: UnsafeMutablePointer<group>?
    // A group with a thousand members still fits.
    let buffer = UnsafeMutableBufferPointer<CChar>.allocate(capacity: 64 * 1024)
    defer { buffer.deallocate() }
    guard getgrnam_r(name, &entry, buffer.baseAddress, buffer.count, &result) == 0, result != nil else { return nil }
    return entry.gr_gid
}
