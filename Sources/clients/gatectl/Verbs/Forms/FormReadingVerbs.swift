import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts

// The verbs that show forms and drafts: list, show, open and get, and label, by which people tell drafts apart.

struct FormListVerb: Verb {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the forms of the device.")

    @OptionGroup var connection: ConnectionOptions

    func perform(_ session: Session) async throws(GateError) {
        let forms = try await session.gate.forms.list()
        try await session.output.list(
            forms, as: ListQuestionnairesResponse.self,
            orNone: localized("There are no forms. Forms are files in questionnaires.d."), columns: FormLines.columns)
    }
}

struct FormShowVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a form: its items, with their types and rules.",
        discussion: "For example: gatectl form show consent. With --json the Questionnaire resource.")

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var form: FormArguments

    func perform(_ session: Session) async throws(GateError) {
        let form = try await session.gate.forms.description(of: form.name)
        guard !session.output.isJSON else {
            return session.output.line(String(decoding: form.json, as: UTF8.self))
        }
        for line in QuestionnaireText(form.questionnaire).lines { session.output.line(line) }
    }
}

struct FormOpenVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Open a draft, or join the one that is there, and show it.",
        discussion: """
            For example: gatectl form open consent
            And: gatectl form open motor-insurance --new --label 'Anna, Golf'

            With --new it begins another draft beside those that are there, for a second customer. It prints the \
            number for --draft.

            A program may bring a form of its own: gatectl form open weekly-plan --bring weekly-plan.yaml. People are told \
            that no administrator has checked it. If the device has a form of that name, that one is opened. The daemon \
            keeps what was brought as long as it has a draft, as weekly-plan@1000 for the user 1000.
            """)

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var form: DraftArguments

    @OptionGroup var own: OwnFormOptions

    @Flag(help: "Begin another draft.")
    var new = false

    @Option(
        help: ArgumentHelp(
            "A label for the new draft. Default: the answers make one if the form says how.", valueName: "text"))
    var label: String?

    func validate() throws {
        if new, form.draft != nil { throw ValidationError("Give either --new or --draft.") }
        if !new, label != nil {
            throw ValidationError("--label is for --new. `gatectl form label` is for a draft that is there.")
        }
    }

    func perform(_ session: Session) async throws(GateError) {
        guard !session.output.isJSON else {
            let request = OpenFormRequest(
                target: form.target, beginsAnother: new, label: label ?? "",
                questionnaire: try own.json(named: form.name))
            let response = try await session.gate.call(Methods.Questionnaires.open, request)
            return session.output.line(try response.json())
        }
        let draft = try await session.gate.forms.open(
            form.name, draft: form.draft ?? 0, beginning: new, label: label ?? "",
            bringing: try own.json(named: form.name))
        session.output.note(FormLines.line(draft.summary))
        for line in FormListing(draft.questionnaire, draft.response).lines() { session.output.line(line) }
    }
}

struct FormLabelVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "label", abstract: "Give a draft a label that tells it from others.",
        discussion: """
            For example: gatectl form label motor-insurance 'Anna, Golf' --draft 3
            Without a text, the label is removed; then the answers make one if the form says how.
            """)

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var form: DraftArguments

    @Argument(help: "One line of at most 200 bytes.")
    var text = ""

    func perform(_ session: Session) async throws(GateError) {
        let response = try await session.gate.call(
            Methods.Questionnaires.label, LabelDraftRequest(target: form.target, label: text))
        try session.output.result(response, at: response.revision, FormLines.labelled(text))
    }
}

struct FormGetVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Show the answers of a draft.",
        discussion: """
            For example: gatectl form get consent
            And: name=$(gatectl form get consent child-name)

            With the path of a question it prints only the answers, one a line; with that of a group, its items. \
            With --json it prints the QuestionnaireResponse resource, or the array of answers.

            A suggestion that waits, or is being fetched, stands behind the answer. With --pending it prints these alone; with \
            --json they are a list of objects with "path" and "answers"; one that is being fetched has \
            "deadlineBoottimeNanoseconds" in place of "answers".
            """)

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var form: DraftArguments

    @Argument(help: "The item's path: driver[1]/driver-name. Default: the whole form.", transform: FormPathText.parse)
    var path: FormPath?

    @Flag(help: "Only the suggestions that wait, or are being fetched.")
    var pending = false

    func validate() throws {
        if pending, path != nil { throw ValidationError("--pending is for the whole form. Leave out the path.") }
    }

    func perform(_ session: Session) async throws(GateError) {
        let draft = try await session.gate.call(
            Methods.Questionnaires.read, ReadFormRequest(target: form.target)
        ).draft
        if pending { return try await printPending(draft, session) }
        guard path != nil || !session.output.isJSON else {
            return session.output.line(String(decoding: draft.response, as: UTF8.self))
        }
        let questionnaire = try await session.gate.forms.description(of: form.name).questionnaire
        let listing = FormListing(
            questionnaire, try FormLines.response(draft.response), pending: try FormLines.pending(draft))
        guard let path else {
            for line in listing.lines() { session.output.line(line) }
            return
        }
        if session.output.isJSON {
            session.output.line(FormLines.json(try listing.values(at: path)))
        } else {
            for line in try listing.lines(at: path) { session.output.line(line) }
        }
    }

    private func printPending(_ draft: FormDraftMessage, _ session: Session) async throws(GateError) {
        let pending = try FormLines.pending(draft)
        guard !session.output.isJSON else { return session.output.line(FormLines.json(pending)) }
        let questionnaire = try await session.gate.forms.description(of: form.name).questionnaire
        for suggestion in pending {
            guard let item = questionnaire.item(suggestion.path.linkID) else { continue }
            session.output.line(
                ListText.pair(
                    VisibleText.line(suggestion.path.description), FormQuestionText.words(suggestion, of: item)))
        }
    }
}
