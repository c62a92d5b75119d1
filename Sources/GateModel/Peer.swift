/// A connected process, as the kernel attests it.
public struct Peer: Hashable, Sendable {
    /// Counts connections since the daemon started; 0 is the daemon itself. Nothing else says "the same peer".
    public var connection: UInt64
    public var uid: UInt32
    public var pid: Int32
    public var roles: Roles

    public init(connection: UInt64, uid: UInt32, pid: Int32, roles: Roles) {
        self.connection = connection
        self.uid = uid
        self.pid = pid
        self.roles = roles
    }
}

/// What a peer may do. Every local peer is an app; the other roles add to that.
public struct Roles: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Reads and watches the mode; toggles, locks; sees its own requests.
    public static let app = Roles(rawValue: 1 << 0)
    /// Also claims and completes presentations of others.
    public static let presenter = Roles(rawValue: 1 << 1)
    /// Everything: override, audit, reload, recover.
    public static let administrator = Roles(rawValue: 1 << 2)
}
