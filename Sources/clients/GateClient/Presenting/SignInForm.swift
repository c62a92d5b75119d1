public import GateModel

/// The sign-in form that a person fills in, and what the screen shows of it (F-66 … F-68), for any toolkit.
///
/// ```swift
/// var form = SignInForm()
/// …
/// guard let attempt = form.submitted() else { return }
/// do { form.accepted(try await gate.signIn.logIn(name: attempt.name, password: attempt.password)) }
/// catch { form.failed(error) }
/// ```
///
/// | event            | editing                   | authenticating                      | signed in |
/// |------------------|---------------------------|-------------------------------------|-----------|
/// | `passwordTyped`  | the password              | nothing: the fields are disabled    | nothing   |
/// | `submitted`      | authenticating, where it may be | nothing                       | nothing   |
/// | `failed`         | nothing: late             | editing, with the refusal and an empty password | nothing |
/// | `accepted`       | signed in                 | signed in                           | nothing   |
/// | `stateChanged`   | signed in where somebody is | signed in where somebody is       | editing where nobody is |
///
/// The password is wiped as soon as the form lets go of it, and no description shows it.
public struct SignInForm: Hashable, Sendable {
    /// The name and password for `logIn`.
    public struct Attempt: Hashable, Sendable {
        /// The name, as typed.
        public let name: String
        /// The password, as typed.
        public let password: GateSecret
    }

    private enum State: Hashable {
        /// The person types. Can go to: authenticating, signedIn.
        case editing(password: GateSecret, refusal: GateError?)
        /// The name and password are being checked. Can go to: editing, signedIn.
        case authenticating
        /// Somebody is signed in: the form goes. Can go to: editing.
        case signedIn
    }

    private static let noPassword = GateSecret([])

    /// As typed: nothing is trimmed, capitalised or corrected (F-67).
    public var name: String
    private var state = State.editing(password: noPassword, refusal: nil)
    /// Somebody's name and password are being checked, perhaps from another screen.
    private var isDeviceBusy = false

    /// Makes a form that nothing was typed into but this name.
    public init(name: String = "") {
        self.name = name
    }

    // MARK: What to show

    /// Whether the button is enabled (F-66): not while a field is empty, nor while anybody is being checked.
    public var canSubmit: Bool {
        switch state {
        case .editing(let password, _): !name.isEmpty && password.byteCount > 0 && !isDeviceBusy
        case .authenticating, .signedIn: false
        }
    }

    /// The text on the button (F-66).
    public var buttonTitle: String { isAuthenticating ? "Please wait" : "Log in" }

    /// Show progress (F-68). Keep its space while there is none, so that nothing jumps.
    public var isAuthenticating: Bool {
        switch state {
        case .authenticating: true
        case .editing: isDeviceBusy
        case .signedIn: false
        }
    }

    /// Whether the fields take input.
    public var isEditable: Bool {
        switch state {
        case .editing: true
        case .authenticating, .signedIn: false
        }
    }

    /// How many bytes the password has so far. Show dots, and never what was typed (F-67).
    public var passwordByteCount: Int {
        switch state {
        case .editing(let password, _): password.byteCount
        case .authenticating, .signedIn: 0
        }
    }

    /// Why the attempt before failed, in a sentence for the person.
    public var refusal: GateError? {
        switch state {
        case .editing(_, let refusal): refusal
        case .authenticating, .signedIn: nil
        }
    }

    /// Whether the form has done its work, and goes by itself (F-49).
    public var isSignedIn: Bool { state == .signedIn }

    // MARK: Events

    /// The text in the field for the password has changed to this.
    public mutating func passwordTyped(_ password: GateSecret) {
        switch state {
        case .editing(_, let refusal): state = .editing(password: password, refusal: refusal)
        case .authenticating, .signedIn: break
        }
    }

    /// The button was pressed. Returns what to hand to `logIn`; `nil` where it can't be submitted.
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

    /// `logIn` threw. The name stays, the password goes.
    public mutating func failed(_ error: GateError) {
        switch state {
        case .authenticating: state = .editing(password: Self.noPassword, refusal: error)
        case .editing, .signedIn: break
        }
    }

    /// `logIn` returned.
    public mutating func accepted(_ signIn: SignInState) {
        switch state {
        case .authenticating, .editing: state = .signedIn
        case .signedIn: break
        }
        isDeviceBusy = signIn.isAuthenticating
    }

    /// `GateClient.signInUpdates` says this now: somebody may sign in from another screen (F-71).
    public mutating func stateChanged(_ signIn: SignInState) {
        isDeviceBusy = signIn.isAuthenticating
        switch state {
        case .editing, .authenticating:
            if signIn.session != nil { state = .signedIn }
        case .signedIn:
            if signIn.session == nil { state = .editing(password: Self.noPassword, refusal: nil) }
        }
    }
}
