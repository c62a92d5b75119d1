import GateCore
import GateModel

/// What must hold of forms whatever happens.
enum FormPromises {
    /// Checks what somebody was told.
    static func check(_ transition: Transition, since before: DurableRecords, _ after: DurableRecords) throws {
        // Then other drafts and responses are there: see `RestorePromises`.
        guard transition.restored == nil else { return }
        var removedDrafts: Set<FormDraftKey> = []
        var removedResponses: Set<UInt64> = []
        for change in transition.records {
            if case .forms(.draftRemoved(let key)) = change { removedDrafts.insert(key) }
            if case .forms(.responseRemoved(let id)) = change { removedResponses.insert(id) }
        }
        for (key, draft) in before.drafts where !removedDrafts.contains(key) {
            let later = try hold(after.drafts[key], "a draft went without a word")
            try hold(later.revision >= draft.revision, "the revision of a draft went back")
            if before.draftRows[key] != after.draftRows[key] {
                try hold(later.revision > draft.revision, "a draft was changed in silence")
            }
        }
        let isWithdrawal = transition.audit.contains { $0.kind == .responseWithdrawn }
        for (id, record) in before.responses {
            guard let later = after.responses[id] else {
                try hold(isWithdrawal && removedResponses.contains(id) && record.summary.status != .completed)
                continue
            }
            let isWithdrawn = isWithdrawal && later.summary.status == .enteredInError
            try hold(later == record || isWithdrawn, "what was kept has changed")
            try hold(later.response.items == record.response.items, "answers that were kept have changed")
        }
        try hold(after.nextResponse >= before.nextResponse)
        let begun = after.drafts.keys.filter { $0.id > 0 && before.drafts[$0] == nil }
        try hold(begun.allSatisfy { $0.id >= before.nextDraft }, "the id of a draft comes again")
        try hold(after.nextDraft >= before.nextDraft && after.drafts.keys.allSatisfy { $0.id < after.nextDraft })
    }

    /// The drafts are those that the durable records come to, and documents are kept exactly as long as an answer names them.
    static func check(_ state: GateState) throws {
        let restored = GateState(restoring: state.records, configuration: state.configuration)
        var named: Set<AttachmentDigest> = []
        for key in state.openForms.keys {
            let rows = state.records.draftRows[key] ?? [:]
            for row in rows.values { named.formUnion(row.documents) }
            guard state.compiledForm(key.name) != nil else { continue }
            let draft = try hold(
                state.formDraft(of: key.holder, named: key.name, id: key.id), "a draft is stored, and not there")
            try hold(draft.rows == rows, "a draft is stored as another one")
            let again = restored.formDraft(of: key.holder, named: key.name, id: key.id)
            try hold(draft == again, "a restart would change a draft")
        }
        try hold(
            state.forms(in: .all) == restored.forms(in: .all), "a restart would change the label of a draft")
        for kept in state.records.responses.values { named.formUnion(kept.response.items.flatMap(\.documents)) }
        try hold(Set(state.records.attachments.keys) == named, "documents are kept that nothing names, or lost")
        for name in state.records.appForms.keys {
            let isAsked = state.hasOpenRequest(forForm: name)
            try hold(
                isAsked || state.openForms.keys.contains { $0.name == name }, "a form of an app that nobody fills in")
        }
        try hold(state.records.draftRows.keys.allSatisfy { state.openForms[$0] != nil }, "answers of no draft")
    }
}

extension FormRow {
    fileprivate var documents: [AttachmentDigest] {
        switch self {
        case .answers(let values), .entered(let values): values.compactMap(\.document)
        case .instances: []
        }
    }
}

extension QuestionnaireResponseItem {
    fileprivate var documents: [AttachmentDigest] {
        items.flatMap(\.documents) + answers.compactMap { $0.value?.document }
            + answers.flatMap { $0.items.flatMap(\.documents) }
    }
}

extension FormValue {
    fileprivate var document: AttachmentDigest? {
        guard case .attachment(let attachment) = self else { return nil }
        return attachment.digest
    }
}
