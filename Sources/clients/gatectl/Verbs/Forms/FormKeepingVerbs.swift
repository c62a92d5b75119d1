import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts

struct FormResetVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Restore the initial values of a draft, and clear the rest.")

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var revision: FormRevisionOptions

    @OptionGroup var form: DraftArguments

    func perform(_ session: Session) async throws(GateError) {
        let response = try await session.gate.call(
            Methods.Questionnaires.reset, ResetFormRequest(target: form.target, atRevision: revision.at))
        try session.output.result(response, FormLines.line(response.revision, response.change))
    }
}

struct FormSaveVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "save", abstract: "Keep a copy of a draft as it is.",
        discussion: "Prints the number of the response, for `gatectl form load`.")

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var form: DraftArguments

    func perform(_ session: Session) async throws(GateError) {
        let response = try await session.gate.call(
            Methods.Questionnaires.save, SaveFormRequest(target: form.target))
        try session.output.result(
            response, at: response.revision,
            localized("response {id}  kept, and not completed", ["id": "\(response.responseID)"]))
    }
}

struct FormLoadVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "load", abstract: "Replace all answers of the draft with a kept response.",
        discussion: "For example: gatectl form load consent 7. Answers that no longer fit are left out and listed.")

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var revision: FormRevisionOptions

    @OptionGroup var form: DraftArguments

    @Argument(help: "The number of a response: `gatectl form responses`.")
    var id: UInt64

    func perform(_ session: Session) async throws(GateError) {
        try await session.load(id, into: form, at: revision.at)
    }
}

struct FormReuseVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "reuse", abstract: "Begin with the answers of an earlier response.",
        discussion: """
            For example: gatectl form reuse motor-insurance
            Opens a draft if there is none. Answers that no longer fit are left out and listed.
            """)

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var revision: FormRevisionOptions

    @OptionGroup var form: DraftArguments

    @Argument(help: "The number of a response. Default: the newest completed one.")
    var id: UInt64?

    func perform(_ session: Session) async throws(GateError) {
        try await session.load(id, into: form, at: revision.at)
    }
}

extension Session {
    /// - Parameter id: `nil`: the newest completed response.
    fileprivate func load(
        _ id: UInt64?, into form: DraftArguments, at revision: UInt64?
    ) async throws(GateError) {
        let request = LoadFormRequest(target: form.target, atRevision: revision, responseID: id)
        let response = try await gate.call(Methods.Questionnaires.load, request)
        try output.result(response, FormLines.line(response.revision, response.change))
    }
}

struct FormCompleteVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "complete", abstract: "Keep a draft as a completed response, and close it.",
        discussion: """
            Status 1: something is missing or wrong, or only a grown-up may complete the form: an administrator, a \
            person at a grown-up's screen (gatectl form request), or the person who answered a question for the \
            same request.
            """)

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var revision: FormRevisionOptions

    @OptionGroup var form: DraftArguments

    func perform(_ session: Session) async throws(GateError) {
        let response = try await session.gate.call(
            Methods.Questionnaires.complete, CompleteFormRequest(target: form.target, atRevision: revision.at))
        try session.output.result(response, FormLines.completed(response))
    }
}

struct FormDraftsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "drafts", abstract: "List the drafts: your own, or as an administrator everybody's.",
        discussion: """
            For example: gatectl form drafts motor-insurance
            One draft per line: the form, the number for --draft, its owner, its label.
            """)

    @OptionGroup var connection: ConnectionOptions

    @Argument(help: "The form's name. Default: all forms.", completion: NameCompletion.forms)
    var name: String?

    func perform(_ session: Session) async throws(GateError) {
        let drafts = try await session.gate.forms.drafts(of: name)
        try await session.output.list(
            drafts, as: ListDraftsResponse.self, orNone: localized("There are no drafts."), columns: FormLines.columns)
    }
}

struct FormDiscardVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "discard", abstract: "Throw a draft away.",
        discussion: """
            Responses that `save` or `complete` kept stay. An administrator can throw away anybody's draft, as \
            `gatectl form drafts` lists them: sudo gatectl form discard consent --user anna
            """)

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var form: DraftArguments

    @Option(
        help: ArgumentHelp("The owner's name or uid (administrators).", valueName: "user"), transform: UserText.parse)
    var user: UInt32?

    @Option(help: ArgumentHelp("The owner's account (administrators).", valueName: "name"))
    var account: String?

    func validate() throws {
        guard user == nil || account == nil else { throw ValidationError("Give a user or an account, not both.") }
    }

    func perform(_ session: Session) async throws(GateError) {
        let holder = user.map { FormHolder.user($0) } ?? account.map { .account($0) }
        let response = try await session.gate.call(
            Methods.Questionnaires.discard, DiscardFormRequest(target: form.target, holder: holder))
        try session.output.result(response, at: response.revision, localized("the draft is deleted"))
    }
}

struct FormRequestVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "request", abstract: "Ask for a form on another screen, and wait.",
        discussion: """
            For example: gatectl form request consent. Status 0: completed; 3: dismissed; 2: no screen could show \
            it. To fill it in here: gatectl form fill.
            """)

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var own: OwnFormOptions

    @OptionGroup var form: FormArguments

    func perform(_ session: Session) async throws(GateError) {
        let (gate, name) = (session.gate, form.name)
        let request = RequestFormRequest(name: name, questionnaire: try own.json(named: name))
        let response = try await session.waitingForOthers(saysSo: Terminal.ofThisProcess() != nil) {
            () throws(GateError) in
            try await gate.call(Methods.Questionnaires.request, request, timeout: nil)
        }
        try session.output.result(
            response, at: response.revision, localized("response {id}  completed", ["id": "\(response.responseID)"]))
    }
}
