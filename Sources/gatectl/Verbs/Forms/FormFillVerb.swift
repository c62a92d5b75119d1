import ArgumentParser
import GateClient
import GateForms
import GateModel
import GatePolicy
import GateProtocol

struct FormFillVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "fill", abstract: "Fill a form in, item by item, or from a file.",
        discussion: """
            For example: gatectl form fill consent
            And: gatectl form fill motor-insurance --file test-values.yaml

            Asks one question after the other, here on the terminal; without a terminal the answers are the lines of standard \
            input. What is typed is kept at once. Return goes on and keeps what is there, < or Ctrl-B goes back, :skip leaves \
            a question for later, :clear takes its answer away, :save keeps a copy and leaves, :quit leaves, :help says so. \
            At the end stands what is missing, and whether to complete it.

            Status 0: it is completed; 3: it was left before, by :save, :quit, Escape, Ctrl-C or the end of the input, and \
            the draft stays: the same command goes on with it.

            With --file nobody is asked: a QuestionnaireResponse, as JSON or YAML, takes the place of all answers, or, where \
            something in it is wrong, nothing changes. It is not completed by that.
            """)

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var revision: FormRevisionOptions

    @OptionGroup var form: FormArguments

    @Option(help: ArgumentHelp("A QuestionnaireResponse, as JSON or YAML.", valueName: "path"), completion: .file())
    var file: String?

    func validate() throws {
        if revision.at != nil, file == nil {
            throw ValidationError("--at is for --file: a person is shown each change.")
        }
    }

    func perform(_ session: Session) async throws(GateError) {
        if let file { return try await fill(from: file, session) }
        let form = try await session.gate.form(form.name)
        guard let signals = DismissingSignals() else {
            throw GateError(.unavailable, .unspecified, "This program has no descriptors left to ask with.")
        }
        defer { signals.stopCatching() }
        let input = Terminal.ofThisProcess().map { AnswerInput.terminal($0) } ?? .lines
        let console = LineFormConsole(
            input: input, output: session.output, signal: signals.wakeup, deadline: nil)
        let outcome = try await FormFiller(form: form, console: console).run()
        switch outcome {
        case .completed(let id):
            let response = CompleteFormResponse(
                revision: try await session.gate.ping().revision, responseID: id)
            try session.output.result(response, FormLines.completed(response))
        case .saved, .left: throw FormLines.left(outcome, name: self.form.name)
        }
    }

    private func fill(from path: String, _ session: Session) async throws(GateError) {
        let bytes = try FormFiles.responseJSON(path)
        _ = try await session.gate.call(Methods.Questionnaires.open, OpenFormRequest(target: form.target))
        let request = FillFormRequest(target: form.target, atRevision: revision.at, response: bytes)
        let response = try await session.gate.call(Methods.Questionnaires.fill, request)
        try session.output.result(response, FormLines.line(response.revision, response.change))
    }
}
