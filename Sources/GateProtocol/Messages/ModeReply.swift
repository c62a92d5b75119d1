import CGateProtocol
import GateModel

/// An answer that says what the mode is now, and since which revision. Many are just that.
protocol ModeReply: MappedMessage where CMessage: CModeReply {
    var revision: Revision { get }
    var state: ModeState { get }

    init(revision: Revision, state: ModeState)
}

extension ModeReply {
    init(reading message: CMessage) {
        self.init(revision: Revision(reading: message.revision), state: ModeState(reading: message.state))
    }

    func write(to message: inout CMessage, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        message.state = arena.message(state)
    }
}

/// The generated struct of a `ModeReply`.
protocol CModeReply {
    var revision: UnsafeMutablePointer<Gate__V1__Revision>! { get set }
    var state: UnsafeMutablePointer<Gate__V1__ModeState>! { get set }
}

extension Gate__V1__GetModeResponse: CModeReply {}
extension Gate__V1__CancelVerifyingResponse: CModeReply {}
extension Gate__V1__LockResponse: CModeReply {}
extension Gate__V1__OverrideModeResponse: CModeReply {}
extension Gate__V1__DismissResponse: CModeReply {}
extension Gate__V1__ObeyHomeAssistantResponse: CModeReply {}
