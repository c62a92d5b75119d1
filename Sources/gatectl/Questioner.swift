import GateClient
import GateModel
import GateProtocol

/// Shows a question to a person and brings back what came of it.
struct Questioner: Sendable {
    let input: AnswerInput
    let output: Output

    /// `nil` where nobody can be asked: no terminal, and no `--stdin`.
    init?(readsStandardInput: Bool, output: Output) {
        if readsStandardInput {
            input = .lines
        } else if let terminal = Terminal.ofThisProcess() {
            input = .terminal(terminal)
        } else {
            return nil
        }
        self.output = output
    }

    private enum Turn: Sendable {
        case typed(AnswerInput.Typed)
        /// The question can no longer be answered.
        case closed(GateError)
    }

    /// Shows a question, and asks until there is an answer that is one.
    ///
    /// - Parameter response: what brought the question; printed where the output is JSON.
    /// - Throws: `CANCELLED` (`dismissed`) after Ctrl-C, a hang-up or the end of the input; what `complete` throws; why the
    ///   question was closed meanwhile.
    func ask(_ open: OpenPresentation, from response: some WireMessage) async throws(GateError) -> CompleteResponse {
        // Before anything is shown: who answers with Ctrl-C has dismissed it, however quick they are.
        guard let signals = DismissingSignals() else {
            throw GateError(.unavailable, .unspecified, "This program has no descriptors left to ask with.")
        }
        defer { signals.stopCatching() }
        if output.isJSON { output.line(try response.json()) }
        show(open.presentation)
        let result = await withTaskGroup(of: Turn.self) { group -> Result<CompleteResponse, GateError> in
            defer { group.cancelAll() }
            group.addTask { .closed(await open.waitUntilClosed()) }
            do throws(GateError) {
                while true {
                    group.addTask { .typed(await nextLine(for: open, signals)) }
                    switch await group.next() ?? .closed(GateError(.cancelled, .unspecified, "The call was cancelled."))
                    {
                    case .closed(let error): throw error
                    case .typed(.stopped): throw GateError(.cancelled, .unspecified, "The call was cancelled.")
                    case .typed(.ended):
                        try await open.dismiss()
                        throw GateError(.cancelled, .dismissed, "The question was dismissed.")
                    case .typed(.line(let line)):
                        if let response = try await answer(line, to: open) { return .success(response) }
                    }
                }
            } catch {
                return .failure(error)
            }
        }
        if Task.isCancelled {
            // Given up (--timeout): that is a dismissal, not a death.
            await Task { _ = try? await open.dismiss() }.value
        }
        return try result.get()
    }

    private func nextLine(for open: OpenPresentation, _ signals: DismissingSignals) async -> AnswerInput.Typed {
        await input.next(
            request: AnswerText.request(for: open.presentation.challenge),
            deadline: open.sharesClock ? open.presentation.deadline : nil, signal: signals.wakeup)
    }

    /// `nil`: it was none, and the question stays open.
    private func answer(_ line: String, to open: OpenPresentation) async throws(GateError) -> CompleteResponse? {
        guard let answer = AnswerText.answer(line, to: open.presentation.challenge) else {
            output.note("That was empty. Please give \(AnswerText.request(for: open.presentation.challenge)).")
            return nil
        }
        do throws(GateError) {
            return try await open.complete(answer)
        } catch {
            guard error.code == .invalidArgument else { throw error }
            output.note("\(error.message) Please give \(AnswerText.request(for: open.presentation.challenge)).")
            return nil
        }
    }

    private func show(_ presentation: Presentation) {
        let text = QuestionText(presentation: presentation)
        switch input {
        case .lines:
            // With --json the response was printed already, and has it all.
            guard !output.isJSON else { return }
            for line in text.plain() { output.line(line) }
        case .terminal(let terminal):
            let colours = Colours.ofTerminal(terminal.output)
            let lines = text.large(columns: terminal.columns, ink: terminal.ink, colours: colours)
            terminal.draw((["", text.heading, ""] + lines + ["", ""]).joined(separator: "\n"))
            if Colours.isDumb {
                terminal.draw("\(AnswerText.request(for: presentation.challenge)): ")
            }
        }
    }
}

extension Session {
    /// That nobody can be asked here, and what to do about it.
    func withoutQuestioner<Response>(
        _ body: () async throws(GateError) -> Response
    ) async throws(GateError) -> Response {
        do throws(GateError) {
            return try await body()
        } catch {
            guard error.reason == .noPresenter else { throw error }
            var explained = error
            explained.message = "A grown-up has to answer a question. Run this on a terminal, or give --stdin."
            throw explained
        }
    }
}
