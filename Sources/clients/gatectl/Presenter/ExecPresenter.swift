import GateClient
import GateForms
import GateModel
import GateScreens
import GateTexts
import Glibc

/// Presents by a program, started anew for each presentation.
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

    /// The kinds that any dialog can show that knows text. A program says itself (`--kinds`) that it can do more:
    /// anyone who registers for what it can't show keeps it from who can.
    static let kinds = Set(Challenge.Kind.allCases).subtracting([.hold, .swipe]).reduce(into: Set<Presentation.Kind>())
    {
        $0.insert(.challenge($1))
    }

    /// Until a signal ends it.
    ///
    /// - Throws: `PERMISSION_DENIED` where this user may not present; `INVALID_ARGUMENT` where the program can't be started.
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
            case .registered: output.note(localized("Waiting for what is asked."))
            case .lost: output.note(localized("Gate is away. This goes on when it is back."))
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

    /// The end of one run of the program.
    private enum Ending: Sendable {
        case answer(ChallengeAnswer)
        case logIn(name: String, password: GateSecret)
        case form([UInt8], isCompleted: Bool)
        case dismiss
        /// It was told as it happened.
        case settled
        /// Its output is no answer, or nobody waits for one any more.
        case nothing
        /// It said something before anybody can have read the question.
        case tooSoon
    }

    private func show(_ open: OpenPresentation, _ failed: AsyncStream<GateError>.Continuation) async {
        var attempts = PresentingAttempts(canBeGivenUp: open.isDismissible)
        var note = ""
        // However often the program is started, it is one question.
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
                    // A person is asked as often as it takes: the daemon says when it was too often.
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
                    note = localized("That was no answer.")
                case .tooSoon:
                    note = localized("That came before the question can have been read. Please answer once more.")
                    // It comes once: from then on nothing is too soon. The program may well be one that nobody looks at.
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
            // Ending hands the question back, to somebody who can show it.
            failed.yield(error)
        }
    }

    /// Why nobody is signed in by it; `nil`: somebody is, and the state closes the presentation.
    private func logIn(_ open: OpenPresentation, _ name: String, _ password: GateSecret) async -> GateError? {
        do throws(GateError) {
            try await open.logIn(name: name, password: password)
            return nil
        } catch {
            return error
        }
    }

    /// Returns what is wrong with it where the form is to be filled in anew; `nil`: it is completed, and the state
    /// closes the presentation, or kept as a draft, or gone.
    private func fill(_ open: OpenPresentation, _ response: [UInt8], isCompleted: Bool) async -> String? {
        do throws(GateError) {
            let form = try await open.form()
            // Over whatever others have answered meanwhile: the program was given all of it.
            let filled = try await form.fill(json: response)
            // What it was filled with, and nothing that others have put there since.
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

    /// The material of a form for the program; `nil` where it is none.
    ///
    /// - Throws: what opening the draft throws.
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

    /// Returns what is wrong with it where the question stays open; `nil`: it is answered, or gone.
    private func complete(_ open: OpenPresentation, _ answer: ChallengeAnswer) async -> String? {
        do throws(GateError) {
            _ = try await open.complete(answer)
            return nil
        } catch {
            return error.leavesQuestionOpen ? RefusalText.sentence(error) : nil
        }
    }

    /// Returns what is wrong with it where only the state closes this; `nil`: it is dismissed, or gone.
    private func dismiss(_ open: OpenPresentation) async -> String? {
        do throws(GateError) {
            _ = try await open.dismiss()
            return nil
        } catch {
            return error.leavesQuestionOpen ? RefusalText.sentence(error) : nil
        }
    }

    /// When this returns, the program has ended.
    private func run(
        for open: OpenPresentation, _ note: String, _ reading: ReadingTime
    ) async throws(GateError) -> Ending {
        let left = open.countedDeadline.map { BootTime.now().duration(to: $0) }
        let form: PresentationFields.FormMaterial?
        do throws(GateError) {
            form = try await material(of: open)
        } catch {
            // Gone, or out of reach: that is heard elsewhere.
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
        // A response may be written over many lines.
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
                // A hold is timed by the daemon, and so is told as it happens.
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
                output.note(localized("The program said more than anybody reads, and was ended."))
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
