public import GateModel

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The state of a sign-in form that a person fills in, and what a screen shows of it, for any toolkit.
///
/// ```swift
/// var form = SignInForm()
/// …
/// guard let attempt = form.submitted() else { return }
/// do { form.accepted(try await gate.signIn.logIn(name: attempt.name, password: attempt.password)) }
/// catch { form.failed(error) }
/// ```
///
/// | event            | editing                         | authenticating                  | signed in               |
/// |------------------|---------------------------------|---------------------------------|-------------------------|
/// | `passwordTyped`  | stores the password             | nothing: the field is disabled  | nothing                 |
/// | `submitted`      | authenticating, if `canSubmit`  | nothing                         | nothing                 |
/// | `failed`         | nothing: too late               | editing, with the refusal and an empty password | nothing |
/// | `accepted`       | signed in                       | signed in                       | nothing                 |
/// | `stateChanged`   | signed in if somebody is        | signed in if somebody is        | editing if nobody is    |
///
/// The password is wiped as soon as the form releases it, and no description shows it.
public struct SignInForm: Hashable, Sendable {
    /// The name and password for `logIn`.
    public struct Attempt: Hashable, Sendable {
        /// The name, exactly as typed.
        public let name: String
        /// The password, exactly as typed.
        public let password: GateSecret
    }

    private enum State: Hashable {
        /// The person types. Can go to `authenticating` or `signedIn`.
        case editing(password: GateSecret, refusal: GateError?)
        /// The name and password are being checked. Can go to `editing` or `signedIn`.
        case authenticating
        /// Somebody is signed in, so the form can be closed. Can go to `editing`.
        case signedIn
    }

    private static let noPassword = GateSecret([])

    /// Exactly as typed. Don't trim, capitalise or correct it.
    public var name: String
    private let languages: [String]
    private var state = State.editing(password: noPassword, refusal: nil)

    /// - Parameter languages: the person's, as BCP 47 tags, the preferred one first. `nil`: those of the environment,
    ///   in `LANGUAGE`, `LC_ALL`, `LC_MESSAGES` and `LANG`. The texts are in English, German, Russian or simplified
    ///   Chinese; somebody who reads none of these gets English.
    public init(name: String = "", languages: [String]? = nil) {
        self.name = name
        self.languages = languages ?? ReaderLanguages.list { name in getenv(name).map { String(cString: $0) } }
    }

    // MARK: What to show

    /// Whether to enable the button: both fields have text, and what was typed here is not being checked. Other
    /// programs' log-ins do not count, however many there are.
    public var canSubmit: Bool {
        switch state {
        case .editing(let password, _): !name.isEmpty && password.byteCount > 0
        case .authenticating, .signedIn: false
        }
    }

    /// The text on the button, in the person's language.
    public var buttonTitle: String {
        (isAuthenticating ? SignInWords.pleaseWait : SignInWords.logIn).text(for: languages)
    }

    /// Whether to show progress. Reserve the space for it, so that nothing jumps.
    public var isAuthenticating: Bool { state == .authenticating }

    /// Whether to enable the fields.
    public var isEditable: Bool {
        switch state {
        case .editing: true
        case .authenticating, .signedIn: false
        }
    }

    /// The size of the password so far, in bytes. Show dots; never show the text.
    public var passwordByteCount: Int {
        switch state {
        case .editing(let password, _): password.byteCount
        case .authenticating, .signedIn: 0
        }
    }

    /// Why the previous attempt failed; `nil` if it did not, and while another one is being checked.
    public var refusal: GateError? {
        switch state {
        case .editing(_, let refusal): refusal
        case .authenticating, .signedIn: nil
        }
    }

    /// `refusal` as a sentence in the person's language; `nil` if there is none. A failure without such a sentence has
    /// the daemon's, which is in English. `refusal?.retryAfter` says how long to wait.
    public var refusalText: String? { refusal.map { SignInWords.sentence($0, for: languages) } }

    /// Whether somebody is signed in, so the form can be closed.
    public var isSignedIn: Bool { state == .signedIn }

    // MARK: Events

    /// The text in the password field has changed.
    public mutating func passwordTyped(_ password: GateSecret) {
        switch state {
        case .editing(_, let refusal): state = .editing(password: password, refusal: refusal)
        case .authenticating, .signedIn: break
        }
    }

    /// The button was pressed. Returns what to pass to `logIn`; `nil` if the form can't be submitted now.
    public mutating func submitted() -> Attempt? {
        switch state {
        case .editing(let password, _):
            guard canSubmit else { return nil }
            state = .authenticating
            return Attempt(name: name, password: password)
        case .authenticating, .signedIn:
            return nil
        }
    }

    /// `logIn` has thrown. The name stays, the password is wiped.
    public mutating func failed(_ error: GateError) {
        switch state {
        case .authenticating: state = .editing(password: Self.noPassword, refusal: error)
        case .editing, .signedIn: break
        }
    }

    /// `logIn` has returned.
    public mutating func accepted(_ signIn: SignInState) {
        switch state {
        case .authenticating, .editing: state = .signedIn
        case .signedIn: break
        }
    }

    /// `GateClient.signInUpdates` has returned this state. Somebody may have signed in on another screen.
    public mutating func stateChanged(_ signIn: SignInState) {
        switch state {
        case .editing, .authenticating:
            if signIn.session != nil { state = .signedIn }
        case .signedIn:
            if signIn.session == nil { state = .editing(password: Self.noPassword, refusal: nil) }
        }
    }
}
