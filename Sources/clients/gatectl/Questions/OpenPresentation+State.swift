import GateClient
import GateModel

extension OpenPresentation {
    /// Waits until the state has closed this, and says what comes of it.
    func closing() async -> Result<PresentationCompletion, GateError> {
        do throws(GateError) {
            return .success(try await awaitClosing())
        } catch {
            return .failure(error)
        }
    }

    /// The deadline that is counted down to; `nil` where there is nothing to count, or the daemon has a clock of its own.
    var countedDeadline: BootTime? {
        sharesClock && presentation.deadline != .never ? presentation.deadline : nil
    }
}
