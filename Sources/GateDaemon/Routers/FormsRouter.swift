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
        on(Methods.Questionnaires.open) { authority, request, call in authority.openForm(request, call) }
        on(Methods.Questionnaires.read) { authority, request, call in authority.readForm(request, call) }
        on(Methods.Questionnaires.discard) { authority, request, call in
            authority.submitInOrder(.discardForm(FormTarget(request.target), of: request.holder), for: call) {
                DiscardFormResponse(revision: $0.revision)
            }
        }
        on(Methods.Questionnaires.validate) { authority, request, call in authority.validateForm(request, call) }
    }

    private mutating func addEdits() {
        onAnswers(Methods.Questionnaires.set, FormEdit.set) { SetAnswerResponse(revision: $0, change: $1) }
        onAnswers(Methods.Questionnaires.suggest, FormEdit.suggest) {
            SuggestAnswerResponse(revision: $0, change: $1)
        }
        onEdit(Methods.Questionnaires.remove) { request throws(GateError) in
            let path = try FormPath(reading: request.path)
            return .editForm(FormTarget(request.target), at: request.atRevision, .remove(path))
        } answer: {
            RemoveGroupResponse(revision: $0, change: $1)
        }
        on(Methods.Questionnaires.fill) { authority, request, call in authority.fillForm(request, call) }
        onEdit(Methods.Questionnaires.reset) { request throws(GateError) in
            .editForm(FormTarget(request.target), at: request.atRevision, .reset)
        } answer: {
            ResetFormResponse(revision: $0, change: $1)
        }
    }

    /// A method that changes the answers of a draft, and brings none.
    private mutating func onEdit<Request, Response>(
        _ method: Method<Request, Response>, _ command: @escaping @Sendable (Request) throws(GateError) -> Command,
        answer: @escaping @Sendable (Revision, FormChangeMessage) -> Response
    ) {
        on(method) { authority, request, call in
            do throws(GateError) {
                authority.submitInOrder(try command(request), for: call) { settled in
                    settled.formChange.map { answer(settled.revision, FormChangeMessage($0)) }
                }
            } catch {
                call.fail(error)
            }
        }
    }

    /// A method that brings answers of one question.
    private mutating func onAnswers<Request: FormAnswerRequest, Response>(
        _ method: Method<Request, Response>,
        _ edit: @escaping @Sendable (FormPath, [FormValue], [AttachmentDigest: [UInt8]]) -> FormEdit,
        answer: @escaping @Sendable (Revision, FormChangeMessage) -> Response
    ) {
        on(method) { authority, request, call in
            do throws(GateError) {
                let path = try FormPath(reading: request.path)
                authority.answerQuestion(request, call, { edit(path, $0, $1) }, answer: answer)
            } catch {
                call.fail(error)
            }
        }
    }
}

extension Authority {
    fileprivate func openForm(_ request: OpenFormRequest, _ call: Call<OpenFormResponse>) {
        inOrder(of: call) { [self] in
            submit(.openForm(FormTarget(request.target)), for: call) { [self] settled in
                guard let summary = settled.formChange?.summary,
                    let draft = settled.state.formDraft(of: summary.holder, named: summary.name)
                else { return call.answer(nil) }
                workOnForm(of: draft.writtenByteCount, for: call) {
                    OpenFormResponse(revision: settled.revision, draft: FormDraftMessage(summary: summary, draft))
                } then: {
                    call.answer($0)
                }
            }
        }
    }

    fileprivate func readForm(_ request: ReadFormRequest, _ call: Call<ReadFormResponse>) {
        do throws(GateError) {
            let (summary, draft) = try form(request.target, for: call.peer)
            let revision = durable.revision
            workOnForm(of: draft.writtenByteCount, for: call) {
                ReadFormResponse(revision: revision, draft: FormDraftMessage(summary: summary, draft))
            } then: {
                call.answer($0)
            }
        } catch {
            call.fail(error)
        }
    }

