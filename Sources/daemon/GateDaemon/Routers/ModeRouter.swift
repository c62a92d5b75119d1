import GateCore
import GateProtocol

struct ModeRouter: ServiceRouter {
    let pipeline: CommandPipeline

    func addMethods(to router: inout Router) {
        let kept = KeptAnswer<GetModeResponse>()
        router.on(Methods.Mode.get) { _, call in
            let durable = pipeline.durable
            call.answer(
                GetModeResponse(revision: durable.revision, state: durable.modeState(by: pipeline.clock)), kept: kept)
        }
        router.onCommand(Methods.Mode.toggle) {
            .mode(.toggle(presenting: $0.presenting))
        } answer: {
            ToggleResponse(revision: $0.revision, state: $0.modeState, presentation: $0.presentation)
        }
        router.onCommand(Methods.Mode.cancel) { _ in
            .mode(.cancel)
        } answer: {
            CancelVerifyingResponse(revision: $0.revision, state: $0.modeState)
        }
        router.onCommand(Methods.Mode.lock) { _ in
            .mode(.lock)
        } answer: {
            LockResponse(revision: $0.revision, state: $0.modeState)
        }
        router.onCommand(Methods.Mode.extend) {
            .mode(.extend($0.duration, presenting: $0.presenting))
        } answer: {
            ExtendResponse(revision: $0.revision, state: $0.modeState, presentation: $0.presentation)
        }
        router.onCommand(Methods.Mode.override) {
            .mode(.override($0.mode, $0.duration, reason: $0.reason))
        } answer: {
            OverrideModeResponse(revision: $0.revision, state: $0.modeState)
        }
    }
}
