package import CGateProtocol
package import GateModel

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

// MARK: The generated structs

package protocol CModeReply: CStruct {
    var revision: UnsafeMutablePointer<Gate__V1__Revision>! { get set }
    var state: UnsafeMutablePointer<Gate__V1__ModeState>! { get set }
}

package protocol CModeChallengeReply: CModeReply {
    var presentation: UnsafeMutablePointer<Gate__V1__Presentation>! { get set }
}
