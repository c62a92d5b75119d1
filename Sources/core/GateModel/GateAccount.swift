/// Somebody who can sign in (F-48). The password is not in it.
public struct GateAccount: Hashable, Sendable {
    /// The owner of an account.
    @nonexhaustive
    public enum Kind: Hashable, Sendable {
        /// A grown-up.
        case grownUp
        /// With the date of birth: its age chooses the challenges of the policy (F-26).
        case child(born: CivilDate)
    }

    /// How long a name may be, in bytes of UTF-8.
    public static let maximumNameByteCount = 64

    /// As typed (F-67). One line, not empty, no spaces around it.
    public var name: String
    /// Whether it is a grown-up's, or a child's.
    public var kind: Kind
    /// Whether an administrator stands for it: made it, or has confirmed it since somebody else in parent mode did, or set its
    /// password. Until then its age counts for nothing, so that what was made in parent mode weakens no gate afterwards.
    public var isConfirmed: Bool

    /// Makes an account of these values.
    public init(name: String, kind: Kind, isConfirmed: Bool = true) {
        self.name = name
        self.kind = kind
        self.isConfirmed = isConfirmed
    }

    /// Completed years, for a child.
    public func age(on today: CivilDate) -> Int? {
        switch kind {
        case .grownUp: nil
        case .child(let born): max(0, born.completedYears(on: today))
        }
    }
}

/// The state of the sign-in, as every peer may see it (F-60 … F-64).
public struct SignInState: Hashable, Sendable {
    /// Somebody who is signed in.
    public struct Session: Hashable, Sendable {
        /// The name of the account.
        public var name: String
        /// Whether the account is a child's.
        public var isChild: Bool
        /// When it ends, unless it is used before.
        public var deadline: BootTime

        /// Makes a session of these values.
        public init(name: String, isChild: Bool, deadline: BootTime) {
            self.name = name
            self.isChild = isChild
            self.deadline = deadline
        }
    }

    /// `nil`: nobody is signed in.
    public var session: Session?
    /// A name and a password are being checked (F-60).
    public var isAuthenticating: Bool
    /// The policy wants somebody to be signed in, nobody is, and somebody can be: the cover shows (F-49, F-64), unless an
    /// administrator has put it away.
    public var needsAuthentication: Bool

    /// Makes a state of these values.
    public init(session: Session?, isAuthenticating: Bool, needsAuthentication: Bool) {
        self.session = session
        self.isAuthenticating = isAuthenticating
        self.needsAuthentication = needsAuthentication
    }

    /// The state for a reader who knows nothing: nobody is signed in.
    public static let closed = SignInState(session: nil, isAuthenticating: false, needsAuthentication: false)
}
