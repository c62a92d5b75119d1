import GateModel

/// The sign-in of the device (F-47, F-48, F-60 … F-63): one session, and one attempt of each owner at it at a time.
///
/// | event             | nobody is signed in          | a child is                             | a grown-up is                   |
/// |-------------------|------------------------------|----------------------------------------|---------------------------------|
/// | `attempted`       | begun, if this owner has none | the same                              | refused: log out first          |
/// | `succeeded`       | signed in, if it was open    | a grown-up takes its place; else refused | refused, if it was open       |
/// | `failed`          | the attempt is over          | the same                               | the same                        |
/// | `loggedOut`       | nothing                      | nobody                                 | nobody                          |
/// | `accountClosed`   | nothing                      | nobody, if it was its own              | nobody, if it was its own       |
/// | `used`            | nothing                      | a longer session, now and then         | a longer session, now and then  |
/// | `deadlineReached` | attempts end that took too long | the same; nobody, at the end        | the same; nobody, at the end    |
/// | `restarted`       | nobody, no attempts          | nobody, no attempts                    | nobody, no attempts             |
///
/// Anyone who tries to sign in keeps nobody else from trying, and a child that is signed in keeps no grown-up out (T-04).
///
/// The machine does not know what a wrong password costs (`SignInCommands.swift`), who may log out whom
/// (`LockRateLimit.swift`), nor who is shown what (`Cover.swift`).
struct SignInStateMachine: Hashable, Sendable {
    /// A name and a password are being checked.
    private struct Attempt: Hashable, Sendable {
        let id: PasswordCheckID
        let deadline: BootTime
    }

    private struct Session: Hashable, Sendable {
        let account: GateAccount
        /// The users who have signed in, or for whom it was.
        let users: Set<Owner>
        var end: BootTime
        /// However much it is used.
        let latestEnd: BootTime

        /// Whom a grown-up who signs in takes the place of. An account that was made in parent mode is a child's until an administrator
        /// has confirmed it, whatever it says of itself.
        var isChilds: Bool {
            switch account.kind {
            case .grownUp: !account.isConfirmed
            case .child: true
            }
        }
    }

    /// `nil`: nobody is signed in.
    private var current: Session?
    private var attempts: [Owner: Attempt] = [:]

    /// The person who is signed in.
    var account: GateAccount? { current?.account }

    var session: SignInState.Session? {
        current.map { SignInState.Session(name: $0.account.name, isChild: $0.isChilds, deadline: $0.end) }
    }

    /// The users who have signed in, or for whom it was; none: nobody is signed in.
    var users: Set<Owner> { current?.users ?? [] }

    var isAuthenticating: Bool { !attempts.isEmpty }

    /// The first moment at which `deadlineReached` has something to do.
    var nextDeadline: BootTime? {
        attempts.values.reduce(current?.end) { $0.earlier($1.deadline) }
    }

    // MARK: - Events

    enum AttemptResult: Hashable {
        /// Check them; then `succeeded` or `failed`.
        case begun
        /// This owner's are being checked already.
        case isAuthenticating
        /// Somebody is signed in, who has to log out first (F-63).
        case isSignedIn(String)
    }

    /// Somebody gives a name and a password. Whose they are is not known before they are checked, so a child's session
    /// refuses nobody yet.
    mutating func attempted(_ id: PasswordCheckID, by owner: Owner, until deadline: BootTime) -> AttemptResult {
        if let current, !current.isChilds { return .isSignedIn(current.account.name) }
        guard attempts[owner] == nil else { return .isAuthenticating }
        attempts[owner] = Attempt(id: id, deadline: deadline)
        return .begun
    }

    enum SuccessResult: Hashable {
        /// - Parameter instead: the child whose session ended by it.
        case signedIn(instead: GateAccount?)
        /// Somebody is signed in, who has to log out first.
        case isSignedIn(String)
        /// The attempt was over before.
        case late
    }

    /// The password fit.
    ///
    /// - Parameter users: whose session it is: who signs in, and for whom.
    mutating func succeeded(
        _ id: PasswordCheckID, _ account: GateAccount, of users: Set<Owner>, at now: BootTime, _ rule: SignInRule
    ) -> SuccessResult {
        guard failed(id) else { return .late }
        let latestEnd = now.advanced(by: rule.maximumSession)
        let new = Session(
            account: account, users: users, end: min(now.advanced(by: rule.session), latestEnd), latestEnd: latestEnd)
        if let current, !current.isChilds || new.isChilds { return .isSignedIn(current.account.name) }
        defer { current = new }
        return .signedIn(instead: current?.account)
    }

    /// They don't fit, could not be checked, or the one who gave them has gone. Returns whether anything changed.
    mutating func failed(_ id: PasswordCheckID) -> Bool {
        guard let owner = attempts.first(where: { $0.value.id == id })?.key else { return false }
        attempts[owner] = nil
        return true
    }

    /// Returns who was signed in; `nil`: nobody.
    mutating func loggedOut() -> GateAccount? {
        defer { current = nil }
        return current?.account
    }

    /// It was removed, or its password was set by somebody else. Returns whether its owner was signed in.
    mutating func accountClosed(_ name: String) -> Bool {
        guard current?.account.name == name else { return false }
        current = nil
        return true
    }

    /// Somebody does something. If the session is theirs, it lasts longer, without a word (F-48). Only when half of it is
    /// over, so that not every command is news. Returns whether it does.
    mutating func used(by owner: Owner, at now: BootTime, _ rule: SignInRule) -> Bool {
        guard let session = current, session.users.contains(owner) else { return false }
        let end = min(now.advanced(by: rule.session), session.latestEnd)
        guard now.duration(to: session.end) < rule.session / 2, end > session.end else { return false }
        current?.end = end
        return true
    }

    enum DeadlineResult: Hashable {
        case nothingDue
        /// The check took too long.
        case attemptEnded(PasswordCheckID)
        case sessionEnded(GateAccount)
    }

    /// The deadline has come. Of several that are due, one at a time.
    mutating func deadlineReached(_ now: BootTime) -> DeadlineResult {
        let due = attempts.values.filter { $0.deadline <= now }
        if let first = due.min(by: { $0.id.number < $1.id.number }) {
            _ = failed(first.id)
            return .attemptEnded(first.id)
        }
        guard let session = current, session.end <= now else { return .nothingDue }
        current = nil
        return .sessionEnded(session.account)
    }

    mutating func restarted() {
        self = SignInStateMachine()
    }
}
