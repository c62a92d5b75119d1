import GateClient
import GateModel
import GateTexts

/// Asks the person at this terminal to fill in a presentation's form, until the daemon closes it or the person leaves.
struct FormQuestioner: Sendable {
    let questioner: Questioner
    let open: OpenPresentation
    let signals: DismissingSignals

    private enum Turn: Sendable {
        case filled(Result<FormFiller.Outcome, GateError>)
        /// The form was completed, here or elsewhere, or can no longer be shown.
        case closed(Result<PresentationCompletion, GateError>)
    }

    /// - Throws: `CANCELLED` (`dismissed`) if the person left; otherwise the reason why the presentation was closed.
    func ask() async throws(GateError) -> PresentationCompletion {
        let result = await withTaskGroup(of: Turn.self) { group -> Result<PresentationCompletion, GateError> in
            defer { group.cancelAll() }
            group.addTask { .closed(await open.closing()) }
            group.addTask { .filled(await fill()) }
            while let turn = await group.next() {
                switch turn {
                case .closed(let result): return result
                // Wait for the daemon to close the presentation: its completion says what comes next.
                case .filled(.success(.completed)): break
                case .filled(.success(.saved(let kept))):
                    return .failure(
                        await dismissed(
                            localized("The form was left. It is kept as response {id}.", ["id": "\(kept.id)"])))
                case .filled(.success(.left)):
                    return .failure(await dismissed(localized("You left the form. The answers are kept as a draft.")))
                case .filled(.failure(let error)):
                    // If the draft is gone, somebody completed it or threw it away. The presentation's end says which.
                    guard error.code == .notFound else { return .failure(error) }
                }
            }
            return .failure(Questioner.givenUp)
        }
        await open.dismissIfCancelled()
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
        await open.dismissed(GateError(.cancelled, .dismissed, message))
    }
}
