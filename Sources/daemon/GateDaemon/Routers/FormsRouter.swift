import GateCore
import GateForms
import GateModel
import GateProtocol

/// The methods of `gate.v1.Questionnaires` for forms and their drafts. Those for kept responses are in ResponsesRouter,
/// with the completion of a draft; those for parts are in PartsRouter, those for documents in DocumentsRouter.
struct FormsRouter: ServiceRouter {
    let pipeline: CommandPipeline
    let forms: FormThread

    func addMethods(to router: inout Router) {
        router.onRead(Methods.Questionnaires.list) { request, call throws(GateError) in
            let page = try Page(
                of: pipeline.durable.forms(offeredTo: call.peer), for: request, pipeline.limits,
                weight: { 7 + $0.questionnaire.titles.fieldCount }
            ) { PageKey(name: $0.questionnaire.name) }
            return ListQuestionnairesResponse(
                page.elements.map { QuestionnaireSummary($0.questionnaire) },
                nextPageToken: page.nextToken)
        }
        router.onRead(Methods.Questionnaires.get) { request, call throws(GateError) in
            let form = try pipeline.durable.form(
                named: request.name, cookie: request.cookie, for: call.peer, at: pipeline.clock.bootTime())
            return GetQuestionnaireResponse(questionnaire: form.json)
        }
        addDrafts(to: &router)
        addEdits(to: &router)
    }

    private func addDrafts(to router: inout Router) {
        router.on(Methods.Questionnaires.open) { request, call in open(request, call) }
        router.on(Methods.Questionnaires.read) { request, call throws(GateError) in try read(request, call) }
        router.onRead(Methods.Questionnaires.listDrafts) { request, call throws(GateError) in
            let drafts = pipeline.durable.forms(visibleTo: call.peer).filter {
                request.name == nil || $0.name == request.name
            }
            .sorted { PageKey($0) < PageKey($1) }
            let page = try Page(of: drafts, for: request, pipeline.limits) { PageKey($0) }
            return ListDraftsResponse(page.elements, nextPageToken: page.nextToken)
        }
        router.on(Methods.Questionnaires.label) { request, call in
            forms.submitInOrder(.labelDraft(request.target, label: request.label), for: call) {
                LabelDraftResponse(revision: $0.revision)
            }
        }
        router.on(Methods.Questionnaires.discard) { request, call in
            forms.submitInOrder(.discardForm(request.target, of: request.holder), for: call) {
                DiscardFormResponse(revision: $0.revision)
            }
        }
        router.on(Methods.Questionnaires.validate) { request, call throws(GateError) in try validate(request, call) }
    }

    private func addEdits(to router: inout Router) {
        router.on(Methods.Questionnaires.set) { request, call throws(GateError) in
            answerQuestion(at: try FormPath(reading: request.path), request, call, FormEdit.set) {
                SetAnswerResponse(revision: $0, change: $1)
            }
        }
        router.on(Methods.Questionnaires.suggest) { request, call throws(GateError) in try suggest(request, call) }
        onEdit(&router, Methods.Questionnaires.remove) { request throws(GateError) in
            (request.target, request.atRevision, .remove(try FormPath(reading: request.path)))
        } answer: {
            RemoveGroupResponse(revision: $0, change: $1)
        }
        router.on(Methods.Questionnaires.fill) { request, call in fill(request, call) }
        onEdit(&router, Methods.Questionnaires.reset) { request throws(GateError) in
            (request.target, request.atRevision, .reset)
        } answer: {
            ResetFormResponse(revision: $0, change: $1)
        }
    }

    /// Adds a method that changes the answers of a draft without receiving new ones.
    private func onEdit<Request, Response>(
        _ router: inout Router, _ method: Method<Request, Response>,
        _ edit: @escaping (Request) throws(GateError) -> (FormTarget, atRevision: UInt64?, FormEdit),
        answer: @escaping (Revision, FormChange) -> Response
    ) {
        router.on(method) { request, call throws(GateError) in
            let (target, revision, edit) = try edit(request)
            forms.submit(
                .editForm(target, at: revision, edit), for: call, preparing: .edit(edit), on: target
            ) { settled in
                settled.formChange.map { answer(settled.revision, $0) }
            }
        }
    }
}

extension FormsRouter {
    private func open(_ request: OpenFormRequest, _ call: Call<OpenFormResponse>) {
        guard let json = request.questionnaire else { return open(request, own: nil, call) }
        guard request.target.cookie == nil else {
            return call.fail(.invalid("questionnaire", "A presentation shows its own form. Leave out one of the two."))
        }
        forms.readOwn(json, named: request.target.name, for: call) { open(request, own: $0, call) }
    }

