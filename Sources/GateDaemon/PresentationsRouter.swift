import GateCore
import GateModel
import GateProtocol

/// `gate.v1.Presentations`.
extension Router {
    mutating func addPresentations() {
        onCommand(Methods.Presentations.complete) {
            .complete($0.cookie, answer: $0.answer)
        } answer: {
            CompleteResponse(revision: $0.revision, state: $0.modeState)
        }
        onCommand(Methods.Presentations.dismiss) {
            .dismiss($0.cookie)
        } answer: {
            DismissResponse(revision: $0.revision, state: $0.modeState)
        }
    }
}
