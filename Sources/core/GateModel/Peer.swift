/// A connected process, as the kernel attests it.
package struct Peer: Hashable, Sendable {
    /// Counts connections since the daemon started; 0 is the daemon itself. Nothing else says "the same peer".
    package var connection: UInt64
    /// Its user, as the kernel says.
    package var uid: UInt32
    /// The owner who is billed for what it uses. Decides about nothing else.
    package var owner: Owner
    /// Its process id, as the kernel says.
    package var pid: Int32
    /// The roles that it has.
    package var roles: Roles
    /// How the program names itself: unverified, at most 64 bytes, no control characters. May be empty.
    package var program: String
    /// The broker over whose connection this process is asked for; `nil`: it asks itself.
    package var broker: Broker?
    /// The guardian whose signed command it brought; `nil`: it acts for itself.
    package var guardian: GuardianName?

    /// Makes a peer of these values; without an owner, the user is billed.
    package init(
        connection: UInt64, uid: UInt32, owner: Owner? = nil, pid: Int32, roles: Roles, program: String = "",
        broker: Broker? = nil
    ) {
        self.connection = connection
        self.uid = uid
        self.owner = owner ?? .user(uid)
        self.pid = pid
        self.roles = roles
        self.program = program
        self.broker = broker
    }

    /// The process that this broker asks for, as the acting peer. It has no rights but those of any app: a broker lends none.
    package func asking(for subject: Subject, owner: Owner, program: String) -> Peer {
        Peer(
            connection: connection, uid: subject.uid, owner: owner, pid: subject.pid, roles: .app, program: program,
            broker: Broker(uid: uid, program: self.program, startTime: subject.startTime))
    }

    /// The process that is asked for; `nil`: the peer asks for itself.
    package var subject: Subject? {
        broker.map { Subject(uid: uid, pid: pid, startTime: $0.startTime) }
    }
}

/// The roles of a peer. Every local peer is an app; the other roles add to that.
@usableFromInline
package struct Roles: OptionSet, Hashable, Sendable {
    @usableFromInline
    package let rawValue: UInt8

    @inlinable
    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Reads and watches the mode; toggles, locks, authorizes; sees its own requests.
    @inlinable
    package static var app: Roles { Roles(rawValue: 1 << 0) }
    /// Also claims and completes presentations of others.
    @inlinable
    package static var presenter: Roles { Roles(rawValue: 1 << 1) }
    /// Everything: override, accounts, claims, secrets, lockouts, audit, reload, recover.
    @inlinable
    package static var administrator: Roles { Roles(rawValue: 1 << 2) }
    /// A presenter of grown-ups: also gets what asks for a secret, and requests for permission.
    @inlinable
    package static var grownUpPresenter: Roles { Roles(rawValue: 1 << 3) }
    /// Also submits claims, and hears of open paywalls.
    @inlinable
    package static var provider: Roles { Roles(rawValue: 1 << 4) }
    /// Also asks for other processes, as far as the kernel confirms them.
    @inlinable
    package static var broker: Roles { Roles(rawValue: 1 << 5) }
    /// Also hands over what guardians have signed, and carries what is sent to other devices.
    @inlinable
    package static var household: Roles { Roles(rawValue: 1 << 6) }
}
