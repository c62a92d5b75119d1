import GateClient
import GateModel
import GateProtocol
import GateTexts
import Glibc

// The ways in which a verb asks a person: `asking` decides which screen asks, `grant` gets a grant for a gated action,
// and `Questioner` asks on this terminal or pipe.

enum AskingOutcome<Response: WireMessage>: Sendable {
    /// No question was needed, or another screen asked it.
    case settled(Response)
    /// This program asked the question.
    case answered(CompleteResponse)
}

extension Session {
    /// After this long, gatectl says what it is waiting for.
    private static var silence: Duration { .seconds(1) }

    /// Has a person asked if the request needs that: by this program with `--stdin`, otherwise by a presenter of the
    /// device, or, if none can, on this terminal, if there is one. The argument of `request` says where.
    /// - Throws: what the request throws; `CANCELLED` (`dismissed`) if the person gave up waiting.
    func asking<Response: WireMessage>(readsStandardInput: Bool, _ request: @escaping Beginning<Response>)
        async throws(GateError) -> AskingOutcome<Response>
    {
        let questioner = Questioner(readsStandardInput: readsStandardInput, output: output)
        let (response, open) = try await begun(readsStandardInput: readsStandardInput, questioner, request)
        guard let open, let questioner else { return .settled(response) }
        return .answered(try await questioner.ask(open, from: response))
    }

    typealias Beginning<Response> =
        @Sendable (Presenting) async throws(GateError) -> (response: Response, open: OpenPresentation?)

    /// The first half of `asking`. Returns the response, and the presentation that this program has to show, if any.
    func begun<Response: Sendable>(
        readsStandardInput: Bool, _ questioner: Questioner?, _ request: @escaping Beginning<Response>
    ) async throws(GateError) -> (response: Response, open: OpenPresentation?) {
        guard !readsStandardInput else { return try await request(.here) }
        return try await waitingForOthers(saysSo: questioner != nil) { () throws(GateError) in
            try await request(questioner == nil ? .elsewhere : .elsewhereIfPossible)
        }
    }

