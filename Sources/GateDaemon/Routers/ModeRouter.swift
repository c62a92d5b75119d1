import GateCore
import GateModel
import GateProtocol

/// `gate.v1.Mode`.
extension Router {
    mutating func addMode() {
        on(Methods.Mode.get) { authority, _, call in
            call.answer(GetModeResponse(revision: authority.durable.revision, state: authority.modeStateNow))
        }
        onCommand(Methods.Mode.toggle) {
            .toggle(presentsItself: $0.presentsItself)
        } answer: {
            ToggleResponse(revision: $0.revision, state: $0.modeState, presentation: $0.presentation)
        }
        onCommand(Methods.Mode.cancel) { _ in
            .cancel
        } answer: {
            CancelVerifyingResponse(revision: $0.revision, state: $0.modeState)
        }
        onCommand(Methods.Mode.lock) { _ in
            .lock
        } answer: {
            LockResponse(revision: $0.revision, state: $0.modeState)
        }
        onCommand(Methods.Mode.extend) {
            .extend($0.duration, presentsItself: $0.presentsItself)
        } answer: {
            ExtendResponse(revision: $0.revision, state: $0.modeState, presentation: $0.presentation)
        }
        onCommand(Methods.Mode.override) {
            .override($0.mode, $0.duration, reason: $0.reason)
        } answer: {
            OverrideModeResponse(revision: $0.revision, state: $0.modeState)
        }
    }
}
