import CGateProtocol
package import GateModel

// signin.proto: the session of the device. Accounts are in AccountsWire.swift.

extension SignInState: MessageMapping {
    static var initialise: Initialise<Gate__V1__SignInState> { gate__v1__sign_in_state__init }

    init(reading message: Gate__V1__SignInState) {
        self.init(
            session: nil, isAuthenticating: message.is_authenticating != 0,
            needsAuthentication: message.needs_authentication != 0)
        if let session = message.session {
            self.session = Session(reading: session.pointee)
        }
    }

    func write(to message: inout Gate__V1__SignInState, in arena: inout MessageArena) {
        if let session {
            message.session = arena.message(session)
        }
        message.is_authenticating = isAuthenticating ? 1 : 0
        message.needs_authentication = needsAuthentication ? 1 : 0
    }

    /// An absent message says that nobody is signed in: fail closed.
    init(reading message: UnsafeMutablePointer<Gate__V1__SignInState>?) {
        self = message.map { SignInState(reading: $0.pointee) } ?? .closed
    }
}

extension SignInState.Session: MessageMapping {
    static var initialise: Initialise<Gate__V1__Session> { gate__v1__session__init }

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

/// An answer that says who is signed in now, and since which revision.
protocol SignInReply: MappedMessage where CMessage: CSignInReply {
    var revision: Revision { get }
    var state: SignInState { get }

    init(revision: Revision, state: SignInState)
}

extension SignInReply {
    init(reading message: CMessage) {
        self.init(revision: Revision(reading: message.revision), state: SignInState(reading: message.state))
    }

    func write(to message: inout CMessage, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        message.state = arena.message(state)
    }
}

/// The generated struct of a `SignInReply`.
protocol CSignInReply {
    var revision: UnsafeMutablePointer<Gate__V1__Revision>! { get set }
    var state: UnsafeMutablePointer<Gate__V1__SignInState>! { get set }
}

extension Gate__V1__GetSignInResponse: CSignInReply {}
extension Gate__V1__LogInResponse: CSignInReply {}
extension Gate__V1__LogOutResponse: CSignInReply {}

package struct GetSignInRequest: MappedMessage {
    package init() {}

    static var initialise: Initialise<Gate__V1__GetSignInRequest> { gate__v1__get_sign_in_request__init }
    init(reading message: Gate__V1__GetSignInRequest) {}
    func write(to message: inout Gate__V1__GetSignInRequest, in arena: inout MessageArena) {}
}

package struct GetSignInResponse: SignInReply {
    package var revision: Revision
    package var state: SignInState

    package init(revision: Revision, state: SignInState) {
        self.revision = revision
        self.state = state
    }

    static var initialise: Initialise<Gate__V1__GetSignInResponse> { gate__v1__get_sign_in_response__init }
}

package struct LogInRequest: MappedMessage {
    /// As it was registered.
    package var name: String
    /// UTF-8.
    package var password: GateSecret

    package init(name: String, password: GateSecret) {
        self.name = name
        self.password = password
    }

    static var initialise: Initialise<Gate__V1__LogInRequest> { gate__v1__log_in_request__init }

    init(reading message: Gate__V1__LogInRequest) {
        self.init(name: String(reading: message.name), password: GateSecret(reading: message.password))
    }

    func write(to message: inout Gate__V1__LogInRequest, in arena: inout MessageArena) {
        message.name = arena.string(name)
        message.password = arena.bytes(password)
    }
}

package struct LogInResponse: SignInReply {
    package var revision: Revision
    package var state: SignInState

    package init(revision: Revision, state: SignInState) {
        self.revision = revision
        self.state = state
    }

    static var initialise: Initialise<Gate__V1__LogInResponse> { gate__v1__log_in_response__init }
}

package struct LogOutRequest: MappedMessage {
    package init() {}

    static var initialise: Initialise<Gate__V1__LogOutRequest> { gate__v1__log_out_request__init }
    init(reading message: Gate__V1__LogOutRequest) {}
    func write(to message: inout Gate__V1__LogOutRequest, in arena: inout MessageArena) {}
}

package struct LogOutResponse: SignInReply {
    package var revision: Revision
    package var state: SignInState

    package init(revision: Revision, state: SignInState) {
        self.revision = revision
        self.state = state
    }

    static var initialise: Initialise<Gate__V1__LogOutResponse> { gate__v1__log_out_response__init }
}
