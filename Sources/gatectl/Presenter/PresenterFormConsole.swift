import GateClient
import GateModel

/// A form on a terminal that presents: what is asked goes to the screen, and the lines come from its keys.
struct PresenterFormConsole: FormConsole {
    let locale: TextLocale
    let colours: Colours
    private let lines: AsyncStream<GateSecret>
    private let typed: AsyncStream<GateSecret>.Continuation
    private let show: @Sendable (FormPrompt) -> Void

    /// - Parameter show: has the screen show it.
    init(locale: TextLocale, colours: Colours, show: @escaping @Sendable (FormPrompt) -> Void) {
        self.locale = locale
        self.colours = colours
        self.show = show
        (lines, typed) = AsyncStream.makeStream(of: GateSecret.self)
    }

    func ask(_ prompt: FormPrompt) async -> AnswerInput.Typed {
        show(prompt)
        guard let line = await lines.first(where: { _ in true }) else { return .stopped }
        return .line(line)
    }

    /// The person has typed it.
    func lineReceived(_ line: GateSecret) {
        typed.yield(line)
    }

    /// It can no longer be answered. What is under way to the daemon still is.
    func close() {
        typed.finish()
    }

    /// Has a person fill the form in that is shown, until the state closes it or this is cancelled. Anyone who leaves it
    /// dismisses it.
    ///
    /// - Parameters:
    ///   - completed: it was completed here.
    ///   - dismissed: it was dismissed here.
    ///   - refused: something is in the way, which is tried again.
    func fill(
        _ open: OpenPresentation, completed: () -> Void, dismissed: () -> Void, refused: (GateError) -> Void
    ) async {
        while !Task.isCancelled {
            do throws(GateError) {
                let outcome = try await FormFiller(form: try await open.form(), console: self).run()
                switch outcome {
                case .completed: return completed()
                case .saved, .left:
                    try await open.dismiss()
                    return dismissed()
                }
            } catch {
                if Task.isCancelled || error.code == .cancelled { return }
                refused(error)
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }
}
