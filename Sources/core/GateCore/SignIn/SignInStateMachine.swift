import GateModel

/// The sign-in of the device: one session, and at most one attempt of each owner at the same time.
///
/// | event             | nobody signed in         | a child signed in                  | a grown-up signed in     |
/// |-------------------|--------------------------|------------------------------------|--------------------------|
/// | `attempted`       | begun, if owner has none | begun, if owner has none           | refused: sign out first  |
/// | `succeeded`       | signed in, if it is open | grown-up: replaced; child: refused | refused                  |
/// | `failed`          | attempt ends             | attempt ends                       | attempt ends             |
/// | `loggedOut`       | nothing                  | nobody                             | nobody                   |
/// | `closed`          | nothing                  | nobody, if the event names them    | as for a child           |
/// | `used`            | nothing                  | sometimes longer                   | sometimes longer         |
/// | `deadlineReached` | old attempts end         | old attempts or the session end    | as for a child           |
/// | `restarted`       | nobody, no attempts      | nobody, no attempts                | nobody, no attempts      |
///
/// So an attempt keeps no other owner from trying, and a child's session keeps no grown-up out.
///
/// Other files decide what a wrong password costs (`SignInCommands.swift`), who may log out whom
/// (`Interruptions.swift`), and what is shown (`Cover.swift`).
struct SignInStateMachine: Hashable, Sendable {
    private struct Attempt: Hashable, Sendable {
        let id: PasswordCheckID
        let deadline: BootTime
    }

    private struct Session: Hashable, Sendable {
        let person: GatePerson
        /// The owner of the program that signed in, and the owners whose requests for a sign-in that program showed.
        let users: Set<Owner>
        var end: BootTime
        /// The end of the session even if it is used all the time.
        let latestEnd: BootTime

        /// Whether a grown-up who signs in replaces this session.
        var isChilds: Bool { person.signsInAsChild }
    }

    /// Shared, because most commands copy the state and few change the session.
    private var shared: Shared<Session>?
    private var current: Session? {
        get { shared?.value }
        set { shared = newValue.map { Shared($0) } }
    }
    private var attempts: [Owner: Attempt] = [:]

    /// The person who is signed in, as they were when the session began.
    var person: GatePerson? { current?.person }

    /// Whether there is such a person. Unlike `person`, this copies nothing.
    var isSignedIn: Bool { shared != nil }

    var session: SignInState.Session? {
        current.map { SignInState.Session(name: $0.person.name, isChild: $0.isChilds, deadline: $0.end) }
    }

    var users: Set<Owner> { current?.users ?? [] }

    var isAuthenticating: Bool { !attempts.isEmpty }

    var nextDeadline: BootTime? {
        attempts.values.reduce(current?.end) { $0.earlier($1.deadline) }
    }

    // MARK: - Events

    enum AttemptResult: Hashable {
        /// Check name and password, then call `succeeded` or `failed`.
        case begun
        /// This owner's earlier attempt is still being checked.
        case isAuthenticating
        /// The person of this name has to sign out first.
        case isSignedIn(String)
    }

    /// An owner gives name and password. A child's session does not refuse the attempt, since it may be a grown-up's.
    mutating func attempted(_ id: PasswordCheckID, by owner: Owner, until deadline: BootTime) -> AttemptResult {
        if let current, !current.isChilds { return .isSignedIn(current.person.name) }
        guard attempts[owner] == nil else { return .isAuthenticating }
        attempts[owner] = Attempt(id: id, deadline: deadline)
        return .begun
    }

    enum SuccessResult: Hashable {
        /// - Parameter instead: the child whose session ended because of this.
        case signedIn(instead: GatePerson?)
        case isSignedIn(String)
        case late
    }

    /// `users` are the owners of the session: the owner of the program that signs in, and those who requested the
    /// sign-in.
    mutating func succeeded(
        _ id: PasswordCheckID, _ person: GatePerson, of users: Set<Owner>, at now: BootTime, _ rule: SignInRule
    ) -> SuccessResult {
        guard failed(id) else { return .late }
        let latestEnd = now.advanced(by: rule.maximumSession)
        let new = Session(
            person: person, users: users, end: min(now.advanced(by: rule.session), latestEnd), latestEnd: latestEnd)
        if let current, !current.isChilds || new.isChilds { return .isSignedIn(current.person.name) }
        defer { current = new }
        return .signedIn(instead: current?.person)
    }

    /// Ends an attempt: wrong, not checked, or the caller disconnected. Returns whether the attempt was open.
    mutating func failed(_ id: PasswordCheckID) -> Bool {
        guard let owner = attempts.first(where: { $0.value.id == id })?.key else { return false }
        attempts[owner] = nil
        return true
    }

    mutating func loggedOut() -> GatePerson? {
        defer { current = nil }
        return current?.person
    }

    /// The person was removed, changed, or got a new password without the old one. Returns whether they were signed in.
    mutating func closed(_ name: String) -> Bool {
        guard current?.person.name == name else { return false }
        current = nil
        return true
    }

    /// An owner does something. If the session is theirs, it lasts longer; but only if less than half of its time is
    /// left, so that not every command is a visible change. Returns whether it lasts longer.
    mutating func used(by owner: Owner, at now: BootTime, _ rule: SignInRule) -> Bool {
        guard let session = current, session.users.contains(owner) else { return false }
        let end = min(now.advanced(by: rule.session), session.latestEnd)
        guard now.duration(to: session.end) < rule.session / 2, end > session.end else { return false }
        current?.end = end
        return true
    }

    enum DeadlineResult: Hashable {
        case nothingDue
        case attemptEnded(PasswordCheckID)
        case sessionEnded(GatePerson)
    }

    /// Ends one attempt or session that is due. Call it again for the next.
    mutating func deadlineReached(_ now: BootTime) -> DeadlineResult {
        let due = attempts.values.filter { $0.deadline <= now }
        if let first = due.min(by: { $0.id.number < $1.id.number }) {
            _ = failed(first.id)
            return .attemptEnded(first.id)
        }
        guard let session = current, session.end <= now else { return .nothingDue }
        current = nil
        return .sessionEnded(session.person)
    }

    mutating func restarted() {
        self = SignInStateMachine()
    }
}

extension GatePerson {
    /// Somebody who was registered in parent mode counts as a child until an administrator confirms them.
    var signsInAsChild: Bool {
        switch kind {
        case .grownUp: !isConfirmed
        // A shared user has no password, so it never has a session.
        case .child, .shared: true
        }
    }
}
