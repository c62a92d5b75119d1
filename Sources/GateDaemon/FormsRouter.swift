import GateCore
import GateForms
import GateModel
import GateProtocol

/// The methods of `gate.v1.Questionnaires` that are about forms and their drafts. What is kept of them is in
/// ResponsesRouter.swift, documents in DocumentsRouter.swift.
extension Router {
    mutating func addQuestionnaires() {
        onList(Methods.Questionnaires.list) { authority, request, _ throws(GateError) in
            let forms = authority.durable.configuration.forms.values.sorted {
                $0.questionnaire.name < $1.questionnaire.name
            }
            let page = try Page(
                of: forms, size: request.pageSize, after: request.pageToken, limit: authority.limits.pageSize,
                hasGroups: false
            ) { PageKey(name: $0.questionnaire.name) }
            return ListQuestionnairesResponse(
                questionnaires: page.elements.map { ListedQuestionnaire($0.questionnaire) },
                nextPageToken: page.nextToken)
        }
        onList(Methods.Questionnaires.get) { authority, request, _ throws(GateError) in
            GetQuestionnaireResponse(questionnaire: try authority.durable.formDescription(request.name).json)
        }
        addDrafts()
        addEdits()
        addResponses()
        addDocuments()
    }

    private mutating func addDrafts() {
        onCommand(Methods.Questionnaires.open) {
            .openForm(FormTarget($0.target))
        } answer: { settled in
            settled.formChange.flatMap { settled.state.draft(of: $0.summary) }.map {
                OpenFormResponse(revision: settled.revision, draft: $0)
            }
        }
        onList(Methods.Questionnaires.read) { authority, request, call throws(GateError) in
            let (summary, draft) = try authority.form(request.target, for: call.peer)
            return ReadFormResponse(
                revision: authority.durable.revision, draft: FormDraftMessage(summary: summary, draft))
        }
        onCommand(Methods.Questionnaires.discard) {
            .discardForm(FormTarget($0.target))
        } answer: {
            DiscardFormResponse(revision: $0.revision)
        }
        onList(Methods.Questionnaires.validate) { authority, request, call throws(GateError) in
            let issues = try authority.issues(of: request, for: call.peer)
            return ValidateFormResponse(
                outcome: OutcomeWriter.json(Array(issues.prefix(authority.limits.pageSize))),
                isValid: !issues.contains { $0.severity == .error })
        }
    }

    private mutating func addEdits() {
        onEdit(Methods.Questionnaires.set) { authority, request, call throws(GateError) in
            let (path, values, brought) = try authority.answers(request.answers, at: request.path, of: call.session)
            return Edit(request.target, request.atRevision, .set(path, values, attachments: brought))
        } answer: {
            SetAnswerResponse(revision: $0, change: $1)
        }
        onEdit(Methods.Questionnaires.suggest) { authority, request, call throws(GateError) in
            let (path, values, brought) = try authority.answers(request.answers, at: request.path, of: call.session)
            return Edit(request.target, request.atRevision, .suggest(path, values, attachments: brought))
        } answer: {
            SuggestAnswerResponse(revision: $0, change: $1)
        }
        onEdit(Methods.Questionnaires.remove) { _, request, _ throws(GateError) in
            Edit(request.target, request.atRevision, .remove(try FormPath(reading: request.path)))
        } answer: {
            RemoveGroupResponse(revision: $0, change: $1)
        }
        onEdit(Methods.Questionnaires.fill) { authority, request, call throws(GateError) in
            let reading = ResponseReader(digest: AttachmentDigest.init(of:)).response(request.response)
            guard let response = reading.response, !reading.issues.contains(where: { $0.severity == .error }) else {
                throw .unreadableResponse(reading.issues)
            }
            let brought = call.session.documents.named(by: response.attachments)
                .merging(reading.attachments) { first, _ in first }
            return Edit(request.target, request.atRevision, .fill(response, attachments: brought))
        } answer: {
            FillFormResponse(revision: $0, change: $1)
        }
        onEdit(Methods.Questionnaires.reset) { _, request, _ throws(GateError) in
            Edit(request.target, request.atRevision, .reset)
        } answer: {
            ResetFormResponse(revision: $0, change: $1)
        }
    }

    /// A method that changes the answers of a draft.
    private mutating func onEdit<Request, Response>(
        _ method: Method<Request, Response>,
        _ edit: @escaping @Sendable (isolated Authority, Request, Call<Response>) throws(GateError) -> Edit,
        answer: @escaping @Sendable (Revision, FormChangeMessage) -> Response
    ) {
        on(method) { authority, request, call in
            do throws(GateError) {
                let edit = try edit(authority, request, call)
                authority.submit(.editForm(edit.target, at: edit.revision, edit.edit), for: call) { settled in
                    call.session.documents.stored(edit.edit.brought)
                    return settled.formChange.map { answer(settled.revision, FormChangeMessage($0)) }
                }
            } catch {
                call.fail(error)
            }
        }
    }

