import ArgumentParser
import GateClient
import GateForms
import GateModel
import GatePolicy
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
            draft stays, and the same command goes on with it.

            With --file nobody is asked, and nothing changes if there is a mistake. The file has answers by their \
            linkIds, as JSON or YAML: 'city: Berlin' (F-83). What it does not name stays as it is; a group that repeats \
            is a list, 'driver: [{name: Anna}]', in place of all that are there. Or it is a QuestionnaireResponse, in \
            place of all answers. This does not complete the form.
            """)

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var revision: FormRevisionOptions

    @OptionGroup var form: FormArguments

    @Option(
        help: ArgumentHelp("Answers, or a QuestionnaireResponse, as JSON or YAML.", valueName: "path"),
        completion: .file())
    var file: String?

    func validate() throws {
        if revision.at != nil, file == nil {
            throw ValidationError("--at is for --file: a person is shown each change.")
        }
    }

    func perform(_ session: Session) async throws(GateError) {
        if let file { return try await fill(from: file, session) }
        let form = try await session.gate.forms.open(form.name)
        guard let signals = DismissingSignals() else {
            throw GateError(
                .unavailable, .unspecified, saying: localized("This program has no descriptors left to ask with."))
        }
        defer { signals.stopCatching() }
        let input = Terminal.ofThisProcess().map { AnswerInput.terminal($0) } ?? .lines
        let console = LineFormConsole(
            input: input, output: session.output, signal: signals.wakeup, deadline: nil)
        let outcome = try await FormFiller(form: form, console: console).run()
        switch outcome {
        case .completed(let kept):
            let response = CompleteFormResponse(revision: kept.revision, responseID: kept.id)
            try session.output.result(response, FormLines.completed(response))
        case .saved, .left: throw FormLines.left(outcome, name: self.form.name)
        }
    }

    private func fill(from path: String, _ session: Session) async throws(GateError) {
        let node = try FormFiles.node(path)
        var (json, atRevision) = (node.json(), revision.at)
        if PlainAnswers.isResource(node) {
            _ = try await session.gate.call(Methods.Questionnaires.open, OpenFormRequest(target: form.target))
        } else {
            let open = try await session.gate.forms.open(form.name)
            let draft = open.draft
            json = ResponseWriter.json(
                try FormFiles.response(node, from: path, over: draft.response, of: open.questionnaire))
            // What the file does not name is as it was there.
            atRevision = atRevision ?? draft.revision
        }
        let request = FillFormRequest(target: form.target, atRevision: atRevision, response: json)
        let response = try await session.gate.call(Methods.Questionnaires.fill, request)
        try session.output.result(response, FormLines.line(response.revision, response.change))
    }
}