    private func open(_ request: OpenFormRequest, own: AppForm?, _ call: Call<OpenFormResponse>) {
        let target = request.target
        forms.prepare(.open(isAnother: request.beginsAnother, own), for: call, on: target) { prepared in
            let command = FormCommand.openForm(
                target, beginsAnother: request.beginsAnother, label: request.label, own: own)
            pipeline.submit(.forms(command), for: call, prepared: prepared) { settled in
                guard let summary = settled.formChange?.summary,
                    let draft = settled.state.formDraft(
                        of: summary.holder, named: summary.name, id: summary.draftID)
                else { return call.answer(nil) }
                let pending = settled.state.pendingSuggestions(for: summary)
                forms.work(of: draft.writtenByteCount, for: call) {
                    OpenFormResponse(
                        revision: settled.revision, draft: FormDraftMessage(summary: summary, draft, pending))
                } then: {
                    call.answer($0)
                }
            }
        }
    }

    private func read(_ request: ReadFormRequest, _ call: Call<ReadFormResponse>) throws(GateError) {
        let (summary, draft) = try form(request.target, for: call.peer)
        let revision = pipeline.durable.revision, pending = pipeline.durable.pendingSuggestions(for: summary)
        forms.work(of: draft.writtenByteCount, for: call) {
            ReadFormResponse(revision: revision, draft: FormDraftMessage(summary: summary, draft, pending))
        } then: {
            call.answer($0)
        }
    }

    /// Lists the mistakes of the response in the request or, without one, of the draft as if it were completed now.
    private func validate(_ request: ValidateFormRequest, _ call: Call<ValidateFormResponse>) throws(GateError) {
        let limit = pipeline.limits.pageSize, now = pipeline.clock.localTime()
        guard let json = request.response else {
            let draft = try form(request.target, for: call.peer).draft
            return forms.work(of: draft.validatedByteCount, for: call) {
                ValidateFormResponse(draft.issues(now: now), limit: limit)
            } then: {
                call.answer($0)
            }
        }
        let name = request.target.name
        guard let form = pipeline.durable.compiledForm(name, for: call.peer) else { throw .noForm(name) }
        forms.work(of: max(json.count, form.validatedByteCount), for: call) {
            let reading = ResponseReader(digest: AttachmentDigest.init(of:)).response(json)
            let issues = reading.response.map { ResponseValidator(form, now: now).issues(of: $0) } ?? []
            return ValidateFormResponse(reading.issues(with: issues), limit: limit)
        } then: {
            call.answer($0)
        }
    }

    private func answerQuestion<Request: FormAnswerRequest, Response>(
        at path: FormPath, _ request: Request, _ call: Call<Response>,
        _ edit: @escaping @Sendable (FormPath, [FormValue], [AttachmentDigest: [UInt8]]) -> FormEdit,
        answer: @escaping (Revision, FormChange) -> Response
    ) {
        // Several texts count as the most work, since each may be compared with every option.
        let typedBytes = request.typed.map { $0.texts.count > 1 ? .max : $0.texts.reduce(0) { $0 + $1.utf8.count } }
        change(request.target, at: request.atRevision, call, of: typedBytes ?? request.answers.count) {
            $0.answeringByteCount(at: path)
        } reading: {
            uploaded, form throws(GateError) in
            if let typed = request.typed {
                guard let item = try form().item(path.linkID) else { throw .noItem(path) }
                return edit(path, try FormAnswerText(item: item, habits: typed.habits).values(typed.texts), [:])
            }
            do throws(FormProblem) {
                let read = try ResponseReader(digest: AttachmentDigest.init(of:)).answers(request.answers)
                let named = uploaded.named(by: Set(read.values.compactMap(\.attachment)))
                return edit(path, read.values, named.merging(read.attachments) { first, _ in first })
            } catch {
                let place = ErrorIssue.Place.form(linkID: error.linkID, expression: error.path)
                throw GateError(
                    .invalidArgument, .badAnswer, error.message,
                    all: [ErrorIssue(place, kind: .structure, error.message)])
            }
        } answer: {
            answer($0, $1)
        }
    }

    private func suggest(
        _ request: SuggestAnswerRequest, _ call: Call<SuggestAnswerResponse>
    ) throws(GateError) {
        let path = try FormPath(reading: request.path)
        guard request.pendingMilliseconds > 0 else {
            return answerQuestion(at: path, request, call, FormEdit.suggest) {
                SuggestAnswerResponse(revision: $0, change: $1)
            }
        }
        let command = FormCommand.announceSuggestion(
            request.target, at: request.atRevision, path, for: .milliseconds(request.pendingMilliseconds))
        forms.submitInOrder(command, for: call) { settled in
            settled.formChange.map { SuggestAnswerResponse(revision: settled.revision, change: $0) }
        }
    }

