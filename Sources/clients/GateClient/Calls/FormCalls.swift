import GateForms
public import GateModel
import GateProtocol

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

extension GateClient {
    /// Calls about the forms of the device, and the answers to them. A form is named by the `id` of its questionnaire.
    public struct FormCalls: Sendable {
        let client: GateClient
    }
}

extension GateClient.FormCalls {
    /// Opens a form for the person who is signed in: their existing draft, or a new one with initial values.
    ///
    /// ```swift
    /// let consent = try await gate.forms.open("consent")
    /// try await consent.set("child-name", to: "Tim")
    /// try await consent.complete()
    /// ```
    ///
    /// If this program shows a form as a presentation, open it with `OpenPresentation.form` instead.
    /// - Parameter draft: the number of a draft, as listed by `drafts(of:)`; 0: the one that is opened by default.
    /// - Throws: `NOT_FOUND` (`unknown`), `RESOURCE_EXHAUSTED` (`limit`).
    public func open(_ name: String, draft: UInt64 = 0) async throws(GateError) -> FormSession {
        try await FormSession.open(FormTarget(name: name, draftID: draft), over: line)
    }

    /// Opens a form that the app brings along, unless a form of that name is installed, which is then used.
    ///
    /// ```swift
    /// let plan = try await gate.forms.open("weekly-plan", bringing: questionnaireJSON)
    /// ```
    ///
    /// People are told that the app has written the form. The daemon keeps it while a draft of it exists, under the
    /// name `name@uid`; calls of the same user may use `name`.
    /// - Parameter questionnaire: a FHIR Questionnaire as JSON in UTF-8, at most 64 KiB.
    /// - Throws: `INVALID_ARGUMENT` (`invalidRequest`) with the form's first mistake; `RESOURCE_EXHAUSTED` (`limit`);
    ///   `FAILED_PRECONDITION` (`changedMeanwhile`) if drafts of another version of the form have many answers.
    public func open(_ name: String, bringing questionnaire: [UInt8]) async throws(GateError) -> FormSession {
        try await open(name, draft: 0, beginning: false, label: "", bringing: questionnaire)
    }

    /// Opens a draft with all the options of `open` and `begin`. `another` begins a new draft beside the existing ones;
    /// `questionnaire` is the app's own form as FHIR JSON, or `nil` for a form of the device.
    package func open(
        _ name: String, draft: UInt64, beginning another: Bool, label: String, bringing questionnaire: [UInt8]?
    ) async throws(GateError) -> FormSession {
        try await FormSession.open(
            FormTarget(name: name, draftID: draft), beginning: another, label: label, own: questionnaire,
            over: line)
    }

    /// Begins a new draft of a form, with initial values, beside the existing ones. So an agent can fill in one form
    /// for several customers at once.
    ///
    /// ```swift
    /// let anna = try await gate.forms.begin("motor-insurance", label: "Anna")
    /// let ben = try await gate.forms.begin("motor-insurance", label: "Ben")
    /// for draft in try await gate.forms.drafts(of: "motor-insurance") { print(draft.draftID, draft.label) }
    /// ```
    ///
    /// - Parameter label: distinguishes the draft from others, for people. One line of at most 200 bytes; empty: the
    ///   daemon makes it from the answers that the form marks for this.
    /// - Throws: `NOT_FOUND` (`unknown`); `RESOURCE_EXHAUSTED` (`limit`); `INVALID_ARGUMENT` (`invalidRequest`) if the
    ///   label is not one line or too long.
    public func begin(_ name: String, label: String = "") async throws(GateError) -> FormSession {
        try await FormSession.open(FormTarget(name: name), beginning: true, label: label, over: line)
    }

    /// The caller's drafts, by form, then by id; for administrators those of all holders, by form, holder and id.
    /// - Parameter name: `nil`: all forms.
    public func drafts(of name: String? = nil) async throws(GateError) -> [FormSummary] {
        try await client.allPages(of: Methods.Questionnaires.listDrafts) {
            ListDraftsRequest(name: name, pageToken: $0)
        }
    }

    /// All forms of the device, and those that apps of this user have brought, by name.
    public func list() async throws(GateError) -> [QuestionnaireSummary] {
        try await client.allPages(of: Methods.Questionnaires.list) { ListQuestionnairesRequest(pageToken: $0) }
    }

    /// A whole form, as a value and as FHIR JSON.
    /// - Throws: `NOT_FOUND` (`unknown`).
    public func description(of name: String) async throws(GateError) -> FormDescription {
        let request = GetQuestionnaireRequest(name: name)
        let json = try await client.call(Methods.Questionnaires.get, request).questionnaire
        return FormDescription(questionnaire: try Questionnaire(ofDaemon: json, named: name), json: json)
    }

