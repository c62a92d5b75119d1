/// A connected process, as the kernel attests it.
package struct Peer: Hashable, Sendable {
    /// Numbers the connections since the daemon started; 0 is the daemon itself. Two values stand for the same peer
    /// only if this number is the same.
    package var connection: UInt64
    package var uid: UInt32
    /// The owner who is billed for what the peer uses. It decides about nothing else.
    package var owner: Owner
    package var pid: Int32
    package var roles: Roles
    /// The program's name for itself, not verified: at most 64 bytes, without control characters. May be empty.
    package var program: String
    /// The broker that asks on behalf of this process, over its own connection; `nil` if the process asks itself.
    package var broker: Broker?
    /// The guardian whose signed command the process delivered; `nil` if it acts for itself.
    package var guardian: GuardianName?

    /// - Parameter owner: `nil`: the user is billed.
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

    /// Returns this broker's subject as the acting peer. It has only an app's rights: a broker does not lend its own.
    package func asking(for subject: Subject, owner: Owner, program: String) -> Peer {
        Peer(
            connection: connection, uid: subject.uid, owner: owner, pid: subject.pid, roles: .app, program: program,
            broker: Broker(uid: uid, program: self.program, startTime: subject.startTime))
    }

    /// The process on whose behalf a broker asks; `nil` if this peer asks for itself.
    package var subject: Subject? {
        broker.map { Subject(uid: uid, pid: pid, startTime: $0.startTime) }
    }
}

/// What a peer may do. Every local peer is an app; the other roles give more.
@usableFromInline
package struct Roles: OptionSet, Hashable, Sendable {
    @usableFromInline
    package let rawValue: UInt16

    @inlinable
    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// May read and watch the mode, toggle and lock it, ask for grants, and see its own requests.
    @inlinable
    package static var app: Roles { Roles(rawValue: 1 << 0) }
    /// May claim and answer presentations that others asked for.
    @inlinable
    package static var presenter: Roles { Roles(rawValue: 1 << 1) }
    /// May do everything: set the mode, manage accounts, claims, secrets, lockouts, read the journal, reload, recover.
    @inlinable
    package static var administrator: Roles { Roles(rawValue: 1 << 2) }
    /// Is a presenter for grown-ups, so that it also gets questions for secrets and requests for permission.
    @inlinable
    package static var grownUpPresenter: Roles { Roles(rawValue: 1 << 3) }
    /// May submit claims, and sees open paywalls.
    @inlinable
    package static var provider: Roles { Roles(rawValue: 1 << 4) }
    /// May ask on behalf of other processes, if the kernel confirms them.
    @inlinable
    package static var broker: Roles { Roles(rawValue: 1 << 5) }
    /// May claim and answer presentations that its own user asked for, apart from secrets and questions for grown-ups.
    @inlinable
    package static var ownPresenter: Roles { Roles(rawValue: 1 << 7) }
    /// May deliver what guardians have signed, and carry messages to other devices.
    @inlinable
    package static var household: Roles { Roles(rawValue: 1 << 6) }
    /// May take the answers of grown-ups to `GatedAction.sessionTime`, to give that much time.
    @inlinable
    package static var timekeeper: Roles { Roles(rawValue: 1 << 8) }
}
