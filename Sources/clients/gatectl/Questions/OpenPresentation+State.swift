import GateClient
import GateModel

extension OpenPresentation {
    func closing() async -> Result<PresentationCompletion, GateError> {
        do throws(GateError) {
            return .success(try await awaitClosing())
        } catch {
            return .failure(error)
        }
    }

    /// The deadline to count down to; `nil` if there is none, or the daemon has a clock of its own.
    var countedDeadline: BootTime? {
        sharesClock && presentation.deadline != .never ? presentation.deadline : nil
    }
}