    /// Asks a person to fill in a form, which a presenter of the device shows, and waits until it is completed.
    /// Cancelling the task withdraws the request.
    /// - Throws: `CANCELLED` (`dismissed`); `ABORTED` (`noPresenter`) if no presenter can show it; `DEADLINE_EXCEEDED`
    ///   (`expired`); `NOT_FOUND` (`unknown`).
    @discardableResult
    public func request(_ name: String) async throws(GateError) -> ResponseChange {
        try await request(RequestFormRequest(name: name))
    }

    /// Asks a person to fill in a form that the app brings along, as `request(_:)` does with a form of the device.
    /// - Throws: the errors of `request(_:)` and `open(_:bringing:)`.
    @discardableResult
    public func request(
        _ name: String, bringing questionnaire: [UInt8]
    ) async throws(GateError) -> ResponseChange {
        try await request(RequestFormRequest(name: name, questionnaire: questionnaire))
    }

    private func request(_ request: RequestFormRequest) async throws(GateError) -> ResponseChange {
        let response = try await client.call(Methods.Questionnaires.request, request, timeout: nil)
        return ResponseChange(id: response.responseID, revision: response.revision)
    }

    /// Checks a response to a form as if it were to be completed. It changes nothing.
    /// - Throws: `NOT_FOUND` (`unknown`).
    public func validate(
        _ response: QuestionnaireResponse, against name: String
    ) async throws(GateError) -> FormVerdict {
        try await validate(json: ResponseWriter.json(response), against: name)
    }

    /// Checks a QuestionnaireResponse in FHIR JSON as if it were to be completed. It changes nothing.
    /// - Throws: `NOT_FOUND` (`unknown`).
    public func validate(json response: [UInt8], against name: String) async throws(GateError) -> FormVerdict {
        let request = ValidateFormRequest(target: FormTarget(name: name), response: response)
        let answer = try await client.call(Methods.Questionnaires.validate, request)
        return try FormVerdict(outcome: answer.outcome, isValid: answer.isValid)
    }

    // MARK: What is kept

    /// The caller's kept responses, oldest first; for administrators those of all holders.
    /// - Parameter name: `nil`: all forms.
    public func responses(to name: String? = nil) async throws(GateError) -> [ResponseSummary] {
        try await client.allPages(of: Methods.Questionnaires.listResponses) {
            ListResponsesRequest(name: name, pageToken: $0)
        }
    }

    /// A kept response, with its answers.
    /// - Throws: `NOT_FOUND` (`unknown`).
    public func response(_ id: UInt64) async throws(GateError) -> KeptResponse {
        let kept = try await client.call(Methods.Questionnaires.getResponse, GetResponseRequest(responseID: id))
        return KeptResponse(summary: kept.summary, response: try QuestionnaireResponse(ofDaemon: kept.response))
    }

    /// Withdraws a completed response, which is kept but does not count any more. Deletes one that was only saved.
    /// - Throws: `NOT_FOUND` (`unknown`).
    @discardableResult
    public func withdrawResponse(_ id: UInt64) async throws(GateError) -> ResponseChange {
        let request = WithdrawResponseRequest(responseID: id)
        let response = try await client.call(Methods.Questionnaires.withdrawResponse, request)
        return ResponseChange(id: id, revision: response.revision)
    }

    // MARK: Parts

    /// The caller's kept parts, oldest first; for administrators those of all holders. A part is a set of answers, such
    /// as a person's address, that any form can use whose items have the same `definition`.
    ///
    /// ```swift
    /// let order = try await gate.forms.open("motor-insurance")
    /// let people = try await gate.forms.parts(of: "https://gate.example/fhir/StructureDefinition/person")
    /// if let anna = people.first { try await order.take([anna.id], into: "policy-holder") }
    /// ```
    ///
    /// - Parameter definition: the `definition` of an item, a URI; `nil`: all.
    /// - Throws: `UNIMPLEMENTED` if the daemon keeps no parts.
    public func parts(of definition: String? = nil) async throws(GateError) -> [PartSummary] {
        try await client.allPages(of: Methods.Questionnaires.listParts) {
            ListPartsRequest(definition: definition, pageToken: $0)
        }
    }

    /// A kept part, with its answers.
    /// - Throws: `NOT_FOUND` (`unknown`).
    public func part(_ id: UInt64) async throws(GateError) -> KeptPart {
        let kept = try await client.call(Methods.Questionnaires.getPart, GetPartRequest(partID: id))
        return KeptPart(summary: kept.summary, response: try QuestionnaireResponse(ofDaemon: kept.response))
    }