    private struct Edit {
        let target: FormTarget
        let revision: UInt64?
        let edit: FormEdit

        init(_ target: FormTargetMessage, _ revision: UInt64?, _ edit: FormEdit) {
            self.target = FormTarget(target)
            self.revision = revision
            self.edit = edit
        }
    }
}

extension Authority {
    /// The draft that a peer may read.
    fileprivate func form(
        _ target: FormTargetMessage, for peer: Peer
    ) throws(GateError) -> (summary: FormSummary, draft: FormDraft) {
        try durable.form(FormTarget(target), for: peer, at: clock.bootTime())
    }

    /// What is answered, with the documents that this connection has brought.
    fileprivate func answers(
        _ json: [UInt8], at path: String, of session: PeerSession
    ) throws(GateError) -> (FormPath, [FormValue], [AttachmentDigest: [UInt8]]) {
        let path = try FormPath(reading: path)
        do throws(FormProblem) {
            let read = try ResponseReader(digest: AttachmentDigest.init(of:)).answers(json)
            let named = session.documents.named(by: Set(read.values.compactMap(\.attachment)))
            return (path, read.values, named.merging(read.attachments) { first, _ in first })
        } catch {
            throw GateError(.invalidArgument, .badAnswer, error.message)
        }
    }

    /// Of the draft, as if it were to be completed; or of what was brought along.
    fileprivate func issues(of request: ValidateFormRequest, for peer: Peer) throws(GateError) -> [FormIssue] {
        guard let json = request.response else {
            return try form(request.target, for: peer).draft.issues()
        }
        guard let form = durable.compiledForm(request.target.name) else { throw .noForm(request.target.name) }
        let reading = ResponseReader(digest: AttachmentDigest.init(of:)).response(json)
        return reading.issues(with: reading.response.map { ResponseValidator(form).issues(of: $0) } ?? [])
    }
}

extension Authority.Settled {
    fileprivate var formChange: FormChange? {
        guard case .form(let change) = reply else { return nil }
        return change
    }
}

extension FormEdit {
    /// The documents that come with it.
    fileprivate var brought: Set<AttachmentDigest> {
        switch self {
        case .set(_, _, let attachments), .suggest(_, _, let attachments), .fill(_, let attachments):
            Set(attachments.keys)
        case .remove, .reset: []
        }
    }
}

extension GateState {
    /// A draft as it travels; nil: it is gone.
    fileprivate func draft(of summary: FormSummary) -> FormDraftMessage? {
        formDraft(of: summary.holder, named: summary.name).map { FormDraftMessage(summary: summary, $0) }
    }

    /// - Throws: `NOT_FOUND`.
    fileprivate func formDescription(_ name: String) throws(GateError) -> FormDescription {
        guard let form = configuration.forms[name] else { throw .noForm(name) }
        return form
    }
}

extension FormTarget {
    init(_ message: FormTargetMessage) {
        self.init(name: message.name, cookie: message.cookie)
    }
}

extension FormPath {
    init(reading text: String) throws(GateError) {
        guard let path = FormPath(text: text) else {
            throw GateError(
                .invalidArgument, .invalidRequest,
                "'\(text.prefix(64))' names no question. Write its linkId, behind the groups around it that repeat: "
                    + "`driver[1]/driver-name`.")
        }
        self = path
    }
}

extension FormChangeMessage {
    init(_ change: FormChange) {
        self.init(
            summary: change.summary, isChanged: change.isChanged, cleared: change.cleared.prefix(500).map(\.description)
        )
    }
}

extension FormDraftMessage {
    fileprivate init(summary: FormSummary, _ draft: FormDraft) {
        self.init(
            summary: summary,
            response: ResponseWriter.json(draft.response(.inProgress, authored: nil, includingUnanswered: true)))
    }
}

extension ListedQuestionnaire {
    fileprivate init(_ questionnaire: Questionnaire) {
        self.init(
            name: questionnaire.name, title: questionnaire.title, version: questionnaire.version,
            url: questionnaire.url, itemCount: questionnaire.itemCount,
            isForGrownUps: questionnaire.completedBy == .grownUp)
    }
}

extension GateError {
    fileprivate static func unreadableResponse(_ issues: [FormIssue]) -> GateError {
        GateError(
            .invalidArgument, .badAnswer, "This is no response that can be read.\n" + FormIssue.lines(issues))
    }
}
