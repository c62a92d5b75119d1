import ArgumentParser
import GateClient
import GateForms
import GateModel
import GateProtocol
import GateTexts

// What the verbs about forms have in common, and those that answer questions: set, suggest, remove and attach.

struct FormVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "form",
        abstract: localized("Show forms, fill them in, and keep the answers; check them without a daemon."),
        discussion: """
            For example: gatectl form fill consent
            And: gatectl form set motor-insurance 'driver[1]/driver-name' Anna

            The name of a form is that of its questionnaire (`gatectl form list`). It is filled in for the user that \
            runs this, if that user is a person's on the list of people; otherwise for the account that is signed in, \
            or if nobody is, for that user. Each answer is stored at once in a draft. There may be several drafts of a \
            form, each with a number and a label: `gatectl form open NAME --new` begins another one, `gatectl form \
            drafts` lists them, and --draft says which one is meant. The path of an item is its linkId, after those of \
            the repeating items around it: driver[1]/driver-name.
            """,
        subcommands: [
            FormListVerb.self, FormDraftsVerb.self, FormShowVerb.self, FormOpenVerb.self, FormLabelVerb.self,
            FormGetVerb.self, FormSetVerb.self,
            FormSuggestVerb.self, FormRemoveVerb.self, FormAttachVerb.self, FormFillVerb.self, FormResetVerb.self,
            FormSaveVerb.self, FormLoadVerb.self, FormReuseVerb.self, FormCompleteVerb.self, FormDiscardVerb.self,
            FormRequestVerb.self, FormResponsesVerb.self, FormResponseVerb.self, FormWithdrawVerb.self,
            FormPartsVerb.self,
            FormValidateVerb.self, FormCheckVerb.self, FormNewVerb.self,
        ])
}

struct FormArguments: ParsableArguments, Sendable {
    @Argument(help: "The form's name: consent.", completion: NameCompletion.forms)
    var name: String
}

struct OwnFormOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "Bring this form along, a questionnaire as JSON or YAML, for a device that has none of that name.",
            valueName: "path"),
        completion: .file())
    var bring: String?

    /// - Throws: `INVALID_ARGUMENT` with everything that is wrong with the file.
    func json(named name: String) throws(GateError) -> [UInt8]? {
        try bring.map { path throws(GateError) in try FormFiles.questionnaireJSON(path, named: name) }
    }
}

struct DraftArguments: ParsableArguments, Sendable {
    @OptionGroup var form: FormArguments

    @Option(
        help: ArgumentHelp(
            "Which of several drafts (`gatectl form drafts`). Default: 0, the one that `open` opens.",
            valueName: "number"))
    var draft: UInt64?

    var name: String { form.name }

    var target: FormTarget { FormTarget(name: form.name, draftID: draft ?? 0) }
}

struct FormRevisionOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "Only if the draft is still at this revision; otherwise status 75, and nothing changes.",
            valueName: "revision"))
    var at: UInt64?
}

struct FormAnswerArguments: ParsableArguments, Sendable {
    @OptionGroup var form: DraftArguments

    @Argument(help: "The question's path: driver[1]/driver-name.", transform: FormPathText.parse)
    var path: FormPath

    @Argument(
        help: ArgumentHelp(
            """
            The answer as people write it: Anna, 42, yes, 2015-03-02, "75 kW"; for a choice its code, its text or \
            its number. Several if the question takes several. If it begins with a dash, put -- before it.
            """, valueName: "value"))
    var values: [String] = []

    /// Makes a call with the answer as it was typed. Without values the call clears the answer.
    /// - Throws: the daemon's error. If the form has no such question, the message suggests similar names.
    func call<Request: FormAnswerRequest, Response>(
        _ method: Method<Request, Response>, _ request: Request, _ session: Session
    ) async throws(GateError) -> Response {
        var request = request
        if !values.isEmpty { request.typed = TypedAnswers(texts: values, habits: .ofPerson) }
        do throws(GateError) {
            return try await session.gate.call(method, request)
        } catch {
            guard error.code == .notFound, error.reason == .unknown else { throw error }
            let questionnaire = try await session.gate.forms.description(of: form.name).questionnaire
            guard questionnaire.item(path.linkID) == nil else { throw error }
            throw FormPathText.unknown(path, in: questionnaire)
        }
    }
}

struct FormSetVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Answer one question of a draft, or clear it.",
        discussion: """
            For example: gatectl form set consent child-birth-date 2015-03-02
            And: gatectl form set motor-insurance 'driver[1]/licence' b c1

            Without a value, or with --clear, the answer is removed. If an answer really changes, the answers that \
            depend on it are cleared and listed. If there are two drivers, driver[2] makes a third.
            """)

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var revision: FormRevisionOptions

    @OptionGroup var answer: FormAnswerArguments

    @Flag(help: "Remove the answer.")
    var clear = false

    func validate() throws {
        if clear, !answer.values.isEmpty { throw ValidationError("Give either a value or --clear.") }
    }

    func perform(_ session: Session) async throws(GateError) {
        let request = SetAnswerRequest(
            target: answer.form.target, atRevision: revision.at, path: answer.path.description,
            answers: answer.values.isEmpty ? ResponseWriter.answers([]) : [])
        let response = try await answer.call(Methods.Questionnaires.set, request, session)
        try session.output.result(response, FormLines.line(response.revision, response.change))
    }
}

