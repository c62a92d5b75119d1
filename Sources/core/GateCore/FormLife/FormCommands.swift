public import GateModel

/// Commands about forms: drafts are opened, changed, kept and completed, and parts of them are kept for other forms.
package enum FormCommand: Hashable, Sendable {
    /// Opens the existing draft, or a new one with initial values; with `beginsAnother` always a new one. `label` is
    /// that of a new draft; empty: it is made from the answers. `own` is the form that the app brings with the call.
    case openForm(FormTarget, beginsAnother: Bool = false, label: String = "", own: AppForm? = nil)
    /// Sets a draft's label; empty: the label is made from its answers again.
    case labelDraft(FormTarget, label: String)
    /// A program announces that it fetches the answers to a question, and how long that takes at most.
    case announceSuggestion(FormTarget, at: UInt64?, FormPath, for: Duration)
    /// `at`: the revision of the draft that the edit was made for; `nil`: any.
    case editForm(FormTarget, at: UInt64?, FormEdit)
    /// Keeps a copy of the draft as a response.
    case saveForm(FormTarget)
    /// Replaces all answers by those of a kept response, as far as they fit; `nil`: of the newest completed one.
    case loadForm(FormTarget, at: UInt64?, response: UInt64?)
    case completeForm(FormTarget, at: UInt64?)
    /// `of`: the draft's holder, if not the one that the target means.
    case discardForm(FormTarget, of: FormHolder? = nil)
    case withdrawResponse(UInt64)
    /// Keeps the answers at an item as a part. `over`: the part to replace. `label` empty: the replaced part's own
    /// label, or else one made from the answers.
    case savePart(FormTarget, FormPath, over: UInt64?, label: String)
    /// Sets a part's label; empty: the label is made from its answers.
    case labelPart(UInt64, label: String)
    case removePart(UInt64)
    /// Asks presenters to have a form filled in.
    case requestForm(name: String, own: AppForm? = nil)

    /// Everyone may give most of these commands, because a peer reaches only its own forms: see `FormAccess.swift`.
    var rules: CommandRules {
        switch self {
        case .openForm(let target, _, _, _), .labelDraft(let target, _), .editForm(let target, _, _),
            .saveForm(let target), .loadForm(let target, _, _), .completeForm(let target, _),
            .discardForm(let target, nil), .savePart(let target, _, _, _):
            CommandRules(.everyone, usesSession: true, cookie: target.cookie)
        case .discardForm(let target, .some):
            CommandRules(.administrator, usesSession: true, cookie: target.cookie)
        case .announceSuggestion(let target, _, _, _): CommandRules(.everyone, cookie: target.cookie)
        case .withdrawResponse, .labelPart, .removePart, .requestForm: CommandRules(.everyone, usesSession: true)
        }
    }
}

extension GateState {
    mutating func perform(
        _ command: FormCommand, _ context: inout Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        switch command {
        case .openForm(let target, let beginsAnother, let label, let own):
            try openForm(target, beginsAnother: beginsAnother, label: label, own: own, context, &draft)
        case .labelDraft(let target, let label): try labelDraft(target, label, context, &draft)
        case .announceSuggestion(let target, let revision, let path, let duration):
            try announceSuggestion(target, at: revision, path, for: duration, context, &draft)
        case .editForm(let target, let revision, let edit):
            try editForm(target, at: revision, edit, context, &draft)
        case .saveForm(let target): try saveForm(target, context, &draft)
        case .loadForm(let target, let revision, let id):
            try loadForm(target, at: revision, response: id, context, &draft)
        case .completeForm(let target, let revision): try completeForm(target, at: revision, context, &draft)
        case .discardForm(let target, let holder): try discardForm(target, of: holder, context, &draft)
        case .withdrawResponse(let id): try withdrawResponse(id, context, &draft)
        case .savePart(let target, let path, let over, let label):
            try savePart(target, path, over: over, label: label, context, &draft)
        case .labelPart(let id, let label): try labelPart(id, label, context, &draft)
        case .removePart(let id): try removePart(id, context, &draft)
        case .requestForm(let name, let own): try requestForm(name, own: own, &context, &draft)
        }
    }
}

public enum FormEdit: Hashable, Sendable {
    /// A person's answers; empty: they are removed. `attachments`: the bytes of new documents that the values name.
    case set(FormPath, [FormValue], attachments: [AttachmentDigest: [UInt8]])
    case suggest(FormPath, [FormValue], attachments: [AttachmentDigest: [UInt8]])
    /// Removes one instance of a repeating group.
    case remove(FormPath)
    /// Replaces all answers by those of a response.
    case fill(QuestionnaireResponse, attachments: [AttachmentDigest: [UInt8]])
    /// Sets the answers that a response names, and keeps the others.
    case amend(QuestionnaireResponse, attachments: [AttachmentDigest: [UInt8]])
    /// Resets all answers to the initial values.
    case reset
    /// Takes over parts at an item: in place of its answers, or as further instances if it repeats. `contents`: the
    /// parts' answers, once they were looked up.
    case take(FormPath, parts: [UInt64], contents: [QuestionnaireResponseItem] = [])

    public var attachments: [AttachmentDigest: [UInt8]] {
        switch self {
        case .set(_, _, let attachments), .suggest(_, _, let attachments), .fill(_, let attachments),
            .amend(_, let attachments):
            attachments
        case .remove, .reset, .take: [:]
        }
    }
}
