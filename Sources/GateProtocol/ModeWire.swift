import CGateProtocol
package import GateModel

// mode.proto

package struct GetModeRequest: MappedMessage {
    package init() {}

    static var initialise: Initialise<Gate__V1__GetModeRequest> { gate__v1__get_mode_request__init }
    init(reading message: Gate__V1__GetModeRequest) {}
    func write(to message: inout Gate__V1__GetModeRequest, in arena: inout MessageArena) {}
}

package struct GetModeResponse: ModeReply {
    package var revision: Revision
    package var state: ModeState

    package init(revision: Revision, state: ModeState) {
        self.revision = revision
        self.state = state
    }

    static var initialise: Initialise<Gate__V1__GetModeResponse> { gate__v1__get_mode_response__init }
}

package struct ToggleRequest: MappedMessage {
    package var presenting: Presenting

    package init(presenting: Presenting) {
        self.presenting = presenting
    }

    static var initialise: Initialise<Gate__V1__ToggleRequest> { gate__v1__toggle_request__init }

    init(reading message: Gate__V1__ToggleRequest) throws(GateError) {
        self.init(presenting: try Presenting(message.presenting, message.presents_itself))
    }

    func write(to message: inout Gate__V1__ToggleRequest, in arena: inout MessageArena) {
        (message.presenting, message.presents_itself) = presenting.fields
    }
}

package struct ToggleResponse: MappedMessage {
    package var revision: Revision
    package var state: ModeState
    /// The challenge to show, when the mode is now verifying.
    package var presentation: Presentation?

    package init(revision: Revision, state: ModeState, presentation: Presentation? = nil) {
        self.revision = revision
        self.state = state
        self.presentation = presentation
    }

    static var initialise: Initialise<Gate__V1__ToggleResponse> { gate__v1__toggle_response__init }

    init(reading message: Gate__V1__ToggleResponse) throws(GateError) {
        self.init(revision: Revision(reading: message.revision), state: ModeState(reading: message.state))
        if let presentation = message.presentation {
            self.presentation = try Presentation(reading: presentation.pointee)
        }
    }

    func write(to message: inout Gate__V1__ToggleResponse, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        message.state = arena.message(state)
        if let presentation {
            message.presentation = arena.message(presentation)
        }
    }
}

package struct CancelVerifyingRequest: MappedMessage {
    package init() {}

    static var initialise: Initialise<Gate__V1__CancelVerifyingRequest> { gate__v1__cancel_verifying_request__init }
    init(reading message: Gate__V1__CancelVerifyingRequest) {}
    func write(to message: inout Gate__V1__CancelVerifyingRequest, in arena: inout MessageArena) {}
}

package struct CancelVerifyingResponse: ModeReply {
    package var revision: Revision
    package var state: ModeState

    package init(revision: Revision, state: ModeState) {
        self.revision = revision
        self.state = state
    }

    static var initialise: Initialise<Gate__V1__CancelVerifyingResponse> { gate__v1__cancel_verifying_response__init }
}

package struct LockRequest: MappedMessage {
    package init() {}

    static var initialise: Initialise<Gate__V1__LockRequest> { gate__v1__lock_request__init }
    init(reading message: Gate__V1__LockRequest) {}
    func write(to message: inout Gate__V1__LockRequest, in arena: inout MessageArena) {}
}

package struct LockResponse: ModeReply {
    package var revision: Revision
    package var state: ModeState

    package init(revision: Revision, state: ModeState) {
        self.revision = revision
        self.state = state
    }

    static var initialise: Initialise<Gate__V1__LockResponse> { gate__v1__lock_response__init }
}

package struct ExtendRequest: MappedMessage {
    /// How long parent mode lasts from now on, in whole milliseconds; `nil`: the length of a lease as configured.
    package var duration: Duration?
    package var presenting: Presenting

    package init(duration: Duration?, presenting: Presenting) {
        self.duration = duration
        self.presenting = presenting
    }

    static var initialise: Initialise<Gate__V1__ExtendRequest> { gate__v1__extend_request__init }

    init(reading message: Gate__V1__ExtendRequest) throws(GateError) {
        self.init(
            duration: OptionalMilliseconds.duration(message.duration_milliseconds),
            presenting: try Presenting(message.presenting, message.presents_itself))
    }

    func write(to message: inout Gate__V1__ExtendRequest, in arena: inout MessageArena) {
        message.duration_milliseconds = OptionalMilliseconds.wire(duration)
        (message.presenting, message.presents_itself) = presenting.fields
    }
}

package struct ExtendResponse: MappedMessage {
    package var revision: Revision
    package var state: ModeState
    /// The challenge to show, where one is needed. The mode stays parent meanwhile.
    package var presentation: Presentation?

    package init(revision: Revision, state: ModeState, presentation: Presentation? = nil) {
        self.revision = revision
        self.state = state
        self.presentation = presentation
    }

    static var initialise: Initialise<Gate__V1__ExtendResponse> { gate__v1__extend_response__init }

    init(reading message: Gate__V1__ExtendResponse) throws(GateError) {
        self.init(revision: Revision(reading: message.revision), state: ModeState(reading: message.state))
        if let presentation = message.presentation {
            self.presentation = try Presentation(reading: presentation.pointee)
        }
    }

    func write(to message: inout Gate__V1__ExtendResponse, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        message.state = arena.message(state)
        if let presentation {
            message.presentation = arena.message(presentation)
        }
    }
}

package struct OverrideModeRequest: MappedMessage {
    /// `child` or `parent`.
    package var mode: Mode
    /// How long parent mode lasts, in whole milliseconds; `nil`: the length of a lease as configured.
    package var duration: Duration?
    /// For the journal. Must not be empty.
    package var reason: String

    package init(mode: Mode, duration: Duration?, reason: String) {
        self.mode = mode
        self.duration = duration
        self.reason = reason
    }

    static var initialise: Initialise<Gate__V1__OverrideModeRequest> { gate__v1__override_mode_request__init }

    init(reading message: Gate__V1__OverrideModeRequest) throws(GateError) {
        self.init(
            mode: try Mode(wire: message.mode, of: "mode"),
            duration: OptionalMilliseconds.duration(message.duration_milliseconds),
            reason: String(reading: message.reason))
    }

    func write(to message: inout Gate__V1__OverrideModeRequest, in arena: inout MessageArena) {
        message.mode = mode.wire
        message.duration_milliseconds = OptionalMilliseconds.wire(duration)
        message.reason = arena.string(reason)
    }
}

package struct OverrideModeResponse: ModeReply {
    package var revision: Revision
    package var state: ModeState

    package init(revision: Revision, state: ModeState) {
        self.revision = revision
        self.state = state
    }

    static var initialise: Initialise<Gate__V1__OverrideModeResponse> { gate__v1__override_mode_response__init }
}
