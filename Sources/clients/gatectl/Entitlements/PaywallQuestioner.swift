import GateClient
import GateModel
import GateScreens
import GateTexts

/// Shows a paywall to the person at this terminal until it is paid for, or they close it.
struct PaywallQuestioner: Sendable {
    let questioner: Questioner
    let open: OpenPresentation
    let signals: DismissingSignals

    private enum Turn: Sendable {
        case dismissed
        /// The person says that they have paid already, so providers look for the payment.
        case restored
        /// The provider has looked for the payment, or could not be asked.
        case looked
        /// Something was typed that means nothing here.
        case typed
        /// The verb was cancelled.
        case stopped
        /// It is paid for, or can no longer be shown.
        case closed(Result<PresentationCompletion, GateError>)
    }

    /// - Throws: `CANCELLED` (`dismissed`) after Escape, Ctrl-C or a hang-up; why it was closed meanwhile.
    func ask(_ paywall: Paywall) async throws(GateError) -> PresentationCompletion {
        let result = await withTaskGroup(of: Turn.self) { group -> Result<PresentationCompletion, GateError> in
            defer { group.cancelAll() }
            group.addTask { .closed(await open.closing()) }
            group.addTask { await next() }
            while let turn = await group.next() {
                switch turn {
                case .closed(let result): return result
                case .restored:
                    group.addTask {
                        await restore()
                        return .looked
                    }
                    group.addTask { await next() }
                case .looked: break
                case .typed: group.addTask { await next() }
                case .stopped: return .failure(Questioner.givenUp)
                case .dismissed:
                    return .failure(
                        await open.dismissed(
                            GateError(.cancelled, .dismissed, saying: localized("The paywall was dismissed."))))
                }
            }
            return .failure(Questioner.givenUp)
        }
        await open.dismissIfCancelled()
        let response = try result.get()
        // Another question, or the paywall with other offers: it is not paid for yet.
        if response.next != nil { return response }
        if case .terminal(let terminal) = questioner.input {
            terminal.draw(localized("Paid for: {title}.", ["title": ContentText.title(of: paywall)]) + "\n")
        }
        return response
    }

    /// A paywall takes no answer, so standard input is left to the command that is to run.
    private func next() async -> Turn {
        switch questioner.input {
        case .lines:
            await signals.wakeup.awoken()
            return Task.isCancelled ? .stopped : .dismissed
        case .terminal:
            let prompt = AnswerInput.Prompt(
                request: localized("r restores a purchase, Escape closes this"), singleKeys: Set("rR".utf8),
                deadline: open.countedDeadline)
            switch await questioner.input.next(prompt, signal: signals.wakeup) {
            case .line(let line) where line.withBytes({ $0.elementsEqual("r".utf8) || $0.elementsEqual("R".utf8) }):
                return .restored
            case .line: return .typed
            case .ended: return .dismissed
            case .stopped: return .stopped
            }
        }
    }

    /// The state closes the paywall once the provider has found the payment.
    private func restore() async {
        questioner.output.note(ScreenWords.lookingForPayment)
        do throws(GateError) {
            guard let (askedAt, health) = try await open.restorePurchase() else { return }
            if let words = RestoreWords.result(health, askedAt: askedAt) { questioner.output.note(words) }
        } catch {
            questioner.output.note(RefusalText.sentence(error))
        }
    }
}
