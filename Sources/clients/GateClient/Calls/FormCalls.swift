import GateForms
public import GateModel
import GateProtocol

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

extension GateClient {
    /// Calls about the forms of the device, and what people have answered.
    public struct FormCalls: Sendable {
        let client: GateClient
    }
}

extension GateClient.FormCalls {
    /// Opens a form to fill in, for the person who is signed in: the draft that is there, or a new one with initial values
    /// (F-30).
    ///
    /// ```swift
    /// let consent = try await gate.forms.open("consent")
    /// try await consent.set("child-name", to: "Tim")
    /// try await consent.complete()
    /// ```
    ///
    /// The form of a presentation that this program shows is opened with `OpenPresentation.form`.
    ///
    /// - Parameters:
    ///   - name: the `id` of the questionnaire.
    ///   - draft: which of several drafts, as `drafts(of:)` lists them; 0: the one that is opened when nothing is said.
    /// - Throws: `NOT_FOUND` (`unknown`), `RESOURCE_EXHAUSTED` (`limit`).
    public func open(_ name: String, draft: UInt64 = 0) async throws(GateError) -> FormSession {
        try await FormSession.open(FormTarget(name: name, draftID: draft), over: line)
    }

    /// Opens a form that the app itself brings (F-85), as `open(_:draft:)` does one of the device: for an app that runs where no
    /// administrator has installed its form. If one has, that one is used.
    ///
    /// ```swift
    /// let plan = try await gate.forms.open("weekly-plan", bringing: questionnaireJSON)
    /// ```
    ///
    /// People are told that the app has written it. The daemon has it as long as a draft of it is there, under the name
    /// `name@uid`; other calls of the same user may say `name`.
    ///
    /// - Parameters:
    ///   - name: the `id` of the questionnaire.
    ///   - questionnaire: a Questionnaire as FHIR JSON in UTF-8, of at most 64 KiB.
    /// - Throws: `INVALID_ARGUMENT` (`invalidRequest`) with the first thing that is wrong with it; `RESOURCE_EXHAUSTED` (`limit`);
    ///   `FAILED_PRECONDITION` (`changedMeanwhile`) where much is answered in drafts of another version of it.
    public func open(_ name: String, bringing questionnaire: [UInt8]) async throws(GateError) -> FormSession {
        try await open(name, draft: 0, beginning: false, label: "", bringing: questionnaire)
    }

    /// Opens a draft in any of these ways.
    ///
    /// - Parameters:
    ///   - another: as `begin`.
    ///   - questionnaire: `nil`: a form that is there.
    package func open(
        _ name: String, draft: UInt64, beginning another: Bool, label: String, bringing questionnaire: [UInt8]?
    ) async throws(GateError) -> FormSession {
        try await FormSession.open(
            FormTarget(name: name, draftID: draft), beginning: another, label: label, own: questionnaire,
            over: line)
    }

    /// Begins one more draft of a form, with initial values, beside those that are there: an agent has several customers at once
    /// (F-84).
    ///
    /// ```swift
    /// let anna = try await gate.forms.begin("motor-insurance", label: "Anna")
    /// let ben = try await gate.forms.begin("motor-insurance", label: "Ben")
    /// for draft in try await gate.forms.drafts(of: "motor-insurance") { print(draft.draftID, draft.label) }
    /// ```
    ///
    /// - Parameters:
    ///   - name: the `id` of the questionnaire.
    ///   - label: tells it from others, for people. One line of at most 200 bytes; empty: its answers make one, where the form
    ///     says which do.
    /// - Throws: `NOT_FOUND` (`unknown`), `RESOURCE_EXHAUSTED` (`limit`), `INVALID_ARGUMENT` (`invalidRequest`) for a label that
    ///   can't be one.
    public func begin(_ name: String, label: String = "") async throws(GateError) -> FormSession {
        try await FormSession.open(FormTarget(name: name), beginning: true, label: label, over: line)
    }

    /// The drafts, by form, then by holder, then by id: one's own; for administrators all.
    ///
    /// - Parameter name: the `id` of the questionnaire; `nil`: of all.
    public func drafts(of name: String? = nil) async throws(GateError) -> [FormSummary] {
        try await GateClient.allPages { token throws(GateError) in
            try await client.call(
                Methods.Questionnaires.listDrafts, ListDraftsRequest(name: name, pageToken: token))
        }
    }

    /// All forms of the device, by name (F-27).
    public func list() async throws(GateError) -> [QuestionnaireSummary] {
        try await GateClient.allPages { token throws(GateError) in
            try await client.call(
                Methods.Questionnaires.list, ListQuestionnairesRequest(pageToken: token))
        }
    }