struct FormSuggestVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "suggest", abstract: "Answer a question only if it has no answer.",
        discussion: """
            For example: gatectl form suggest motor-insurance engine-power "75 kW"
            And: gatectl form suggest motor-insurance engine-power --pending 10s

            If something else is answered, the suggestion waits beside it until somebody takes it. \
            `gatectl form get` shows it.

            With --pending it says that the answer is being fetched, so that people see that it comes. It runs until the \
            answer is there, or the time is over; if it is stopped, people no longer see this. --withdraw takes back what waits, and \
            what was said with --pending.
            """)

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var revision: FormRevisionOptions

    @OptionGroup var answer: FormAnswerArguments

    @Option(
        help: ArgumentHelp(
            "The answer is being fetched, and comes within this time: 10s, at most 1m.", valueName: "duration"),
        transform: DurationText.parse)
    var pending: Duration?

    @Flag(help: "Take back what waits, or is being fetched.")
    var withdraw = false

    func validate() throws {
        let given = [!answer.values.isEmpty, pending != nil, withdraw].count { $0 }
        if given == 0 { throw ValidationError("Say what to suggest.") }
        if given > 1 { throw ValidationError("Give one of a value, --pending and --withdraw.") }
    }

    func perform(_ session: Session) async throws(GateError) {
        let milliseconds = (pending?.clampedNanoseconds ?? 0) / 1_000_000
        let request = SuggestAnswerRequest(
            target: answer.form.target, atRevision: revision.at, path: answer.path.description,
            answers: withdraw ? ResponseWriter.answers([]) : [], pendingMilliseconds: milliseconds)
        let response = try await answer.call(Methods.Questionnaires.suggest, request, session)
        try session.output.result(response, FormLines.line(response.revision, response.change))
        if pending != nil { try await wait(session) }
    }

    /// Waits until the answer is no longer announced as being fetched. The announcement would end with this connection.
    private func wait(_ session: Session) async throws(GateError) {
        let form = try await session.gate.forms.open(answer.form.name, draft: answer.form.draft ?? 0)
        for await _ in form.updates {
            guard form.pending.contains(where: { $0.isBeingFetched && $0.path.isNamed(by: answer.path) }) else {
                return
            }
        }
    }
}

struct FormRemoveVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove one of several groups.",
        discussion: "For example: gatectl form remove motor-insurance 'driver[1]'. Those after it move up.")

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var revision: FormRevisionOptions

    @OptionGroup var form: DraftArguments

    @Argument(help: "The group's path, with its number from 0: driver[1].", transform: FormPathText.parse)
    var path: FormPath

    func perform(_ session: Session) async throws(GateError) {
        let request = RemoveGroupRequest(
            target: form.target, atRevision: revision.at, path: path.description)
        let response = try await session.gate.call(Methods.Questionnaires.remove, request)
        try session.output.result(response, FormLines.line(response.revision, response.change))
    }
}

struct FormAttachVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "attach", abstract: "Answer a question with a document.",
        discussion: """
            For example: gatectl form attach consent signed-letter letter.pdf
            At most 3 MiB. If the question takes several documents, this one is added.
            """)

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var revision: FormRevisionOptions

    @OptionGroup var form: DraftArguments

    @Argument(help: "The question's path.", transform: FormPathText.parse)
    var path: FormPath

    @Argument(help: "The document; - is standard input.", completion: .file())
    var file: String

    @Option(
        help: ArgumentHelp("The media type: image/png. Default: by the suffix of the file.", valueName: "media-type"))
    var type: String?

    func perform(_ session: Session) async throws(GateError) {
        let file = try AttachmentFile(path: file, mediaType: type)
        let questionnaire = try await session.gate.forms.description(of: form.name).questionnaire
        guard let item = questionnaire.item(path.linkID) else { throw FormPathText.unknown(path, in: questionnaire) }
        guard item.kind == .attachment else {
            throw GateError(
                .invalidArgument, .badAnswer,
                saying: localized(
                    "'{path}' takes no document. Answer it with `gatectl form set`.", ["path": "\(path)"]))
        }
        var values = [FormValue.attachment(try await file.uploaded(to: session.gate))]
        var at = revision.at
        if item.repeats {
            let draft = try await session.gate.call(
                Methods.Questionnaires.read, ReadFormRequest(target: form.target)
            ).draft
            values =
                try FormListing(questionnaire, try FormLines.response(draft.response)).values(at: path) + values
            at = at ?? draft.summary.revision
        }
        let request = SetAnswerRequest(
            target: form.target, atRevision: at, path: path.description, answers: ResponseWriter.answers(values))
        let response = try await session.gate.call(Methods.Questionnaires.set, request)
        try session.output.result(response, FormLines.line(response.revision, response.change))
    }
}

/// Paths of questions as people write them on the command line.
enum FormPathText {
    static func parse(_ text: String) throws(ValidationError) -> FormPath {
        guard let path = FormPath(text: text) else {
            throw ValidationError(
                "'\(text)' is no path. Write the linkId, behind those of the repeating items around it: driver[1]/name."
            )
        }
        return path
    }

    static func unknown(_ path: FormPath, in questionnaire: Questionnaire) -> GateError {
        let names = questionnaire.allItems.filter(\.kind.isQuestion).map(\.linkID)
        let nearest = NearestNames.of(path.linkID, among: names)
        let hint =
            nearest.isEmpty
            ? localized("`gatectl form show {form}` has all of them.", ["form": questionnaire.name])
            : localized("Did you mean {names}?", ["names": ListText.things(nearest.map(VisibleText.line))])
        let item = VisibleText.line(path.linkID)
        return GateError(
            .notFound, .unknown,
            saying: localized("This form has no item '{item}'. {hint}", ["item": item, "hint": hint]))
    }
}
