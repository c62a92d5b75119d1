import GateModel

/// Responses: drafts are saved or completed as responses, and responses are withdrawn. Also the requests to fill in a
/// form that presenters show.
extension GateState {
    mutating func saveForm(
        _ target: FormTarget, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        let key = try draftKey(of: target, for: context.peer)
        try countCopy(target, of: key.holder, context.peer)
        let open = try openDraft(key, at: nil)
        let id = try keep(open, as: .inProgress, key, context, &draft)
        draft.journal(.formSaved, by: context.peer, "\(key.text), response \(id)")
        return .responded(id)
    }

    /// Limits how many copies another owner's screen that shows the form may save. They count as the holder's
    /// responses, so it could otherwise use up all the holder's room.
    mutating func countCopy(_ target: FormTarget, of holder: FormHolder, _ peer: Peer) throws(GateError) {
        guard let cookie = target.cookie, !reachesOthers(of: holder, peer) else { return }
        let open = try answerable(with: cookie)
        guard requests.copySaved(open.request) else { throw .tooManyResponsesOfHolder }
    }

    /// Saves the draft as a completed response, and removes it. A peer that completes a form shown by a presentation
    /// must name the draft's revision, since others may change or replace the draft while a person reads it.
    mutating func completeForm(
        _ target: FormTarget, at revision: UInt64?, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        let key = try draftKey(of: target, for: context.peer)
        let open = try openDraft(key, at: revision)
        guard revision != nil || target.cookie == nil else { throw .shownRevisionMissing }
        let shown = try target.cookie.map { cookie throws(GateError) in try answerable(with: cookie) }
        guard mayComplete(open.form.questionnaire, context.peer, showing: shown) else { throw .onlyGrownUpsComplete }
        let errors = open.errors(now: context.localTime, context.prepared)
        guard errors.isEmpty else { throw .incomplete(errors, of: open.form.outline) }
        let id = try keep(open, as: .completed, key, context, &draft)
        if let shown { forgiveScreens(shown, by: context.peer, &draft) }
        // Requests to fill in a form are for the draft with id 0. Another draft is most likely about another customer,
        // so completing it fulfils none of them.
        if key.id != 0, target.cookie == nil { requests.passedOver(id, to: key.name, of: key.holder) }
        draft.journal(.formCompleted, by: context.peer, "\(key.text), response \(id)")
        keepParts(of: id, open.form, context, &draft)
        remove(key, &draft)
        forget(open.attachments, &draft)
        return .responded(id)
    }

    /// Whether this peer has shown that a grown-up completes the form, if the form requires that. Parent mode is not
    /// enough: any program may use it, and a completed form opens gates for good.
    private func mayComplete(
        _ questionnaire: Questionnaire, _ peer: Peer, showing open: QueuedPresentation?
    ) -> Bool {
        switch questionnaire.completedBy {
        case .anybody: true
        case .grownUp:
            // An answer on another screen says nothing about the person in front of this one.
            peer.isAdministrator || (open != nil && peer.isGrownUpPresenter)
                || open.flatMap { requests[$0.request] }?.wasAnsweredHere == true
        }
    }

    private mutating func keep(
        _ open: FormDraft, as status: QuestionnaireResponse.Status, _ key: FormDraftKey, _ context: Context,
        _ draft: inout TransitionDraft
    ) throws(GateError) -> UInt64 {
        let ofHolder = records.responses.values.lazy.map(\.summary).filter { $0.holder.sharesBill(with: key.holder) }
        guard ofHolder.count(where: { $0.status != .enteredInError }) < Limits.responsesOfHolder else {
            throw .tooManyResponsesOfHolder
        }
        guard records.responses.count < Limits.responses else { throw .tooManyResponses }
        let response = open.response(status, authored: context.wallTime.utcText, context.prepared)
        guard response.byteCount <= Limits.responseByteCount else { throw .tooLargeResponse }
        let id = records.nextResponse
        // The person who completes a form for grown-ups has read the answers, not a label that a program set meanwhile.
        let label = open.form.questionnaire.completedBy == .grownUp ? open.label : label(of: key)
        let summary = ResponseSummary(
            id: id, name: key.name, version: open.form.questionnaire.version, holder: key.holder, status: status,
            savedAt: context.wallTime, label: label)
        record(.forms(.nextResponseSet(id + 1)), &draft)
        record(.forms(.responseSet(ResponseRecord(summary: summary, response: response))), &draft)
        return id
    }

    /// Withdraws a response. A completed one stays, marked; a saved copy is deleted. Marked ones are deleted once there
    /// are too many, or by an administrator.
    mutating func withdrawResponse(
        _ id: UInt64, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        guard quarantinedFile == nil else { throw .storeDamaged }
        var kept = try response(id, for: context.peer)
        let key = FormDraftKey(holder: kept.summary.holder, name: kept.summary.name)
        switch kept.summary.status {
        case .completed, .amended, .stopped:
            kept.summary.status = .enteredInError
            kept.response.status = .enteredInError
            record(.forms(.responseSet(kept)), &draft)
            dropOldestWithdrawn(of: key.holder, &draft)
        case .enteredInError where !context.peer.isAdministrator:
            return .done
        case .inProgress, .enteredInError:
            remove(kept, &draft)
        }
        draft.journal(.responseWithdrawn, by: context.peer, "\(key.text), response \(id)")
        return .done
    }

