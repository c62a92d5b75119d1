import GateClient
import GateModel
import GateProtocol
import GateTexts

/// Has the person at this terminal fill in the form that a presentation shows, until the state closes it, or they leave.
struct FormQuestioner: Sendable {
    private let questioner: Questioner
    private let open: OpenPresentation
    private let signals: DismissingSignals

    init(_ questioner: Questioner, _ open: OpenPresentation, _ signals: DismissingSignals) {
        self.questioner = questioner
        self.open = open
        self.signals = signals
    }

    private enum Turn: Sendable {
        case filled(Result<FormFiller.Outcome, GateError>)
        /// It was completed, here or elsewhere, or can no longer be shown.
        case closed(Result<PresentationCompletion, GateError>)
    }

    /// - Throws: `CANCELLED` (`dismissed`) where the person left it; why it was closed meanwhile.
    func ask() async throws(GateError) -> PresentationCompletion {
        let result = await withTaskGroup(of: Turn.self) { group -> Result<PresentationCompletion, GateError> in
            defer { group.cancelAll() }
            group.addTask { .closed(await open.closing()) }
            group.addTask { .filled(await fill()) }
            while let turn = await group.next() {
                switch turn {
                case .closed(let result): return result
                // The state closes it, and says what comes next.
                case .filled(.success(.completed)): break
                case .filled(.success(.saved(let kept))):
                    return .failure(
                        await dismissed(
                            localized("The form was left. It is kept as response {id}.", ["id": "\(kept.id)"])))
                case .filled(.success(.left)):
                    return .failure(await dismissed(localized("You left the form. The answers are kept as a draft.")))
                case .filled(.failure(let error)):
                    // A draft that is gone was completed or thrown away by somebody: the state says which.
                    guard error.code == .notFound else { return .failure(error) }
                }
            }
            return .failure(Questioner.givenUp)
        }
        if Task.isCancelled {
            // Given up (--timeout): that is a dismissal, not a death.
            await Task { _ = try? await open.dismiss() }.value
        }
        return try result.get()
    }

    private func fill() async -> Result<FormFiller.Outcome, GateError> {
        let console = LineFormConsole(
            input: questioner.input, output: questioner.output, signal: signals.wakeup,
            deadline: open.countedDeadline, asked: AskedText(open.presentation.summary))
        do throws(GateError) {
            return .success(try await FormFiller(form: try await open.form(), console: console).run())
        } catch {
            return .failure(error)
        }
    }

    private func dismissed(_ message: String) async -> GateError {
        do throws(GateError) {
            try await open.dismiss()
        } catch {
            return error
        }
        return GateError(.cancelled, .dismissed, message)
    }
}