    /// One form, whole, as a value and as FHIR JSON.
    ///
    /// - Parameter name: the `id` of the questionnaire.
    /// - Throws: `NOT_FOUND` (`unknown`).
    public func description(of name: String) async throws(GateError) -> FormDescription {
        let request = GetQuestionnaireRequest(name: name)
        let json = try await client.call(Methods.Questionnaires.get, request).questionnaire
        return FormDescription(questionnaire: try Questionnaire(ofDaemon: json, named: name), json: json)
    }

    /// Has a form filled in by a person, at a presenter of the device, and waits. Cancelling the task takes the request back.
    ///
    /// - Parameter name: the `id` of the questionnaire.
    /// - Returns: the completed response.
    /// - Throws: `CANCELLED` (`dismissed`), `ABORTED` (`noPresenter`) where nobody can show it, `DEADLINE_EXCEEDED`
    ///   (`expired`), `NOT_FOUND` (`unknown`).
    @discardableResult
    public func request(_ name: String) async throws(GateError) -> ResponseChange {
        try await request(RequestFormRequest(name: name))
    }

    /// The same with a form that the app itself brings, as `open(_:bringing:)` does.
    ///
    /// - Throws: as both.
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

    /// Checks a response to a form, as if it were to be completed. Changes nothing.
    ///
    /// - Parameters:
    ///   - response: the answers.
    ///   - name: the `id` of the questionnaire.
    /// - Throws: `NOT_FOUND` (`unknown`).
    public func validate(
        _ response: QuestionnaireResponse, against name: String
    ) async throws(GateError) -> FormVerdict {
        try await validate(json: ResponseWriter.json(response), against: name)
    }

    /// Checks a response in FHIR JSON, as if it were to be completed. Changes nothing.
    ///
    /// - Parameters:
    ///   - response: a QuestionnaireResponse in UTF-8.
    ///   - name: the `id` of the questionnaire.
    /// - Throws: `NOT_FOUND` (`unknown`).
    public func validate(json response: [UInt8], against name: String) async throws(GateError) -> FormVerdict {
        let request = ValidateFormRequest(target: FormTarget(name: name), response: response)
        let answer = try await client.call(Methods.Questionnaires.validate, request)
        return try FormVerdict(outcome: answer.outcome, isValid: answer.isValid)
    }

    // MARK: What is kept

    /// The responses that are kept, the oldest first: one's own; for administrators all.
    ///
    /// - Parameter name: the `id` of the questionnaire; `nil`: of all.
    public func responses(to name: String? = nil) async throws(GateError) -> [ResponseSummary] {
        try await GateClient.allPages { token throws(GateError) in
            try await client.call(
                Methods.Questionnaires.listResponses, ListResponsesRequest(name: name, pageToken: token))
        }
    }

    /// One of the responses that are kept, with its answers.
    ///
    /// - Parameter id: its number.
    /// - Throws: `NOT_FOUND` (`unknown`).
    public func response(_ id: UInt64) async throws(GateError) -> KeptResponse {
        let kept = try await client.call(Methods.Questionnaires.getResponse, GetResponseRequest(responseID: id))
        return KeptResponse(summary: kept.summary, response: try QuestionnaireResponse(ofDaemon: kept.response))
    }

    /// Withdraws a completed response, which stays, and counts no more. Deletes a saved one.
    ///
    /// - Parameter id: its number.
    /// - Throws: `NOT_FOUND` (`unknown`).
    @discardableResult
    public func withdrawResponse(_ id: UInt64) async throws(GateError) -> ResponseChange {
        let request = WithdrawResponseRequest(responseID: id)
        let response = try await client.call(Methods.Questionnaires.withdrawResponse, request)
        return ResponseChange(id: id, revision: response.revision)
    }

    // MARK: Parts

    /// The parts that are kept, the oldest first: answers that forms share, by the `definition` of their items (F-72). One's own;
    /// for administrators all.
    ///
    /// ```swift
    /// let order = try await gate.forms.open("motor-insurance")
    /// let people = try await gate.forms.parts(of: "https://gate.example/fhir/StructureDefinition/person")
    /// if let anna = people.first { try await order.take([anna.id], into: "policy-holder") }
    /// ```
    ///
    /// - Parameter definition: the `definition` of an item, a URI; `nil`: of all.
    /// - Throws: `UNIMPLEMENTED` by a daemon that keeps no parts.
    public func parts(of definition: String? = nil) async throws(GateError) -> [PartSummary] {
        try await GateClient.allPages { token throws(GateError) in
            try await client.call(
                Methods.Questionnaires.listParts, ListPartsRequest(definition: definition, pageToken: token))
        }
    }

    /// One of the parts, with its answers.
    ///
    /// - Parameter id: its number.
    /// - Throws: `NOT_FOUND` (`unknown`).
    public func part(_ id: UInt64) async throws(GateError) -> KeptPart {
        let kept = try await client.call(Methods.Questionnaires.getPart, GetPartRequest(partID: id))
        return KeptPart(summary: kept.summary, response: try QuestionnaireResponse(ofDaemon: kept.response))
    }

