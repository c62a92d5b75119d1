import GateClient
import GateModel

/// Asks for a form on a terminal that presents: prompts go to the screen, and the lines come from its keys.
struct PresenterFormConsole: FormConsole {
    let locale: TextLocale
    let colours: Colours
    private let lines: AsyncStream<GateSecret>
    private let typed: AsyncStream<GateSecret>.Continuation
    private let show: @Sendable (FormPrompt) -> Void

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

    func lineReceived(_ line: GateSecret) {
        typed.yield(line)
    }

    /// The form can no longer be answered: `ask` then returns `stopped`. Calls to the daemon go on.
    func close() {
        typed.finish()
    }

    /// Asks a person to fill in the form that is shown, until the daemon closes it or the task is cancelled. If there
    /// are several ways to begin, it asks for one first. If the person leaves the form, the presentation is dismissed.
    /// `completed` and `dismissed` are called if that happened here; `refused` with each error, before the form is
    /// tried again after a second.
    func fill(
        _ open: OpenPresentation, _ gate: GateClient, completed: () -> Void, dismissed: () -> Void,
        refused: (GateError) -> Void
    ) async {
        // The draft that the person has chosen, to go on with it after a failure, rather than begin another one.
        var draftID: UInt64?
        while !Task.isCancelled {
            do throws(GateError) {
                let form: FormSession? =
                    if let draftID { try await open.form(draft: draftID) } else { try await opened(open, gate) }
                draftID = form?.draftID
                switch try await form.map({ FormFiller(form: $0, console: self) })?.run() {
                case .completed: return completed()
                case .saved, .left, nil:
                    try await open.dismiss()
                    return dismissed()
                }
            } catch {
                if Task.isCancelled || error.code == .cancelled { return }
                if error.code == .notFound { draftID = nil }
                refused(error)
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }
    /// `nil` if the person left. If there are several ways to begin, the person is asked for one.
    private func opened(_ open: OpenPresentation, _ gate: GateClient) async throws(GateError) -> FormSession? {
        guard let beginnings = try await gate.forms.beginnings(of: open) else { return try await open.form() }
        guard let chosen = try await FormBeginningQuestion(beginnings, self).ask() else { return nil }
        return try await open.form(chosen)
    }
}