    private func fill(_ request: FillFormRequest, _ call: Call<FillFormResponse>) {
        let isWhole = request.answers.isEmpty
        let json = isWhole ? request.response : request.answers
        change(request.target, at: request.atRevision, call, of: json.count, costing: \.validatedByteCount) {
            uploaded, _ throws(GateError) in
            let reading = ResponseReader(digest: AttachmentDigest.init(of:)).response(json)
            guard let response = reading.response, !reading.issues.contains(where: { $0.severity == .error })
            else { throw .unreadableResponse(reading.issues) }
            let named = uploaded.named(by: response.attachments)
            let attachments = named.merging(reading.attachments) { first, _ in first }
            return isWhole ? .fill(response, attachments: attachments) : .amend(response, attachments: attachments)
        } answer: {
            FillFormResponse(revision: $0, change: $1)
        }
    }

    /// Changes a draft, with the documents that this connection has uploaded for it. `byteCount` and `draftByteCount`
    /// are roughly how much of the request and of the draft is read or written. `revision` is the draft's expected
    /// revision; `nil`: any. `read` reads the change from the request, away from the event loop if it is large. The
    /// function that it receives returns the form of the draft, and throws if there is no draft.
    private func change<Response>(
        _ target: FormTarget, at revision: UInt64?, _ call: Call<Response>, of byteCount: Int,
        costing draftByteCount: (FormDraft) -> Int,
        reading read:
            @escaping @Sendable (UploadedDocuments, () throws(GateError) -> CompiledForm) throws(GateError) -> FormEdit,
        answer: @escaping (Revision, FormChange) -> Response
    ) {
        let open = try? pipeline.head.form(target, for: call.peer, at: pipeline.clock.bootTime()).draft
        forms.prepare(max(byteCount, open.map(draftByteCount) ?? 0), for: call, on: target) {
            let (uploaded, peer) = (call.session.documents, call.peer)
            let (state, now) = (pipeline.head, pipeline.clock.bootTime())
            return { () throws(GateError) in
                .edit(
                    try read(uploaded) { () throws(GateError) in
                        try state.form(target, for: peer, at: now).draft.form
                    })
            }
        } then: { kind, prepared in
            guard case .edit(let edit) = kind else { preconditionFailure("what was read is an edit") }
            let digests = Set(edit.attachments.keys)
            pipeline.submit(.forms(.editForm(target, at: revision, edit)), for: call, prepared: prepared) {
                settled in
                call.session.documents.stored(digests)
                call.answer(settled.formChange.map { answer(settled.revision, $0) })
            }
        }
    }

    private func form(
        _ target: FormTarget, for peer: Peer
    ) throws(GateError) -> (summary: FormSummary, draft: FormDraft) {
        try pipeline.durable.form(target, for: peer, at: pipeline.clock.bootTime())
    }
}

extension ValidateFormResponse {
    fileprivate init(_ issues: [FormIssue], limit: Int) {
        self.init(
            outcome: OutcomeWriter.json(Array(issues.prefix(limit))),
            isValid: !issues.contains { $0.severity == .error })
    }
}

extension CommittedReply {
    var formChange: FormChange? {
        guard case .form(let change) = reply else { return nil }
        return change.cutShort
    }
}

extension FormChange {
    /// Shortened to as many paths as fit into an answer.
    var cutShort: FormChange {
        var change = self
        change.cleared = Array(cleared.prefix(500))
        return change
    }
}

extension PageKey {
    /// A key that sorts drafts by name, holder and id. Names have no line feed, and ids are padded to one length.
    fileprivate init(_ draft: FormSummary) {
        let holder =
            switch draft.holder.kind {
            case .account(let name): "\(name)\n"
            case .user(let uid): "uid \(uid)\n\n"
            }
        self.init(name: "\(draft.name)\n\(holder)\(PageKey(number: draft.draftID).name)")
    }
}

extension FormPath {
    init(reading text: String) throws(GateError) {
        guard let path = FormPath(text: text) else {
            throw .invalid(
                "path",
                "'\(text.prefix(64))' names no question. Write its linkId, behind the groups around it that repeat: "
                    + "`driver[1]/driver-name`.")
        }
        self = path
    }
}

extension FormDraftMessage {
    fileprivate init(summary: FormSummary, _ draft: FormDraft, _ pending: [PendingSuggestion]) {
        self.init(
            summary: summary,
            response: ResponseWriter.json(draft.response(.inProgress, authored: nil, includingUnanswered: true)),
            pending: pending.map { suggestion in
                PendingSuggestionMessage(
                    path: "\(suggestion.path)",
                    answers: suggestion.isBeingFetched ? [] : ResponseWriter.answers(suggestion.answers),
                    deadline: suggestion.deadline)
            })
    }
}

extension QuestionnaireSummary {
    fileprivate init(_ questionnaire: Questionnaire) {
        self.init(
            name: questionnaire.name, title: questionnaire.titles, version: questionnaire.version,
            url: questionnaire.url, itemCount: questionnaire.itemCount,
            isForGrownUps: questionnaire.completedBy == .grownUp)
    }
}