    /// Gives a part another label.
    ///
    /// - Parameters:
    ///   - id: its number.
    ///   - label: one line of at most 200 bytes; empty: its answers make one.
    /// - Throws: `NOT_FOUND` (`unknown`), `INVALID_ARGUMENT` (`invalidRequest`).
    public func labelPart(_ id: UInt64, _ label: String) async throws(GateError) {
        _ = try await client.call(Methods.Questionnaires.labelPart, LabelPartRequest(partID: id, label: label))
    }

    /// Removes a part. Answers that were taken from it stay.
    ///
    /// - Parameter id: its number.
    /// - Throws: `NOT_FOUND` (`unknown`).
    public func removePart(_ id: UInt64) async throws(GateError) {
        _ = try await client.call(Methods.Questionnaires.removePart, RemovePartRequest(partID: id))
    }

    // MARK: Documents

    /// Uploads the bytes of a document, for an answer to name. What no answer names is forgotten with the connection.
    /// `FormSession.attach` does both.
    ///
    /// - Parameter bytes: at most 3 MiB.
    /// - Throws: `RESOURCE_EXHAUSTED` (`limit`).
    public func upload(_ bytes: [UInt8]) async throws(GateError) -> AttachmentDigest {
        try await line.upload(bytes)
    }

    /// The bytes of a document of a draft or a response that this client may read.
    ///
    /// - Throws: `NOT_FOUND` (`unknown`).
    public func download(_ digest: AttachmentDigest) async throws(GateError) -> [UInt8] {
        try await line.download(digest)
    }

    private var line: FormLine { FormLine(shared: client.connection, connection: nil) }
}

extension OpenPresentation {
    /// The form that this is an invitation to, to be filled in for whom it is meant. The state closes the presentation once
    /// it is completed: return `PresentationAnswer.closedByState`.
    ///
    /// - Parameters:
    ///   - draft: which of several drafts; 0: the one that it is an invitation to. Others are reached only by a program of the
    ///     same person, or of an administrator; completing any of them closes the presentation.
    ///   - another: begins one more draft (F-84).
    /// - Throws: `FAILED_PRECONDITION` (`unspecified`) where it is no invitation to a form; as `FormCalls.open`;
    ///   `PERMISSION_DENIED` (`notPermitted`) where it is for somebody else, and another is to begin.
    public func form(draft: UInt64 = 0, beginning another: Bool = false) async throws(GateError) -> FormSession {
        switch content {
        case .form(let invitation):
            let target = FormTarget(name: invitation.name, cookie: presentation.cookie, draftID: draft)
            return try await FormSession.open(
                target, beginning: another, over: FormLine(shared: shared, connection: connection))
        case .challenge, .signIn, .paywall, .whatsNew, .unrecognized:
            throw GateError(
                .failedPrecondition, .unspecified, "This shows no form; look at its content before asking for one.")
        }
    }
}

extension GateClient.FormCalls {
    /// The ways to begin with a form.
    ///
    /// - Parameter holder: whose; `nil`: the person's who is signed in, else the user's of this program.
    package func beginnings(
        with name: String, of holder: FormHolder? = nil
    ) async throws(GateError) -> (all: FormBeginnings, holder: FormHolder) {
        let holder = if let holder { holder } else { try await ownHolder() }
        let all = FormBeginnings(
            drafts: try await drafts(of: name), responses: try await responses(to: name), with: name, of: holder)
        return (all, holder)
    }

    /// The ways to begin with the form that is presented, where a person has something to choose.
    ///
    /// - Returns: `nil`: `form()` is the draft.
    package func beginnings(of open: OpenPresentation) async throws(GateError) -> FormBeginnings? {
        guard case .form(let invitation) = open.content else { return nil }
        let (all, holder) = try await beginnings(with: invitation.name)
        // Only the holder of a draft chooses among drafts.
        return holder == invitation.holder && all.isChoiceOnScreen ? all : nil
    }

    private func ownHolder() async throws(GateError) -> FormHolder {
        try await client.signIn.state().session.map { .account($0.name) } ?? .user(geteuid())
    }

    /// A draft to begin with, so.
    package func open(
        _ name: String, _ beginning: FormBeginning
    ) async throws(GateError) -> FormSession {
        try await FormSession.begin(
            FormTarget(name: name), beginning, over: line)
    }
}

extension OpenPresentation {
    /// The draft to begin with, so: in the place of `form`.
    package func form(_ beginning: FormBeginning) async throws(GateError) -> FormSession {
        guard case .form(let invitation) = content else { return try await form() }
        let target = FormTarget(name: invitation.name, cookie: presentation.cookie)
        return try await FormSession.begin(
            target, beginning, over: FormLine(shared: shared, connection: connection))
    }
}