    /// Waits for a call during which another screen may ask the person. Ctrl-C withdraws the request. With `saysSo`,
    /// the person at this terminal is told after `silence` what this waits for.
    func waitingForOthers<Response: Sendable>(
        saysSo: Bool, _ call: @escaping @Sendable () async throws(GateError) -> Response
    ) async throws(GateError) -> Response {
        // Without a person at the terminal, a signal ends this program, and so the daemon withdraws the request.
        guard saysSo, let signals = DismissingSignals() else { return try await call() }
        defer { signals.stopCatching() }
        let note = Task { [output] in
            try await Task.sleep(for: Self.silence)
            output.note(localized("Waiting for the answer on another screen. (Ctrl-C takes the question back.)"))
        }
        defer { note.cancel() }
        let result = await withTaskGroup(of: Result<Response, GateError>?.self) { group in
            group.addTask {
                do throws(GateError) {
                    return .success(try await call())
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                await signals.wakeup.awoken()
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        guard let result else {
            throw GateError(.cancelled, .dismissed, saying: localized("The question was taken back."))
        }
        return try result.get()
    }
}

extension Session {
    /// Gets a grant and redeems it at once: afterwards the action may be done once.
    /// - Throws: why it may not be done (`denied`, `wrongAnswer`, `refused`, `dismissed`, `lockedOut`, …).
    func authorize(
        _ request: AuthorizationRequest, readsStandardInput: Bool
    ) async throws(GateError) -> RedeemResponse {
        try await redeem(grant(for: request, readsStandardInput: readsStandardInput), for: request)
    }

    private func redeem(_ grant: Grant, for request: AuthorizationRequest) async throws(GateError) -> RedeemResponse {
        try await gate.call(
            Methods.Authorization.redeem,
            RedeemRequest(proof: grant.proof, gatedAction: request.gatedAction, details: request.details))
    }

    /// The same for a page or a program that a person wants to open, with the question of `grant(for:opening:)`.
    func authorize(
        _ request: AuthorizationRequest, opening subject: RefusalNotice.Subject, readsStandardInput: Bool
    ) async throws(GateError) {
        let grant = try await grant(for: request, opening: subject, readsStandardInput: readsStandardInput)
        _ = try await redeem(grant, for: request)
    }

    /// Gets a grant for a page or a program that a person wants to open. If the policy lets the question wait, and nobody
    /// answers now, it waits: the error with the reason `asked` then says when to try again, in the words of the window
    /// on the desktop. Programs that read the error as JSON get the daemon's words.
    func grant(
        for request: AuthorizationRequest, opening subject: RefusalNotice.Subject, readsStandardInput: Bool
    ) async throws(GateError) -> Grant {
        var request = request
        request.mayWait = true
        do throws(GateError) {
            return try await grant(for: request, readsStandardInput: readsStandardInput)
        } catch {
            guard error.reason == .asked, !output.isJSON, let notice = RefusalNotice(error, subject) else {
                throw error
            }
            var said = error
            said.message = "\(notice.heading) \(notice.sentence)"
            said.isLocalized = true
            throw said
        }
    }

    /// Gets a grant, after a person was asked if needed. Every verb that has something authorized uses this.
    /// - Throws: the errors of `AuthorizationCalls.grant`.
    func grant(
        for request: AuthorizationRequest, readsStandardInput: Bool
    ) async throws(GateError) -> Grant {
        do throws(GateError) {
            return try await grantOnce(for: request, readsStandardInput: readsStandardInput)
        } catch {
            // The state changed while the question was open, so the daemon may decide otherwise now: ask once more.
            // With `--stdin` don't, since the lines were meant for the question that is gone.
            guard error.isOfAnotherState, !readsStandardInput, !Task.isCancelled else { throw error }
            return try await grantOnce(for: request, readsStandardInput: readsStandardInput)
        }
    }

    private func grantOnce(
        for request: AuthorizationRequest, readsStandardInput: Bool
    ) async throws(GateError) -> Grant {
        let gate = gate
        let outcome = try await asking(readsStandardInput: readsStandardInput) { presenting throws(GateError) in
            try await gate.begin(
                Methods.Authorization.authorize, AuthorizeRequest(request: request, presenting: presenting), presenting
            ) { $0.presentation }
        }
        let grant =
            switch outcome {
            case .settled(let response): response.grant
            case .answered(let response): response.grant
            }
        guard let grant else {
            throw GateError(
                .internal, .unspecified,
                saying: localized(
                    "The daemon sent no grant and no reason. Are gated and this program of the same version?"))
        }
        return grant
    }
}

/// Shows a question to a person and returns the outcome.
struct Questioner: Sendable {
    let input: AnswerInput
    let output: Output
    private let locale = TextLocale.ofEnvironment()

    /// `nil` if nobody can be asked: there is no terminal, and no `--stdin`.
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
        case closed(GateError)
    }

    /// Asks until there is a valid answer, then asks the next question that the daemon sends, until there is none. The
    /// response that brought the question is printed if the output is JSON.
    /// - Throws: `CANCELLED` (`dismissed`) after Escape, Ctrl-C, a hang-up or the end of the input; the errors of
    ///   `complete`; why the question was closed meanwhile; `UNIMPLEMENTED` for an unknown kind of presentation.
    func ask(_ open: OpenPresentation, from response: some WireMessage) async throws(GateError) -> CompleteResponse {
        // Catch signals before anything is shown, so that even a very quick Ctrl-C dismisses the question.
        guard let signals = DismissingSignals() else {
            throw GateError(
                .unavailable, .unspecified, saying: localized("This program has no descriptors left to ask with."))
        }
        defer { signals.stopCatching() }
        if output.isJSON { output.line(try response.json()) }
        var current = open
        while true {
            let completion = try await ask(current, signals)
            guard let next = completion.next else { return completion.response }
            if output.isJSON { output.line(try completion.response.json()) }
            current = next
        }
    }

    private func ask(_ open: OpenPresentation, _ signals: DismissingSignals) async throws(GateError)
        -> PresentationCompletion
    {
        show(open.presentation)
        switch open.content {
        case .challenge(let challenge): return try await ask(challenge, open, signals)
        case .signIn: return try await SignInQuestioner(questioner: self, open: open, signals: signals).ask()
        case .paywall(let paywall):
            return try await PaywallQuestioner(questioner: self, open: open, signals: signals).ask(paywall)
        case .form: return try await FormQuestioner(questioner: self, open: open, signals: signals).ask()
        case .whatsNew(let notice):
            let asking = WhatsNewQuestioner(questioner: self, open: open, signals: signals)
            guard let response = try await asking.ask(notice).response else {
                throw GateError(.cancelled, .dismissed, saying: localized("It was dismissed."))
            }
            return response
        case .unrecognized:
            _ = try? await open.dismiss()
            throw GateError(.unimplemented, .unspecified, ContentText(open.content, locale: locale).question())
        }
    }

    /// Shows release notes until the person puts them away, and returns whether the secondary action was chosen. The
    /// response that brought them is printed if the output is JSON.
    /// - Throws: why they were closed meanwhile.
    func showWhatsNew(
        _ notice: WhatsNewNotice, _ open: OpenPresentation, from response: some WireMessage
    ) async throws(GateError) -> Bool {
        guard let signals = DismissingSignals() else {
            throw GateError(
                .unavailable, .unspecified, saying: localized("This program has no descriptors left to ask with."))
        }
        defer { signals.stopCatching() }
        if output.isJSON { output.line(try response.json()) }
        show(open.presentation)
        return try await WhatsNewQuestioner(questioner: self, open: open, signals: signals).ask(notice).isSecondary
    }

    private func ask(
        _ challenge: Challenge, _ open: OpenPresentation, _ signals: DismissingSignals
    ) async throws(GateError) -> PresentationCompletion {
        let result = await withTaskGroup(of: Turn.self) { group -> Result<PresentationCompletion, GateError> in
            defer { group.cancelAll() }
            group.addTask { .closed(await open.waitUntilClosed()) }
            do throws(GateError) {
                var isPressed = false
                while true {
                    let pressed = isPressed
                    group.addTask { .typed(await nextLine(for: challenge, of: open, isPressed: pressed, signals)) }
                    switch await group.next() ?? .closed(Self.givenUp) {
                    case .closed(let error): throw error
                    case .typed(.stopped): throw Self.givenUp
                    case .typed(.ended):
                        try await open.dismiss()
                        throw GateError(.cancelled, .dismissed, saying: localized("The question was dismissed."))
                    case .typed(.line(let line)):
                        if let response = try await answer(line, to: challenge, of: open, &isPressed) {
                            return .success(response)
                        }
                    }
                }
            } catch {
                return .failure(error)
            }
        }
        await open.dismissIfCancelled()
        return try result.get()
    }

    static let givenUp = GateError(.cancelled, .unspecified, saying: localized("The call was cancelled."))

    private func nextLine(
        for challenge: Challenge, of open: OpenPresentation, isPressed: Bool, _ signals: DismissingSignals
    ) async -> AnswerInput.Typed {
        let prompt = AnswerInput.Prompt(
            for: challenge, isPressed: isPressed, deadline: open.sharesClock ? open.presentation.deadline : nil)
        return await input.next(prompt, signal: signals.wakeup)
    }

    /// Returns `nil` if the line was not an answer, or only began a hold: then the question stays open.
    private func answer(
        _ line: GateSecret, to challenge: Challenge, of open: OpenPresentation, _ isPressed: inout Bool
    ) async throws(GateError) -> PresentationCompletion? {
        let request = AnswerText.request(for: challenge, isPressed: isPressed)
        guard let input = AnswerText.input(line, to: challenge, isPressed: isPressed) else {
            output.note(localized("That was empty. Please give {request}.", ["request": request]))
            return nil
        }
        do throws(GateError) {
            switch input {
            case .answer(let answer): return try await open.complete(answer)
            case .pressed:
                try await open.report(.pressed)
                isPressed = true
                if case .lines = self.input { output.line(output.isJSON ? "{}" : localized("Pressed.")) }
            }
        } catch {
            guard error.leavesQuestionOpen else { throw error }
            output.note(
                localized(
                    "{problem} Please give {request}.", ["problem": RefusalText.sentence(error), "request": request]))
        }
        return nil
    }

    private func show(_ presentation: Presentation) {
        let text = ContentText(
            presentation.content, locale: locale, isAppsOwn: presentation.summary.asked.isAppsOwn)
        let asked = AskedText(presentation.summary)
        switch input {
        case .lines:
            // With --json, the response was printed already, and it has everything.
            guard !output.isJSON else { return }
            let content = text.plain().flatMap { asked.appsRows(of: $0) ?? [$0] }
            for line in headerForLines(asked) + content { output.line(line) }
        case .terminal(let terminal):
            let colours = Colours.ofTerminal(terminal.output)
            let (columns, rows) = terminal.size
            let question = text.large(columns: columns, colours: colours).flatMap {
                asked.appsRows(of: $0, columns: columns) ?? text.rows(of: $0, columns: columns)
            }
            let below = ["", asked.heading, ""] + question + ["", ""]
            // Drawn at once, with others' words cut to the room, so that they can't scroll Gate's words away.
            let head = asked.headRows(colours: colours, columns: columns)
            let room = max(CutRows.minimumRoom, rows - below.count - head.count - 1)
            let details = CutRows(rows: asked.detailRows(columns: columns)).shown(in: room, hint: "")
            terminal.draw(([""] + head + details + below).joined(separator: "\n"))
            terminal.forgetTyped()
            // Sign-ins and forms print a prompt of their own for each thing that they ask for.
            if Colours.isDumb, let challenge = presentation.challenge {
                terminal.draw("\(AnswerText.request(for: challenge, onTerminal: true)): ")
            }
        }
    }

    /// The lines above the content. For the mode and release notes there are none: a person who gives --stdin knows
    /// what they asked for, and the first line is the question.
    private func headerForLines(_ asked: AskedText) -> [String] {
        switch asked.purpose {
        case .enterParentMode, .extendParentMode, .whatsNew: []
        case .authorize, .signIn, .pay, .fillForm, .unrecognized: asked.lines(colours: .none)
        }
    }
}
