import GateForms
import GateModel
import GateScreens
import GateTexts

/// Asks one question of a form, again and again until the form takes the answer or the person goes elsewhere.
struct FormAsking: Sendable {
    let form: any FillableForm
    let console: any FormConsole
    /// Lines about what came before, to be shown with the question.
    let passed: [String]

    // MARK: A question

    func ask(_ path: FormPath, of item: QuestionnaireItem) async throws(GateError) -> FormFiller.Step {
        var notes: [String] = []
        var shown: FormWalk.Question?
        while true {
            let walk = try await currentWalk()
            // Another client may have disabled the question. In a group that is about to be added, it isn't there yet.
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
                // Return keeps the answer that was shown. If another one came meanwhile, show that first.
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
                // Take the suggestion that was shown, not one that came since.
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

    /// Sends what was typed as the answer, and returns what it cleared. If the question repeats, a line adds an answer,
    /// or, with a list of choices, replaces them. For an attachment the line is the path of a file.
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
        // Look for the whole line first, since an option's text may have a comma in it.
        if let value = FormOptions(item, for: Localization.languages).value(text, byLabel: .first) { return [value] }
        var values: [FormValue] = []
        for part in text.split(whereSeparator: { ",，、".contains($0) }) {
            values.append(try answer.labelled(String(part)))
        }
        return values
    }

    /// Whether to go on to the next question, because this one takes no further answer.
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
    /// The line that the person typed; `nil` if the person left, or there is no more input.
    /// - Throws: `CANCELLED` if the form is no longer to be answered.
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

    /// The error in sentences, if another answer, or waiting, can mend it.
    /// - Throws: any other error.
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
