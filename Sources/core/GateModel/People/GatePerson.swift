/// A person on this device's list: who is a grown-up, who is a child, and how Gate recognizes them. Neither the
/// password nor its hash is part of it.
public struct GatePerson: Hashable, Sendable {
    /// Whether a person is a grown-up or a child.
    @nonexhaustive
    public enum Kind: Hashable, Sendable {
        /// A grown-up.
        case grownUp
        /// A child. The age decides which challenges are asked; without a date of birth, those that are hardest to
        /// guess.
        case child(born: CivilDate?)
        /// No person, but a Unix user whom several people use, as on a kiosk. Whoever sits there can sign in.
        case shared
    }

    /// A user of the operating system.
    public struct UnixUser: Hashable, Sendable {
        /// The name in the user database.
        public var name: String
        /// The number in the user database.
        public var uid: UInt32

        public init(name: String, uid: UInt32) {
            self.name = name
            self.uid = uid
        }

        /// Compares the bytes of both names, as the user database does. Swift would also call two spellings of a name
        /// equal that are two users there.
        public static func == (left: UnixUser, right: UnixUser) -> Bool {
            left.uid == right.uid && left.name.hasBytes(of: right.name)
        }

        public func hash(into hasher: inout Hasher) { hasher.combine(uid) }

        /// Whether this can be the user of one person. Not root, whose programs are the system's; nor `nobody`, as whom
        /// the kernel shows each user that it can't name; nor the four highest numbers, which `Owner` needs itself.
        package var canBePersons: Bool { uid != 0 && uid != Self.nobody && Owner.user(uid).uid == uid }

        private static let nobody: UInt32 = 65_534
    }

    /// The longest name, in bytes of UTF-8.
    public static let maximumNameByteCount = 64
    /// The longest name of a Unix user, in bytes.
    public static let maximumUserNameByteCount = 256

    /// The name exactly as it was typed: one line, not empty, without spaces at either end.
    public var name: String
    /// Whether the person is a grown-up or a child.
    public var kind: Kind
    /// The person's own Unix user; `nil` if they have none. Both the name and the number have to fit the user database
    /// when a program of that user connects. Otherwise Gate does not recognize the person, because the number may
    /// belong to somebody else by now.
    public var user: UnixUser?
    /// Whether the person has a password, and so can sign in.
    public var hasPassword: Bool
    /// Whether an administrator vouches for the person: they put them on the list, or confirmed them after somebody in
    /// parent mode registered them or set their password. Until then the age is ignored, so that a person registered in
    /// parent mode can't weaken a gate later.
    public var isConfirmed: Bool

    /// Whether nobody can say who chose the person's password. Then it is removed when somebody sets the person.
    package var isPasswordDoubtful: Bool { hasPassword && !isConfirmed }

    public init(
        name: String, kind: Kind, user: UnixUser? = nil, hasPassword: Bool = false, isConfirmed: Bool = true
    ) {
        self.name = name
        self.kind = kind
        self.user = user
        self.hasPassword = hasPassword
        self.isConfirmed = isConfirmed
    }

    /// The age in completed years, 0 to 150; `nil` if it is unknown, or the person is no child. A day of birth that is
    /// still to come, or too long ago, says nothing about the age: it is a mistake, or the clock is wrong.
    public func age(on today: CivilDate) -> Int? {
        guard case .child(let born?) = kind, born <= today else { return nil }
        let years = born.completedYears(on: today)
        return years <= ChallengeRule.maximumAge ? years : nil
    }
}

/// Whether somebody is signed in. Every peer may see this state.
public struct SignInState: Hashable, Sendable {
    /// The session of the person who is signed in.
    public struct Session: Hashable, Sendable {
        /// The name of the person.
        public var name: String
        /// Whether the session counts as a child's. That of an unconfirmed grown-up does, too.
        public var isChild: Bool
        /// When the session ends, unless it is used before.
        public var deadline: BootTime

        public init(name: String, isChild: Bool, deadline: BootTime) {
            self.name = name
            self.isChild = isChild
            self.deadline = deadline
        }
    }

    /// The current session; `nil` if nobody is signed in.
    public var session: Session?
    /// Whether a name and a password are being checked at the moment.
    public var isAuthenticating: Bool
    /// Whether the sign-in cover shows: the policy requires a sign-in, nobody is signed in, the store is not damaged,
    /// and no administrator has put the cover away.
    public var needsAuthentication: Bool

    public init(session: Session?, isAuthenticating: Bool, needsAuthentication: Bool) {
        self.session = session
        self.isAuthenticating = isAuthenticating
        self.needsAuthentication = needsAuthentication
    }

    /// The state if nothing is known: nobody is signed in.
    public static let closed = SignInState(session: nil, isAuthenticating: false, needsAuthentication: false)
}
