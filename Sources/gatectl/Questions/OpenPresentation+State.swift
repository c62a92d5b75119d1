import GateClient
import GateModel
import GateProtocol

extension OpenPresentation {
    /// Waits until the state has closed this, and says what comes of it.
    func closing() async -> Result<AwaitClosingResponse, GateError> {
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

extension CompleteResponse {
    /// A presentation that the state has closed goes on as one that was answered.
    init(closing response: AwaitClosingResponse) {
        self.init(revision: response.revision, state: response.state, result: response.result)
    }
}
