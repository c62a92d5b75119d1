import GateClient
import GateModel
import GateTexts

/// Shows release notes to the person at this terminal, or on a plain pipe, until they are put away.
struct WhatsNewQuestioner: Sendable {
    let questioner: Questioner
    let open: OpenPresentation
    let signals: DismissingSignals

    private enum Turn: Sendable {
        case typed(AnswerInput.Typed)
        case closed(GateError)
    }

    /// - Returns: the completion, or `nil` if the notes were dismissed; and whether the secondary action was chosen. A
    ///   dismissal counts like the primary action.
    /// - Throws: why they were closed meanwhile.
    func ask(_ notice: WhatsNewNotice) async throws(GateError) -> (response: PresentationCompletion?, isSecondary: Bool)
    {
        let text = WhatsNewText(notice, isAppsOwn: open.asked.isAppsOwn)
        let result = await withTaskGroup(of: Turn.self) { group -> Result<ChallengeAnswer?, GateError> in
            defer { group.cancelAll() }
            group.addTask { .closed(await open.waitUntilClosed()) }
            group.addTask { .typed(await next(text)) }
            while let turn = await group.next() {
                switch turn {
                case .closed(let error): return .failure(error)
                case .typed(.stopped): return .failure(Questioner.givenUp)
                case .typed(.ended): return .success(nil)
                case .typed(.line(let line)):
                    let typed = line.withBytes { String(decoding: $0, as: UTF8.self) }
                    if let answer = text.answer(typed) { return .success(answer) }
                    questioner.output.note(localized("There is no such button.") + " \(text.request).")
                    group.addTask { .typed(await next(text)) }
                }
            }
            return .failure(Questioner.givenUp)
        }
        await open.dismissIfCancelled()
        guard let answer = try result.get() else {
            try await open.dismiss()
            return (nil, false)
        }
        return (try await open.complete(answer), answer == .acknowledged(.secondary))
    }

    private func next(_ text: WhatsNewText) async -> AnswerInput.Typed {
        if case .terminal(let terminal) = questioner.input, Colours.isDumb { terminal.draw("\(text.request): ") }
        let prompt = AnswerInput.Prompt(
            request: text.request, singleKeys: text.singleKeys, deadline: open.countedDeadline)
        return await questioner.input.next(prompt, signal: signals.wakeup)
    }
}