    /// Of the draft, as if it were to be completed; or of what was brought along.
    fileprivate func validateForm(_ request: ValidateFormRequest, _ call: Call<ValidateFormResponse>) {
        let limit = limits.pageSize
        do throws(GateError) {
            guard let json = request.response else {
                let draft = try form(request.target, for: call.peer).draft
                return workOnForm(of: draft.writtenByteCount, for: call) {
                    ValidateFormResponse(draft.issues(), limit: limit)
                } then: {
                    call.answer($0)
                }
            }
            guard let form = durable.compiledForm(request.target.name) else { throw .noForm(request.target.name) }
            workOnForm(of: max(json.count, form.writtenByteCount), for: call) {
                let reading = ResponseReader(digest: AttachmentDigest.init(of:)).response(json)
                let issues = reading.response.map { ResponseValidator(form).issues(of: $0) } ?? []
                return ValidateFormResponse(reading.issues(with: issues), limit: limit)
            } then: {
                call.answer($0)
            }
        } catch {
            call.fail(error)
        }
    }

    /// What is answered, with the documents that this connection has brought.
    fileprivate func answerQuestion<Request: FormAnswerRequest, Response>(
        _ request: Request, _ call: Call<Response>,
        _ edit: @escaping ([FormValue], [AttachmentDigest: [UInt8]]) -> FormEdit,
        answer: @escaping (Revision, FormChangeMessage) -> Response
    ) {
        let (target, atRevision, json) = (FormTarget(request.target), request.atRevision, request.answers)
        workOnForm(of: json.count, for: call) {
            Result { () throws(FormProblem) in try ResponseReader(digest: AttachmentDigest.init(of:)).answers(json) }
        } then: { [self] result in
            switch result {
            case .failure(let problem):
                let place = ErrorIssue.Place.form(linkID: problem.linkID, expression: problem.path)
                call.fail(
                    GateError(
                        .invalidArgument, .badAnswer, problem.message,
                        all: [ErrorIssue(place, kind: .structure, problem.message)]))
            case .success(let read):
                let brought = call.session.documents.named(by: Set(read.values.compactMap(\.attachment)))
                    .merging(read.attachments) { first, _ in first }
                let digests = Set(brought.keys)
                submit(.editForm(target, at: atRevision, edit(read.values, brought)), for: call) { settled in
                    call.session.documents.stored(digests)
                    return settled.formChange.map { answer(settled.revision, FormChangeMessage($0)) }
                }
            }
        }
    }

    fileprivate func fillForm(_ request: FillFormRequest, _ call: Call<FillFormResponse>) {
        let (target, atRevision, json) = (FormTarget(request.target), request.atRevision, request.response)
        let peer = call.peer, now = clock.bootTime()
        let form = durable.compiledForm(request.target.name)
        workOnForm(of: max(json.count, form?.writtenByteCount ?? 0), for: call) { [self] in
            let (state, uploaded) = (head, call.session.documents)
            return {
                Result { () throws(GateError) in
                    let reading = ResponseReader(digest: AttachmentDigest.init(of:)).response(json)
                    guard let response = reading.response, !reading.issues.contains(where: { $0.severity == .error })
                    else { throw .unreadableResponse(reading.issues) }
                    let brought = uploaded.named(by: response.attachments)
                        .merging(reading.attachments) { first, _ in first }
                    let work = try? state.formWork(
                        .fill(response, attachments: brought), on: target, for: peer, at: now)
                    return (response, brought, prepared: work?.done())
                }
            }
        } then: { [self] result in
            switch result {
            case .failure(let error):
                call.fail(error)
            case .success(let (response, brought, prepared)):
                let digests = Set(brought.keys)
                submit(
                    .editForm(target, at: atRevision, .fill(response, attachments: brought)), for: call,
                    prepared: prepared
                ) { settled in
                    call.session.documents.stored(digests)
                    call.answer(
                        settled.formChange.map {
                            FillFormResponse(revision: settled.revision, change: FormChangeMessage($0))
                        })
                }
            }
        }
    }

    /// The draft that a peer may read.
    private func form(
        _ target: FormTargetMessage, for peer: Peer
    ) throws(GateError) -> (summary: FormSummary, draft: FormDraft) {
        try durable.form(FormTarget(target), for: peer, at: clock.bootTime())
    }
}

extension ValidateFormResponse {
    fileprivate init(_ issues: [FormIssue], limit: Int) {
        self.init(
            outcome: OutcomeWriter.json(Array(issues.prefix(limit))),
            isValid: !issues.contains { $0.severity == .error })
    }
}

extension Authority.Settled {
    var formChange: FormChange? {
        guard case .form(let change) = reply else { return nil }
        return change
    }
}

extension GateState {
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
