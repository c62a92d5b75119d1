import GateModel

/// Who is signed in on the device (F-47, F-48, F-60 … F-63): one session, and one attempt at it at a time.
///
/// | event             | signed out                   | authenticating                       | signed in                       |
/// |-------------------|------------------------------|--------------------------------------|---------------------------------|
/// | `attempted`       | authenticating               | refused: somebody is being checked   | refused: log out first          |
/// | `succeeded`       | nothing                      | signed in, if it was its attempt     | nothing                         |
/// | `failed`          | nothing                      | signed out, if it was its attempt    | nothing                         |
/// | `loggedOut`       | nothing                      | nothing                              | signed out                      |
/// | `accountClosed`  | nothing                      | nothing                              | signed out, if it was its own   |
/// | `used`            | nothing                      | nothing                              | a longer session, now and then  |
/// | `deadlineReached` | nothing                      | signed out, when it took too long    | signed out, at the end          |
/// | `restarted`       | signed out                   | signed out                           | signed out                      |
///
/// The machine does not know what a wrong password costs (`SignInCommands.swift`), nor who is shown what (`Cover.swift`).
struct SignInStateMachine: Hashable, Sendable {
    private enum State: Hashable, Sendable {
        /// Nobody. Can go to: `authenticating`.
        case signedOut
        /// A name and a password are being checked. Can go to: `signedIn` (they fit), `signedOut` (they don't, it took too
        /// long, or whoever gave them has gone).
        case authenticating(PasswordCheckID, deadline: BootTime)
        /// Can go to: `signedOut` (log-out, the end of the session, the account is removed, restart).
        case signedIn(Session)
    }

    private struct Session: Hashable, Sendable {
        var account: Account
        var end: BootTime
        /// However much it is used.
        let latestEnd: BootTime
    }

    private var state = State.signedOut

    /// Whoever is signed in.
    var account: Account? {
        switch state {
        case .signedOut, .authenticating: nil
        case .signedIn(let session): session.account
        }
    }

    var session: SignInState.Session? {
        switch state {
        case .signedOut, .authenticating:
            return nil
        case .signedIn(let session):
            let isChild =
                switch session.account.kind {
                case .grownUp: false
                case .child: true
                }
            return SignInState.Session(name: session.account.name, isChild: isChild, deadline: session.end)
        }
    }

    var isAuthenticating: Bool {
        switch state {
        case .authenticating: true
        case .signedOut, .signedIn: false
        }
    }

    /// The first moment at which `deadlineReached` has something to do.
    var nextDeadline: BootTime? {
        switch state {
        case .signedOut: nil
        case .authenticating(_, let deadline): deadline
        case .signedIn(let session): session.end
        }
    }

    // MARK: - Events

    enum AttemptResult: Hashable {
        /// The name and the password are to be checked.
        case begun
        case isAuthenticating
        case isSignedIn(String)
    }

    mutating func attempted(_ id: PasswordCheckID, until deadline: BootTime) -> AttemptResult {
        switch state {
        case .signedOut:
            state = .authenticating(id, deadline: deadline)
            return .begun
        case .authenticating: return .isAuthenticating
        case .signedIn(let session): return .isSignedIn(session.account.name)
        }
    }

    /// The name and the password fit. Returns whether anybody is signed in by that: whoever came too late is not.
    mutating func succeeded(_ id: PasswordCheckID, _ account: Account, at now: BootTime, _ rule: SignInRule) -> Bool {
        switch state {
        case .authenticating(id, _):
            let latestEnd = now.advanced(by: rule.maximumSession)
            state = .signedIn(
                Session(account: account, end: min(now.advanced(by: rule.session), latestEnd), latestEnd: latestEnd))
            return true
        case .signedOut, .authenticating, .signedIn:
            return false
        }
    }

    /// They don't fit, could not be checked, or whoever gave them has gone. Returns whether anything changed.
    mutating func failed(_ id: PasswordCheckID) -> Bool {
        switch state {
        case .authenticating(id, _):
            state = .signedOut
            return true
        case .signedOut, .authenticating, .signedIn:
            return false
        }
    }

    /// Returns who was signed in; `nil`: nobody.
    mutating func loggedOut() -> Account? {
        switch state {
        case .signedOut, .authenticating:
            return nil
        case .signedIn(let session):
            state = .signedOut
            return session.account
        }
    }

    /// It was removed, or its password was set by somebody else. Returns whether its owner was signed in.
    mutating func accountClosed(_ name: String) -> Bool {
        switch state {
        case .signedIn(let session) where session.account.name == name:
            state = .signedOut
            return true
        case .signedOut, .authenticating, .signedIn:
            return false
        }
    }

    /// Whoever is signed in does something: the session lasts longer, without a word (F-48). Only when half of it is over,
    /// so that not every command is news. Returns whether it does.
    mutating func used(at now: BootTime, _ rule: SignInRule) -> Bool {
        switch state {
        case .signedOut, .authenticating:
            return false
        case .signedIn(var session):
            let end = min(now.advanced(by: rule.session), session.latestEnd)
            guard now.duration(to: session.end) < rule.session / 2, end > session.end else { return false }
            session.end = end
            state = .signedIn(session)
            return true
        }
    }

    enum DeadlineResult: Hashable {
        case nothingDue
        /// The check took too long.
        case attemptEnded(PasswordCheckID)
        case sessionEnded(Account)
    }

    mutating func deadlineReached(_ now: BootTime) -> DeadlineResult {
        switch state {
        case .authenticating(let id, let deadline) where deadline <= now:
            state = .signedOut
            return .attemptEnded(id)
        case .signedIn(let session) where session.end <= now:
            state = .signedOut
            return .sessionEnded(session.account)
        case .signedOut, .authenticating, .signedIn:
            return .nothingDue
        }
    }

    mutating func restarted() {
        state = .signedOut
    }
}