    /// Sets a part's label.
    /// - Parameter label: one line of at most 200 bytes; empty: the daemon makes it from the answers.
    /// - Throws: `NOT_FOUND` (`unknown`), `INVALID_ARGUMENT` (`invalidRequest`).
    public func labelPart(_ id: UInt64, _ label: String) async throws(GateError) {
        _ = try await client.call(Methods.Questionnaires.labelPart, LabelPartRequest(partID: id, label: label))
    }

    /// Removes a part. Forms that its answers were copied into keep them.
    /// - Throws: `NOT_FOUND` (`unknown`).
    public func removePart(_ id: UInt64) async throws(GateError) {
        _ = try await client.call(Methods.Questionnaires.removePart, RemovePartRequest(partID: id))
    }

    // MARK: Documents

    /// Uploads the bytes of a document, so that an answer can name them. If none has named them when the connection
    /// closes, the daemon drops them. `FormSession.attach` uploads a document and answers with it.
    /// - Parameter bytes: at most 3 MiB.
    /// - Throws: `RESOURCE_EXHAUSTED` (`limit`).
    public func upload(_ bytes: [UInt8]) async throws(GateError) -> AttachmentDigest {
        try await line.upload(bytes)
    }

    /// The bytes of a document in a draft or a response that this client may read.
    /// - Throws: `NOT_FOUND` (`unknown`).
    public func download(_ digest: AttachmentDigest) async throws(GateError) -> [UInt8] {
        try await line.download(digest)
    }

    private var line: FormLine { FormLine(of: client.connection) }
}

extension OpenPresentation {
    /// Opens the form that this presentation invites to, for the person whom it is meant for. Its completion closes the
    /// presentation, so return `PresentationAnswer.closedByState` from the handler.
    /// - Parameters:
    ///   - draft: the number of a draft; 0: the one that the presentation is about. Only programs of the same person
    ///     and of administrators can open others; completing any of them closes the presentation.
    ///   - another: whether to begin a new draft.
    /// - Throws: the errors of `FormCalls.open`; `FAILED_PRECONDITION` (`unspecified`) if this is not a form;
    ///   `PERMISSION_DENIED` (`notPermitted`) if `another` is true and the form is for somebody else.
    public func form(draft: UInt64 = 0, beginning another: Bool = false) async throws(GateError) -> FormSession {
        switch content {
        case .form(let invitation):
            let target = FormTarget(name: invitation.name, cookie: presentation.cookie, draftID: draft)
            return try await FormSession.open(target, beginning: another, over: FormLine(on: connection))
        case .challenge, .signIn, .paywall, .whatsNew, .unrecognized:
            throw GateError(
                .failedPrecondition, .unspecified,
                "This presentation shows no form. Look at its content before asking for the form.")
        }
    }
}

extension GateClient.FormCalls {
    /// The ways to begin a form, and the holder that they are for. A `holder` of `nil` is the person who is signed in,
    /// else the user of this program.
    package func beginnings(
        with name: String, of holder: FormHolder? = nil
    ) async throws(GateError) -> (all: FormBeginnings, holder: FormHolder) {
        let holder = if let holder { holder } else { try await ownHolder() }
        let all = FormBeginnings(
            drafts: try await drafts(of: name), responses: try await responses(to: name), with: name, of: holder)
        return (all, holder)
    }

    /// The ways to begin the presented form; `nil` if there is no choice: `form()` then opens the right draft.
    package func beginnings(of open: OpenPresentation) async throws(GateError) -> FormBeginnings? {
        guard case .form(let invitation) = open.content else { return nil }
        let (all, holder) = try await beginnings(with: invitation.name)
        // Only the draft's holder may choose among drafts.
        return holder == invitation.holder && all.isChoiceOnScreen ? all : nil
    }

    private func ownHolder() async throws(GateError) -> FormHolder {
        try await client.signIn.state().session.map { .account($0.name) } ?? .user(geteuid())
    }

    package func open(
        _ name: String, _ beginning: FormBeginning
    ) async throws(GateError) -> FormSession {
        try await FormSession.begin(
            FormTarget(name: name), beginning, over: line)
    }
}

extension OpenPresentation {
    /// Opens the draft that a person has chosen to begin with, instead of `form(draft:beginning:)`.
    package func form(_ beginning: FormBeginning) async throws(GateError) -> FormSession {
        guard case .form(let invitation) = content else { return try await form() }
        let target = FormTarget(name: invitation.name, cookie: presentation.cookie)
        return try await FormSession.begin(target, beginning, over: FormLine(on: connection))
    }
}
