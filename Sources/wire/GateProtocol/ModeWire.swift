package import CGateProtocol
package import GateModel

// mode.proto

extension Methods {
    package enum Mode {
        package static let get = Method<GetModeRequest, GetModeResponse>(service, "GetMode")
        package static let toggle = Method<ToggleRequest, ToggleResponse>(service, "Toggle")
        package static let cancel = Method<CancelVerifyingRequest, CancelVerifyingResponse>(service, "CancelVerifying")
        package static let lock = Method<LockRequest, LockResponse>(service, "Lock")
        package static let extend = Method<ExtendRequest, ExtendResponse>(service, "Extend")
        package static let override = Method<OverrideModeRequest, OverrideModeResponse>(service, "OverrideMode")
        private static let service = "gate.v1.Mode"
    }
}

package typealias GetModeRequest = EmptyMessage<Gate__V1__GetModeRequest>

package typealias GetModeResponse = ModeReply<Gate__V1__GetModeResponse>
extension Gate__V1__GetModeResponse: CModeReply {}

package struct ToggleRequest: MappedMessage {
    package var presenting: Presenting

    package init(presenting: Presenting) {
        self.presenting = presenting
    }

    init(reading message: Gate__V1__ToggleRequest) throws(GateError) {
        self.init(presenting: try Presenting(message.presenting, message.presents_itself))
    }

    func write(to message: inout Gate__V1__ToggleRequest, in arena: inout MessageArena) {
        (message.presenting, message.presents_itself) = presenting.fields
    }
}

/// Holds a challenge if the requester presents itself and the mode is now verifying.
package typealias ToggleResponse = ModeChallengeReply<Gate__V1__ToggleResponse>
extension Gate__V1__ToggleResponse: CModeChallengeReply {}

package typealias CancelVerifyingRequest = EmptyMessage<Gate__V1__CancelVerifyingRequest>

package typealias CancelVerifyingResponse = ModeReply<Gate__V1__CancelVerifyingResponse>
extension Gate__V1__CancelVerifyingResponse: CModeReply {}

package typealias LockRequest = EmptyMessage<Gate__V1__LockRequest>

package typealias LockResponse = ModeReply<Gate__V1__LockResponse>
extension Gate__V1__LockResponse: CModeReply {}

package struct ExtendRequest: MappedMessage {
    /// How long parent mode lasts from now on, in whole milliseconds; `nil`: the configured length of a lease.
    package var duration: Duration?
    package var presenting: Presenting

    package init(duration: Duration?, presenting: Presenting) {
        self.duration = duration
        self.presenting = presenting
    }

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

/// The mode stays parent while the challenge is open.
package typealias ExtendResponse = ModeChallengeReply<Gate__V1__ExtendResponse>
extension Gate__V1__ExtendResponse: CModeChallengeReply {}

package struct OverrideModeRequest: MappedMessage {
    /// `child` or `parent`.
    package var mode: Mode
    /// How long parent mode lasts, in whole milliseconds; `nil`: the configured length of a lease.
    package var duration: Duration?
    package var reason: String

    package init(mode: Mode, duration: Duration?, reason: String) {
        self.mode = mode
        self.duration = duration
        self.reason = reason
    }

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

package typealias OverrideModeResponse = ModeReply<Gate__V1__OverrideModeResponse>
extension Gate__V1__OverrideModeResponse: CModeReply {}

// MARK: - Answers that hold the mode

/// An answer that holds the mode, and the revision at which it holds.
package struct ModeReply<CMessage: CModeReply>: MappedMessage {
    package var revision: Revision
    package var state: ModeState

    package init(revision: Revision, state: ModeState) {
        self.revision = revision
        self.state = state
    }

    init(reading message: CMessage) {
        self.init(revision: Revision(reading: message.revision), state: ModeState(reading: message.state))
    }

    func write(to message: inout CMessage, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        message.state = arena.message(state)
    }
}

/// An answer that holds the mode, and a challenge if one has to be answered first.
package struct ModeChallengeReply<CMessage: CModeChallengeReply>: MappedMessage {
    package var revision: Revision
    package var state: ModeState
    /// The challenge to show; `nil` if none is needed, or a presenter of the device has shown it.
    package var presentation: Presentation?

    package init(revision: Revision, state: ModeState, presentation: Presentation? = nil) {
        self.revision = revision
        self.state = state
        self.presentation = presentation
    }

    init(reading message: CMessage) throws(GateError) {
        self.init(
            revision: Revision(reading: message.revision), state: ModeState(reading: message.state),
            presentation: try Presentation(optional: message.presentation))
    }

    func write(to message: inout CMessage, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        message.state = arena.message(state)
        message.presentation = arena.message(optional: presentation)
    }
}

package protocol CModeReply: CStruct {
    var revision: UnsafeMutablePointer<Gate__V1__Revision>! { get set }
    var state: UnsafeMutablePointer<Gate__V1__ModeState>! { get set }
}

package protocol CModeChallengeReply: CModeReply {
    var presentation: UnsafeMutablePointer<Gate__V1__Presentation>! { get set }
}