    private mutating func dropOldestWithdrawn(of holder: FormHolder, _ draft: inout TransitionDraft) {
        let withdrawn = records.responses.values.filter {
            $0.summary.holder == holder && $0.summary.status == .enteredInError
        }
        guard withdrawn.count > Limits.withdrawnResponsesOfHolder,
            let oldest = withdrawn.min(by: { $0.summary.id < $1.summary.id })
        else { return }
        remove(oldest, &draft)
    }

    private mutating func remove(_ kept: ResponseRecord, _ draft: inout TransitionDraft) {
        record(.forms(.responseRemoved(kept.summary.id)), &draft)
        forget(kept.response.attachments, &draft)
    }

    /// Forgets the forms of an account that was removed, so a new account with its name starts afresh.
    mutating func forgetForms(of holder: FormHolder, at moment: BootTime, _ draft: inout TransitionDraft) {
        for request in requests.open where request.holder == holder {
            end(request.id, .impossible(.holderIsGone), by: nil, at: moment, &draft)
        }
        let keys = records.drafts.keys.filter { $0.holder == holder }.sorted {
            ($0.name, $0.id) < ($1.name, $1.id)
        }
        let kept = records.responses.values.filter { $0.summary.holder == holder }.sorted {
            $0.summary.id < $1.summary.id
        }
        var dropped: Set<AttachmentDigest> = []
        for key in keys {
            for row in (records.draftRows[key] ?? [:]).values { dropped.formUnion(row.attachments) }
            remove(key, &draft)
        }
        for response in kept {
            dropped.formUnion(response.response.attachments)
            record(.forms(.responseRemoved(response.summary.id)), &draft)
        }
        for part in parts(of: holder) {
            dropped.formUnion(part.content.attachments)
            record(.forms(.partRemoved(part.summary.id)), &draft)
        }
        forget(dropped, &draft)
        forgetWhatsNew(of: holder, app: nil, &draft)
    }

    // MARK: - By somebody else

    func invitation(to name: String, for holder: FormHolder) -> FormInvitation {
        let questionnaire = formDescription(name)?.questionnaire
        return FormInvitation(
            name: questionnaire?.name ?? name, title: questionnaire?.titles ?? LocalizedText(name),
            holder: holder, isForGrownUps: questionnaire?.completedBy == .grownUp)
    }

    mutating func requestForm(
        _ name: String, own: AppForm?, _ context: inout Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        guard quarantinedFile == nil else { throw .storeDamaged }
        if let own { try bring(own, for: context.peer, &draft) }
        guard let name = formName(name, for: context.peer) else { throw .noForm(name) }
        let invitation = invitation(to: name, for: holder(of: context.peer))
        guard canShow(.form(invitation), .sheet, for: context.peer, presentsItself: false) else {
            throw .nobodyShowsForm
        }
        return try open(
            .fillForm(invitation, since: records.nextResponse), presentsItself: false,
            asking: FirstQuestion(step: .form(invitation)), &context, &draft
        ).1
    }

    mutating func redecideForm(
        _ request: OpenRequest, _ invitation: FormInvitation, since first: UInt64, _ open: QueuedPresentation,
        by peer: Peer?, at moment: BootTime, _ draft: inout TransitionDraft
    ) {
        let completed = completed(invitation.name, by: invitation.holder).map(\.summary.id).filter { $0 >= first }
        if let id = completed.min() {
            chargeClosing(of: open, of: request, by: peer, at: moment, &draft)
            _ = close(request.id, at: moment, answerHears: .cookie(.closed), &draft)
            draft.settle(request.wait, .responded(id))
        } else if formDescription(invitation.name) == nil {
            end(request.id, .impossible(.noForm(invitation.name)), by: nil, at: moment, &draft)
        } else if !canShow(open, of: request) {
            end(request.id, .impossible(.nobodyShowsForm), by: nil, at: moment, &draft)
        }
    }
}

extension QuestionnaireResponse {
    /// The approximate size in bytes as it is stored: values, texts and an allowance around them.
    fileprivate var byteCount: Int { items.reduce(0) { $0 + $1.byteCount } }
}

extension QuestionnaireResponseItem {
    var byteCount: Int {
        let own = linkID.utf8.count + (definition?.utf8.count ?? 0) + (text?.utf8.count ?? 0) + 32
        let below = answers.reduce(0) { sum, answer in
            answer.items.reduce(sum + (answer.value?.byteCount ?? 0) + 32) { $0 + $1.byteCount }
        }
        return items.reduce(own + below) { $0 + $1.byteCount }
    }
}
