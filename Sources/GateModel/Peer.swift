/// A connected process, as the kernel attests it.
public struct Peer: Hashable, Sendable {
    /// Counts connections since the daemon started; 0 is the daemon itself. Nothing else says "the same peer".
    public var connection: UInt64
    /// Its user, as the kernel says.
    public var uid: UInt32
    /// The owner who is billed for what it uses. Decides about nothing else.
    public var owner: Owner
    /// Its process id, as the kernel says.
    public var pid: Int32
    /// The roles that it has.
    public var roles: Roles
    /// How the program names itself: unverified, at most 64 bytes, no control characters. May be empty.
    public var program: String

    /// Makes a peer of these values; without an owner, the user is billed.
    public init(
        connection: UInt64, uid: UInt32, owner: Owner? = nil, pid: Int32, roles: Roles, program: String = ""
    ) {
        self.connection = connection
        self.uid = uid
        self.owner = owner ?? .user(uid)
        self.pid = pid
        self.roles = roles
        self.program = program
    }
}

/// The roles of a peer. Every local peer is an app; the other roles add to that.
public struct Roles: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Reads and watches the mode; toggles, locks, authorizes; sees its own requests.
    public static let app = Roles(rawValue: 1 << 0)
    /// Also claims and completes presentations of others.
    public static let presenter = Roles(rawValue: 1 << 1)
    /// Everything: override, accounts, claims, secrets, lockouts, audit, reload, recover.
    public static let administrator = Roles(rawValue: 1 << 2)
    /// A presenter of grown-ups: also gets what asks for a secret, and requests for permission.
    public static let grownUpPresenter = Roles(rawValue: 1 << 3)
    /// Also submits claims, and hears of open paywalls.
    public static let provider = Roles(rawValue: 1 << 4)
}
