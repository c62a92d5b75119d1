import GateClient
import GateForms
import GateModel
import GateScreens
import GateTexts
import Glibc

/// Presents with a program, which is started anew for each presentation.
struct ExecPresenter: Sendable {
    let gate: GateClient
    let program: PresentingProgram
    let abilities: PresenterAbilities
    let output: Output
    private let locale = TextLocale.ofEnvironment()

    init(gate: GateClient, program: PresentingProgram, abilities: PresenterAbilities, output: Output) {
        self.gate = gate
        self.program = program
        self.abilities = abilities
        self.output = output
    }

    /// The kinds that any text dialog can show. A program that can show more says so with `--kinds`. A presenter must
    /// not register for kinds that it can't show, since it would keep them from a presenter that can.
    static let kinds = Set(Challenge.Kind.allCases).subtracting([.hold, .swipe]).reduce(into: Set<Presentation.Kind>())
    {
        $0.insert(.challenge($1))
    }

    /// Presents until a signal ends this.
    /// - Throws: `PERMISSION_DENIED` if this user may not present; `INVALID_ARGUMENT` if the program can't be started.
    func run() async throws(GateError) {
        guard let signals = DismissingSignals() else {
            throw GateError(.unavailable, .unspecified, saying: localized("This program has no descriptors left."))
        }
        defer { signals.stopCatching() }
        let (failures, failed) = AsyncStream.makeStream(of: GateError.self)
        let failure = await withTaskGroup(of: GateError?.self) { group in
            group.addTask { await present(failed) }
            group.addTask { await failures.first { _ in true } }
            group.addTask {
                await signals.wakeup.awoken()
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        if let failure { throw failure }
    }

    private func present(_ failed: AsyncStream<GateError>.Continuation) async -> GateError? {
        var showing: Task<Void, Never>?
        for await event in gate.presentations.events(for: abilities) {
            switch event {
            case .registered: output.note(localized("Waiting for questions."))
            case .lost: output.note(localized("Gate is not running. This continues when it is back."))
            case .refused(let error): return error
            case .elsewhere(let elsewhere):
                if let elsewhere { output.note(ElsewhereWords.sentence(elsewhere)) }
            case .covered: break  // The program has no desktop to hide.
            case .show(let open): showing = Task { await show(open, failed) }
            case .close:
                showing?.cancel()
                await showing?.value
                showing = nil
            }
        }
        showing?.cancel()
        await showing?.value
        return nil
    }

    private enum Ending: Sendable {
        case answer(ChallengeAnswer)
        case logIn(name: String, password: GateSecret)
        case form([UInt8], isCompleted: Bool)
        case dismiss
        /// The answer was sent already while the program ran, as a hold is.
        case settled
        /// The output is no answer, or the question is no longer open.
        case nothing
        /// The program answered before a person can have read the question.
        case tooSoon
    }

    private func show(_ open: OpenPresentation, _ failed: AsyncStream<GateError>.Continuation) async {
        var attempts = PresentingAttempts(canBeGivenUp: open.isDismissible)
        var note = ""
        // However often the program is started, the question is the same, so its reading time begins only once.
        var reading = ReadingTime()
        reading.drawn(at: .now())
        do throws(GateError) {
            while !Task.isCancelled {
                var wasNoAnswer = true
                switch try await run(for: open, note, reading) {
                case .answer(let answer):
                    guard let problem = await complete(open, answer) else { return }
                    note = problem
                case .logIn(let name, let password):
                    guard let error = await logIn(open, name, password) else { return }
                    note = RefusalText.sentence(error)
                    // A person may try passwords again: the daemon limits how often.
                    wasNoAnswer = error.reason != .wrongPassword
                case .form(let response, let isCompleted):
                    guard let problem = await fill(open, response, isCompleted: isCompleted) else { return }
                    note = problem
                case .settled:
                    return
                case .dismiss:
                    guard let problem = await dismiss(open) else { return }
                    note = problem
                case .nothing:
                    note = localized("That was not an answer.")
                case .tooSoon:
                    note = localized("That was too fast to have read the question. Please answer again.")
                    // This happens at most once, since the reading time is over after the pause. So it is no failed
                    // attempt. The program may well be one without a window.
                    try? await Task.sleep(for: BootTime.now().duration(to: reading.end ?? .now()))
                    wasNoAnswer = false
                }
                guard wasNoAnswer else { continue }
                switch attempts.failed() {
                case .tryAgain(let pause): try? await Task.sleep(for: pause)
                case .giveUp:
                    output.note(localized("The program has no answer that is one, and the question is dismissed."))
                    _ = try? await open.dismiss()
                    return
                }
            }
        } catch {
            // The presenter ends, which leaves the question to a presenter that can show it.
            failed.yield(error)
        }
    }

    /// Signs a person in. Returns why that failed, or `nil` if it worked: then the daemon closes the presentation.
    private func logIn(_ open: OpenPresentation, _ name: String, _ password: GateSecret) async -> GateError? {
        do throws(GateError) {
            try await open.logIn(name: name, password: password)
            return nil
        } catch {
            return error
        }
    }

    /// Fills in the form with the program's response. Returns what is wrong if the program has to be started again;
    /// `nil` if the form was completed (then the daemon closes the presentation), kept as a draft, or is gone.
    private func fill(_ open: OpenPresentation, _ response: [UInt8], isCompleted: Bool) async -> String? {
        do throws(GateError) {
            let form = try await open.form()
            // This overwrites what other clients answered meanwhile: the program had the whole form.
            let filled = try await form.fill(json: response)
            // Complete only what the program filled in, without later answers of other clients.
            if isCompleted {
                try await form.complete(at: filled.summary.revision)
            } else {
                try await open.dismiss()
            }
            return nil
        } catch {
            switch error.code {
            case .invalidArgument, .failedPrecondition, .resourceExhausted: return RefusalText.sentence(error)
            case .aborted: return error.reason == .changedMeanwhile ? RefusalText.sentence(error) : nil
            case .cancelled, .unknown, .deadlineExceeded, .notFound, .alreadyExists, .permissionDenied, .outOfRange,
                .unimplemented, .internal, .unavailable, .dataLoss, .unauthenticated:
                return nil
            }
        }
    }

    /// The form and its draft, for the program that shows them; `nil` if the presentation is not a form.
    /// - Throws: the errors of opening the draft.
    private func material(of open: OpenPresentation) async throws(GateError) -> PresentationFields.FormMaterial? {
        switch open.content {
        case .form:
            let form = try await open.form()
            return PresentationFields.FormMaterial(
                name: form.name, questionnaire: form.questionnaireJSON,
                response: ResponseWriter.json(form.response))
        case .challenge, .signIn, .paywall, .whatsNew, .unrecognized: return nil
        }
    }

    /// Answers the question. Returns what is wrong if the question stays open; `nil` if it was answered, or is gone.
    private func complete(_ open: OpenPresentation, _ answer: ChallengeAnswer) async -> String? {
        do throws(GateError) {
            _ = try await open.complete(answer)
            return nil
        } catch {
            return error.leavesQuestionOpen ? RefusalText.sentence(error) : nil
        }
    }

    /// Dismisses the presentation. Returns the refusal if only the daemon can close it; `nil` if it is gone.
    private func dismiss(_ open: OpenPresentation) async -> String? {
        do throws(GateError) {
            _ = try await open.dismiss()
            return nil
        } catch {
            return error.leavesQuestionOpen ? RefusalText.sentence(error) : nil
        }
    }

    /// Runs the program once. It has ended when this returns.
    private func run(
        for open: OpenPresentation, _ note: String, _ reading: ReadingTime
    ) async throws(GateError) -> Ending {
        let left = open.countedDeadline.map { BootTime.now().duration(to: $0) }
        let form: PresentationFields.FormMaterial?
        do throws(GateError) {
            form = try await material(of: open)
        } catch {
            // The form is gone, or the daemon is out of reach. The presenter's events say so, too.
            output.note(localized("The form can't be shown: {problem}", ["problem": RefusalText.sentence(error)]))
            return .nothing
        }
        let fields = PresentationFields(
            presentation: open.presentation, locale: locale, note: note, left: left, form: form)
        let maximumBytes =
            form == nil ? PresentingProgram.maximumOutputBytes : PresentingProgram.maximumFormBytes
        let input = try fields.json() + "\n"
        let environment = CommandStart.environment + fields.environment
        let (events, told) = AsyncStream.makeStream(of: (PresentingProgram.Event, BootTime).self)
        let result = await withTaskGroup(of: Void.self) { group -> Result<Ending, GateError> in
            defer { group.cancelAll() }
            group.addTask {
                await program.run(input: input, environment: environment, maximumBytes: maximumBytes) {
                    told.yield(($0, .now()))
                }
                told.finish()
            }
            group.addTask { try? await open.report(.shown) }
            do throws(GateError) {
                return .success(try await ending(of: events, for: open, reading))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func ending(
        of events: AsyncStream<(PresentingProgram.Event, BootTime)>, for open: OpenPresentation, _ reading: ReadingTime
    ) async throws(GateError) -> Ending {
        var answer: ProgramAnswer?
        var wasTooSoon = false
        var hasLines = false
        // A response may have many lines.
        var document: [UInt8]? = open.content.kind == .form ? [] : nil
        for await (event, time) in events {
            switch event {
            case .line(let line):
                hasLines = true
                if document != nil {
                    wasTooSoon = wasTooSoon || !reading.isOver(at: time)
                    line.withBytes { document?.append(contentsOf: $0) }
                    document?.append(UInt8(ascii: "\n"))
                    continue
                }
                answer = answer ?? ProgramAnswer(line, to: open.content)
                if !reading.isOver(at: time), answer != nil, answer != .dismiss {
                    wasTooSoon = true
                    answer = nil
                }
                // The daemon measures a hold, so its beginning and end are reported at once.
                switch answer {
                case .input(.pressed):
                    try? await open.report(.pressed)
                    answer = nil
                case .input(.answer(.released)):
                    return await complete(open, .released) == nil ? .settled : .nothing
                case .input(.answer), .logIn, .form, .dismiss, nil:
                    break
                }
            case .ended(let status):
                guard status == 0, hasLines else { return .dismiss }
                if let document { answer = ProgramAnswer(GateSecret(document), to: open.content) }
            case .saidTooMuch:
                output.note(localized("The program wrote too much, and was ended."))
                return .dismiss
            case .failed(let why):
                throw GateError(
                    .invalidArgument, .invalidRequest,
                    saying: localized(
                        "'{program}' can't be started: {problem}.", ["program": program.path, "problem": why]))
            }
        }
        if wasTooSoon, answer != .dismiss { return .tooSoon }
        switch answer {
        case .input(.answer(let answer)): return .answer(answer)
        case .logIn(let name, let password): return .logIn(name: name, password: password)
        case .form(let response, let isCompleted): return .form(response, isCompleted: isCompleted)
        case .dismiss: return .dismiss
        case .input(.pressed), nil: return .nothing
        }
    }
}
