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
    /// For the journal; must not be empty.
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
