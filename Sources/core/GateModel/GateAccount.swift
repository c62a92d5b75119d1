/// An account of a person who can sign in. The password is not part of it.
public struct GateAccount: Hashable, Sendable {
    /// Whether the account belongs to a grown-up or a child.
    @nonexhaustive
    public enum Kind: Hashable, Sendable {
        /// A grown-up.
        case grownUp
        /// A child born on this day. The age chooses the challenges that the policy asks.
        case child(born: CivilDate)
    }

    /// The longest name, in bytes of UTF-8.
    public static let maximumNameByteCount = 64

    /// The name exactly as it was typed: one line, not empty, without spaces at either end.
    public var name: String
    /// Whether the account belongs to a grown-up or a child.
    public var kind: Kind
    /// Whether an administrator vouches for the account: they made it, or confirmed it after somebody in parent mode
    /// made it or set its password. Until then its age is ignored, so that an account made in parent mode can't weaken
    /// a gate later.
    public var isConfirmed: Bool

    public init(name: String, kind: Kind, isConfirmed: Bool = true) {
        self.name = name
        self.kind = kind
        self.isConfirmed = isConfirmed
    }

    /// The age in completed years, at least 0; `nil` for a grown-up.
    public func age(on today: CivilDate) -> Int? {
        switch kind {
        case .grownUp: nil
        case .child(let born): max(0, born.completedYears(on: today))
        }
    }
}

/// Whether somebody is signed in. Every peer may see this state.
public struct SignInState: Hashable, Sendable {
    /// The session of the person who is signed in.
    public struct Session: Hashable, Sendable {
        /// The name of the account.
        public var name: String
        /// Whether the session counts as a child's. An unconfirmed account of a grown-up does, too.
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
