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

    /// Dismisses it if this task is cancelled, as after --timeout. Otherwise it would look as if a presenter had died.
    func dismissIfCancelled() async {
        if Task.isCancelled { await Task { _ = try? await dismiss() }.value }
    }

    /// Dismisses it. Returns `ending`, or why it could not be dismissed.
    func dismissed(_ ending: GateError) async -> GateError {
        do throws(GateError) {
            try await dismiss()
        } catch {
            return error
        }
        return ending
    }

    /// The deadline to count down to; `nil` if there is none, or the daemon has a clock of its own.
    var countedDeadline: BootTime? {
        sharesClock && presentation.deadline != .never ? presentation.deadline : nil
    }
}
