import GateForms
import GateModel
import GateScreens
import GateTexts

/// Asks one question, until there is an answer that the form takes, or the person goes elsewhere.
struct FormAsking: Sendable {
    let form: any FillableForm
    let console: any FormConsole
    /// The lines that came before it, to be shown with it.
    let passed: [String]

    // MARK: A question

    func ask(_ path: FormPath, of item: QuestionnaireItem) async throws(GateError) -> FormFiller.Step {
        var notes: [String] = []
        var shown: FormWalk.Question?
        while true {
            let walk = try await currentWalk()
            // Somebody else's answer may have disabled it. What is about to come to be is not there yet.
            let found = walk.questions.first { $0.path == path }
            if found == nil, !isToBeMade(path, walk) { return .on }
            let question =
                found ?? FormWalk.Question(item: item, path: path, number: walk.questionCount, values: [], depth: 0)
            let text = FormQuestionText(question: question, questionCount: walk.questionCount, colours: console.colours)
            let line = await next(
                FormPrompt(
                    lines: passed + text.lines, notes: notes, isRepeated: shown == question, request: text.request,
                    choices: text.choices(after: passed.count)))
            shown = question
            notes = []
            switch try FormFiller.line(line) {
            case nil: return .end(.left)
            case .on:
                // Return keeps what was shown. What has come meanwhile is shown first.
                if try await values(at: path) != question.values {
                    notes = [localized("This was answered meanwhile. Return keeps it.")]
                    continue
                }
                guard question.values.isEmpty, question.item.isRequired else { return .on }
                notes = [localized("This has to be answered. :skip leaves it for later.")]
            case .skip: return .on
            case .back: return .back
            case .quit: return .end(.left)
            case .save: return .end(.saved(try await form.save()))
            case .help: notes = FormLine.helpLines
            case .list: notes = FormListing(try await currentWalk()).numberedLines
            case .goto(let text):
                if let path = try await currentWalk().destination(text) { return .goto(path) }
                notes = [FormFiller.nowhere(text)]
            case .unknown(let text): notes = [FormFiller.unknown(text)]
            case .take:
                // What was shown, and nothing that has come since.
                guard let pending = question.pending, !pending.isBeingFetched else {
                    notes = [localized("Nothing is suggested here.")]
                    continue
                }
                do throws(GateError) {
                    notes = told(try await form.answer(path, with: pending.answers))
                } catch {
                    notes = try FormFiller.notes(error)
                }
            case .clear:
                do throws(GateError) {
                    notes = told(try await form.answer(path, with: []))
                } catch {
                    notes = try FormFiller.notes(error)
                }
            case .answer(let text):
                do throws(GateError) {
                    let cleared = try await take(text, for: question)
                    guard goesOn(question) else {
                        notes = told(cleared) + [localized("Another one? Return goes on.")]
                        continue
                    }
                    return .on
                } catch {
                    notes = try FormFiller.notes(error)
                }
            }
        }
    }

    private func values(at path: FormPath) async throws(GateError) -> [FormValue] {
        try await currentWalk().questions.first { $0.path == path }?.values ?? []
    }

    /// The form as it is now.
    private func currentWalk() async throws(GateError) -> FormWalk {
        let draft = try await form.read()
        return FormWalk(form.questionnaire, draft.response, pending: draft.pending)
    }

    private func next(_ prompt: FormPrompt) async -> AnswerInput.Typed { await console.ask(prompt) }

    private func isToBeMade(_ path: FormPath, _ walk: FormWalk) -> Bool {
        walk.stops.contains { stop in
            switch stop {
            case .another(let another): another.first?.path == path
            case .section, .text, .question: false
            }
        }
    }

    /// Each answer of what repeats is typed by itself, and comes to the others; but a choice, which is made as a whole.
    ///
    /// - Returns: what was cleared with it.
    private func take(_ text: String, for question: FormWalk.Question) async throws(GateError) -> [String] {
        guard question.item.kind != .attachment else {
            return try await form.attach(question.path, try AttachmentFile(path: FormAnswerText.trimmed(text)))
        }
        return try await form.answer(question.path, with: try values(text, question))
    }

    private func values(_ text: String, _ question: FormWalk.Question) throws(GateError) -> [FormValue] {
        let item = question.item
        let answer = FormAnswerText(item: item, for: Localization.languages, habits: .ofPerson)
        guard item.repeats else { return [try answer.labelled(text)] }
        guard FormQuestionText.takesList(item) else { return question.values + [try answer.labelled(text)] }
        // An option may have a comma in it.
        if let value = FormOptions(item, for: Localization.languages).value(text, byLabel: .first) { return [value] }
        var values: [FormValue] = []
        for part in text.split(whereSeparator: { ",，、".contains($0) }) {
            values.append(try answer.labelled(String(part)))
        }
        return values
    }

