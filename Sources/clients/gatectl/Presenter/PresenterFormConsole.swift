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

    /// Has a person fill the form in that is shown, until the state closes it or this is cancelled. Where there is something to
    /// choose, it asks first how to begin (F-74). Anyone who leaves it dismisses it.
    ///
    /// - Parameters:
    ///   - completed: it was completed here.
    ///   - dismissed: it was dismissed here.
    ///   - refused: something is in the way, which is tried again.
    func fill(
        _ open: OpenPresentation, _ gate: GateClient, completed: () -> Void, dismissed: () -> Void,
        refused: (GateError) -> Void
    ) async {
        // Anyone who has chosen a draft goes on with that after a failure, and begins no other one.
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
    /// The draft to be filled in: where there is something to choose, the one that the person chooses.
    ///
    /// - Returns: `nil`: the person left.
    private func opened(_ open: OpenPresentation, _ gate: GateClient) async throws(GateError) -> FormSession? {
        guard let beginnings = try await gate.forms.beginnings(of: open) else { return try await open.form() }
        guard let chosen = try await FormBeginningQuestion(beginnings, self).ask() else { return nil }
        return try await open.form(chosen)
    }
}
