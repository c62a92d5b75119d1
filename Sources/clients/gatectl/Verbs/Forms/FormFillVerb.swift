import ArgumentParser
import GateClient
import GateForms
import GateModel
import GateProtocol
import GateTexts

struct FormFillVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "fill", abstract: "Fill a form in, item by item, or from a file.",
        discussion: """
            For example: gatectl form fill consent
            And: gatectl form fill motor-insurance --file test-values.yaml

            Asks one question after the other, here on the terminal; without a terminal the answers are the lines \
            of standard input. Each answer is stored at once. Return goes on and keeps the present answer, < or \
            Ctrl-B goes back, :skip leaves a question for later, :clear removes its answer, :list shows all of them \
            with their numbers, :goto 5 or :goto city goes to one, :save keeps a copy and leaves, :quit leaves, :help \
            lists these. At the end it lists what is missing, and asks whether to \
            complete the form.

            Status 0: completed; 3: left before that, by :save, :quit, Escape, Ctrl-C or the end of the input. The \
            draft stays, and the command that is printed goes on with it.

            Where there are drafts already, or responses that were kept, it asks first: a new one, going on with a draft, \
            or a new one that begins with earlier answers. --new, --draft and --from choose without asking. Without \
            a terminal it goes on with the draft that `gatectl form open` opens.

            With --file nobody is asked, and nothing changes if there is a mistake. The file has answers by their \
            linkIds, as JSON or YAML: 'city: Berlin'. What it does not name stays as it is; a group that repeats \
            is a list, 'driver: [{name: Anna}]', in place of all that are there. Or it is a QuestionnaireResponse, in \
            place of all answers. This does not complete the form.
            """)

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var revision: FormRevisionOptions

    @OptionGroup var own: OwnFormOptions

    @OptionGroup var form: DraftArguments

    @Flag(help: "Begin a new draft.")
    var new = false

    @Option(
        help: ArgumentHelp(
            "Begin a new draft with what a kept response said (`gatectl form responses`).", valueName: "number"))
    var from: UInt64?

    @Option(
        help: ArgumentHelp("Answers, or a QuestionnaireResponse, as JSON or YAML.", valueName: "path"),
        completion: .file())
    var file: String?

    func validate() throws {
        if revision.at != nil, file == nil {
            throw ValidationError("--at is for --file: a person is shown each change.")
        }
        if [new, from != nil, form.draft != nil].count(where: { $0 }) > 1 {
            throw ValidationError("Give one of --new, --draft and --from.")
        }
        if file != nil, from != nil { throw ValidationError("Give either --file or --from.") }
        if own.bring != nil, from != nil { throw ValidationError("Give either --bring or --from.") }
        if new, revision.at != nil { throw ValidationError("A new draft has no revision yet. Leave --at out.") }
    }

    func perform(_ session: Session) async throws(GateError) {
        if let file { return try await fill(from: file, session) }
        guard let signals = DismissingSignals() else {
            throw GateError(
                .unavailable, .unspecified, saying: localized("This program has no descriptors left to ask with."))
        }
        defer { signals.stopCatching() }
        let terminal = Terminal.ofThisProcess()
        let console = LineFormConsole(
            input: terminal.map { AnswerInput.terminal($0) } ?? .lines, output: session.output,
            signal: signals.wakeup, deadline: nil)
        guard let form = try await opened(session, asking: terminal == nil ? nil : console) else {
            throw GateError(.cancelled, .dismissed, saying: localized("Nothing was begun."))
        }
        let outcome = try await FormFiller(form: form, console: console).run()
        switch outcome {
        case .completed(let kept):
            let response = CompleteFormResponse(revision: kept.revision, responseID: kept.id)
            try session.output.result(response, FormLines.completed(response))
        case .saved, .left: throw FormLines.left(outcome, name: self.form.name, draft: form.draftID)
        }
    }

    /// The draft that the options name; otherwise, if there is a choice, the one that the person at `console` chooses;
    /// `nil`: nobody is asked. Returns `nil` if the person left.
    private func opened(
        _ session: Session, asking console: LineFormConsole?
    ) async throws(GateError) -> FormSession? {
        let forms = session.gate.forms
        if own.bring != nil { return try await broughtOrThere(session) }
        if let draft = form.draft { return try await forms.open(form.name, draft: draft) }
        if new { return try await forms.open(form.name, .new) }
        if let from { return try await forms.open(form.name, .response(try await forms.response(from).summary)) }
        guard let console else { return try await forms.open(form.name) }
        let beginnings = try await forms.beginnings(with: form.name).all
        guard beginnings.isChoice else { return try await forms.open(form.name) }
        guard let chosen = try await FormBeginningQuestion(beginnings, console).ask() else { return nil }
        return try await forms.open(form.name, chosen)
    }

    /// The draft that the options name, without a question.
    private func broughtOrThere(_ session: Session) async throws(GateError) -> FormSession {
        try await session.gate.forms.open(
            form.name, draft: form.draft ?? 0, beginning: new, label: "", bringing: try own.json(named: form.name))
    }

    private func fill(from path: String, _ session: Session) async throws(GateError) {
        let node = try FormFiles.node(path)
        let open = try await broughtOrThere(session)
        do throws(GateError) {
            try await fill(open, with: node, from: path, session)
        } catch {
            // Don't leave behind the draft that was begun for this.
            if new { _ = try? await open.discard() }
            throw error
        }
    }

    private func fill(
        _ open: FormSession, with node: FHIRNode, from path: String, _ session: Session
    ) async throws(GateError) {
        var request = FillFormRequest(
            target: FormTarget(name: form.name, draftID: open.draftID), atRevision: revision.at)
        if PlainAnswers.isResource(node) {
            request.response = node.json()
        } else {
            let draft = open.draft
            request.answers = ResponseWriter.json(
                try FormFiles.response(node, from: path, over: draft.response, of: open.questionnaire))
            request.atRevision = revision.at ?? draft.revision
        }
        let response = try await session.gate.call(Methods.Questionnaires.fill, request)
        try session.output.result(response, FormLines.line(response.revision, response.change))
    }
}