    /// Whether there can be no more answers after this one.
    private func goesOn(_ question: FormWalk.Question) -> Bool {
        guard question.item.repeats, !FormQuestionText.takesList(question.item) else { return true }
        return !question.item.takesMore(after: question.values.count + 1)
    }

    private func told(_ cleared: [String]) -> [String] {
        cleared.isEmpty ? [] : [FormWords.cleared(form.questionnaire.names(ofCleared: cleared))]
    }

    // MARK: One more of a group

    private func heading(of another: FormWalk.Another) -> String {
        let section = FormWalk.Section(
            item: another.item, path: another.path, number: another.count + 1, count: another.count + 1, depth: 0)
        return FormQuestionText.heading(of: section, locale: console.locale, colours: console.colours)
    }

    func ask(_ another: FormWalk.Another) async throws(GateError) -> FormFiller.Step {
        guard let first = another.first else { return .on }
        let name = QuestionnaireText.name(of: another.item)
        var notes: [String] = []
        while true {
            let question = localized(
                "Another one: {name}? (There is one.)", plural: "Another one: {name}? (There are {count}.)",
                count: another.count, ["name": name])
            let line = await next(
                FormPrompt(
                    lines: passed + ["", question], notes: notes, isRepeated: !notes.isEmpty,
                    request: localized("[y/N]")))
            notes = []
            switch try FormFiller.line(line) {
            case nil, .quit: return .end(.left)
            case .on, .skip: return .on
            case .back: return .back
            case .save: return .end(.saved(try await form.save()))
            case .help: notes = FormLine.helpLines
            case .list: notes = FormListing(try await currentWalk()).numberedLines
            case .goto(let text):
                if let path = try await currentWalk().destination(text) { return .goto(path) }
                notes = [FormFiller.nowhere(text)]
            case .take: notes = [localized("Nothing is suggested here.")]
            case .clear:
                notes = [
                    localized("`gatectl form remove NAME {item}[0]` takes one away.", ["item": another.item.linkID])
                ]
            case .unknown(let text): notes = [FormFiller.unknown(text)]
            case .answer(let text):
                switch WritingHabits.ofPerson.isYes(FormAnswerText.trimmed(text)) {
                case true?:
                    return try await FormAsking(form: form, console: console, passed: ["", heading(of: another)])
                        .ask(first.path, of: first.item)
                case false?: return .on
                case nil: notes = [localized("Please say y or n.")]
                }
            }
        }
    }
}

extension FormFiller {
    /// `nil`: the person has left, or there is no more input.
    ///
    /// - Throws: `CANCELLED` where nobody waits for it any more.
    static func line(_ typed: AnswerInput.Typed) throws(GateError) -> FormLine? {
        switch typed {
        case .line(let line): FormLine(line.withBytes { String(decoding: $0, as: UTF8.self) })
        case .ended: nil
        case .stopped: throw GateError(.cancelled, .unspecified, saying: localized("The question was taken back."))
        }
    }

    static func unknown(_ text: String) -> String {
        localized(
            "There is no {word}. If it is an answer, put a \\ in front of it; :help says what there is.",
            ["word": VisibleText.line(text)])
    }

    static func nowhere(_ text: String) -> String {
        localized(
            "There is nothing to answer at “{place}”. :list shows everything with its number.",
            ["place": VisibleText.line(text)])
    }

    /// The faults that another answer mends, or waiting does, in sentences.
    ///
    /// - Throws: everything else.
    static func notes(_ error: GateError) throws(GateError) -> [String] {
        let lines = ErrorText.lines(of: error).filter { !$0.isEmpty }.map { VisibleText.line($0) }
        switch error.code {
        case .invalidArgument, .failedPrecondition, .resourceExhausted: return lines
        case .notFound: if error.reason == .unknown { throw error } else { return lines }
        case .aborted:
            guard error.reason == .changedMeanwhile else { throw error }
            return [localized("Somebody else has changed this meanwhile. Please look at it again.")]
        case .cancelled, .unknown, .deadlineExceeded, .alreadyExists, .permissionDenied, .outOfRange, .unimplemented,
            .internal, .unavailable, .dataLoss, .unauthenticated:
            throw error
        }
    }
}
