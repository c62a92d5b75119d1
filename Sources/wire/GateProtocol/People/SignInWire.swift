package import CGateProtocol
package import GateModel

// signin.proto: the session of the device. AccountsWire.swift has the accounts.

extension Methods {
    package enum SignIn {
        package static let get = Method<GetSignInRequest, GetSignInResponse>(service, "GetSignIn")
        package static let logIn = Method<LogInRequest, LogInResponse>(service, "LogIn")
        package static let logOut = Method<LogOutRequest, LogOutResponse>(service, "LogOut")
        static let service = "gate.v1.SignIn"
    }
}

extension SignInState: MessageMapping {
    init(reading message: Gate__V1__SignInState) {
        self.init(
            session: nil, isAuthenticating: message.is_authenticating != 0,
            needsAuthentication: message.needs_authentication != 0)
        if let session = message.session {
            self.session = Session(reading: session.pointee)
        }
    }

    func write(to message: inout Gate__V1__SignInState, in arena: inout MessageArena) {
        message.session = arena.message(optional: session)
        message.is_authenticating = isAuthenticating ? 1 : 0
        message.needs_authentication = needsAuthentication ? 1 : 0
    }

    /// An absent message reads as nobody signed in, so that a reader fails closed.
    init(reading message: UnsafeMutablePointer<Gate__V1__SignInState>?) {
        self = message.map { SignInState(reading: $0.pointee) } ?? .closed
    }
}

extension SignInState.Session: MessageMapping {
    init(reading message: Gate__V1__Session) {
        self.init(
            name: String(reading: message.name), isChild: message.is_child != 0,
            deadline: BootTime(nanoseconds: message.deadline_boottime_nanoseconds))
    }

    func write(to message: inout Gate__V1__Session, in arena: inout MessageArena) {
        message.name = arena.string(name)
        message.is_child = isChild ? 1 : 0
        message.deadline_boottime_nanoseconds = deadline.nanoseconds
    }
}

// MARK: Requests and responses

/// An answer that says who is signed in, and at which revision.
package struct SignInReply<CMessage: CSignInReply>: MappedMessage {
    package var revision: Revision
    package var state: SignInState

    package init(revision: Revision, state: SignInState) {
        self.revision = revision
        self.state = state
    }

    init(reading message: CMessage) {
        self.init(revision: Revision(reading: message.revision), state: SignInState(reading: message.state))
    }

    func write(to message: inout CMessage, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        message.state = arena.message(state)
    }
}

package protocol CSignInReply: CStruct {
    var revision: UnsafeMutablePointer<Gate__V1__Revision>! { get set }
    var state: UnsafeMutablePointer<Gate__V1__SignInState>! { get set }
}

package typealias GetSignInRequest = EmptyMessage<Gate__V1__GetSignInRequest>

package typealias GetSignInResponse = SignInReply<Gate__V1__GetSignInResponse>
extension Gate__V1__GetSignInResponse: CSignInReply {}

package struct LogInRequest: MappedMessage {
    /// The name of the account, as it was registered.
    package var name: String
    package var password: GateSecret

    package init(name: String, password: GateSecret) {
        self.name = name
        self.password = password
    }

    init(reading message: Gate__V1__LogInRequest) {
        self.init(name: String(reading: message.name), password: GateSecret(reading: message.password))
    }

    func write(to message: inout Gate__V1__LogInRequest, in arena: inout MessageArena) {
        message.name = arena.string(name)
        message.password = arena.bytes(password)
    }
}

package typealias LogInResponse = SignInReply<Gate__V1__LogInResponse>
extension Gate__V1__LogInResponse: CSignInReply {}

package typealias LogOutRequest = EmptyMessage<Gate__V1__LogOutRequest>

package typealias LogOutResponse = SignInReply<Gate__V1__LogOutResponse>
extension Gate__V1__LogOutResponse: CSignInReply {}
