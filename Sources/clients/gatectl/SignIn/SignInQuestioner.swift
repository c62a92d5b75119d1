import GateClient
import GateModel
import GateTexts

/// Asks the person at this terminal, or standard input, for a name and a password, until somebody is signed in.
struct SignInQuestioner: Sendable {
    let questioner: Questioner
    let open: OpenPresentation
    let signals: DismissingSignals

    private enum Turn: Sendable {
        case typed(AnswerInput.Typed)
        /// The daemon has checked the password; `nil` if it was right.
        case checked(GateError?)
        /// Somebody is signed in, or the sign-in can no longer be shown.
        case closed(Result<PresentationCompletion, GateError>)
    }

    fileprivate enum Place: Sendable {
        case name
        case password(name: String)
    }

    /// Asks for the name, then the password, until they are right.
    /// - Throws: `CANCELLED` (`dismissed`) after Escape, Ctrl-C or a hang-up; if the input ends, the error of the last
    ///   attempt; why the sign-in was closed meanwhile.
    func ask() async throws(GateError) -> PresentationCompletion {
        let result = await withTaskGroup(of: Turn.self) { group -> Result<PresentationCompletion, GateError> in
            defer { group.cancelAll() }
            group.addTask { .closed(await open.closing()) }
            // Catches signals even while a password is being checked, when no keys are read.
            group.addTask {
                await signals.wakeup.awoken()
                return .typed(Task.isCancelled ? .stopped : .ended)
            }
            var place = Place.name
            var refusal: GateError?
            group.addTask { .typed(await next(.name)) }
            while let turn = await group.next() {
                switch turn {
                case .closed(let result): return result
                case .typed(.stopped): return .failure(Questioner.givenUp)
                case .typed(.ended): return .failure(await dismissed(after: refusal))
                case .typed(.line(let line)):
                    guard line.byteCount > 0 else {
                        questioner.output.note(
                            localized("That was empty. Please give {request}.", ["request": place.request]))
                        group.addTask { [place] in .typed(await next(place)) }
                        continue
                    }
                    switch place {
                    case .name:
                        // Exactly as it was typed.
                        place = .password(name: line.withBytes { String(decoding: $0, as: UTF8.self) })
                        group.addTask { [place] in .typed(await next(place)) }
                    case .password(let name):
                        group.addTask { .checked(await logIn(name, line)) }
                    }
                case .checked(nil): break
                case .checked(let error?):
                    refusal = error
                    questioner.output.note(RefusalText.sentence(error))
                    place = .name
                    group.addTask { .typed(await next(.name)) }
                }
            }
            return .failure(Questioner.givenUp)
        }
        await open.dismissIfCancelled()
        return try result.get()
    }

    private func next(_ place: Place) async -> AnswerInput.Typed {
        let prompt = AnswerInput.Prompt(
            request: place.request, isSecret: place.isSecret, deadline: open.countedDeadline)
        if case .terminal(let terminal) = questioner.input, Colours.isDumb { terminal.draw("\(place.request): ") }
        return await questioner.input.next(prompt, signal: signals.wakeup)
    }

    private func logIn(_ name: String, _ password: GateSecret) async -> GateError? {
        do throws(GateError) {
            try await ProgressLine().during { () throws(GateError) in
                _ = try await open.logIn(name: name, password: password)
            }
            return nil
        } catch {
            return error
        }
    }

    /// Dismisses the sign-in. If a script gave a wrong password and has no other, the error is that refusal.
    private func dismissed(after refusal: GateError?) async -> GateError {
        if case .lines = questioner.input, let refusal { return await open.dismissed(refusal) }
        return await open.dismissed(
            GateError(.cancelled, .dismissed, saying: localized("The sign-in was dismissed.")))
    }
}

extension SignInQuestioner.Place {
    fileprivate var request: String {
        switch self {
        case .name: localized("your name")
        case .password: localized("your password (it does not show)")
        }
    }

    fileprivate var isSecret: Bool {
        switch self {
        case .name: false
        case .password: true
        }
    }
}
