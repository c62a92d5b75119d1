public import GateModel

/// The life of a form: drafts are opened, changed, kept and completed, and parts of them are kept for other forms.
package enum FormCommand: Hashable, Sendable {
    /// The draft that is there, or a new one with initial values.
    ///
    /// - `beginsAnother`: one more beside those that are there.
    /// - `label`: of a new one; empty: its answers make one.
    /// - `own`: the form that the app brings with it.
    case openForm(FormTarget, beginsAnother: Bool = false, label: String = "", own: AppForm? = nil)
    /// Gives a draft this label; empty: its answers make one again.
    case labelDraft(FormTarget, label: String)
    /// A program fetches the answers to this question, for so long at most.
    case announceSuggestion(FormTarget, at: UInt64?, FormPath, for: Duration)
    /// `at`: the revision of the draft that it was made for; `nil`: any.
    case editForm(FormTarget, at: UInt64?, FormEdit)
    /// Keeps a copy of the draft.
    case saveForm(FormTarget)
    /// A kept response takes the place of all answers, as far as it fits. `nil`: the newest that was completed.
    case loadForm(FormTarget, at: UInt64?, response: UInt64?)
    case completeForm(FormTarget, at: UInt64?)
    /// `of`: the holder, where it is not the one that the target means.
    case discardForm(FormTarget, of: FormHolder? = nil)
    case withdrawResponse(UInt64)
    /// Keeps the answers at an item as a part. `over`: in place of that one. `label`: empty: its answers make one, or it keeps the one that
    /// it has.
    case savePart(FormTarget, FormPath, over: UInt64?, label: String)
    /// Gives a part another label; empty: its answers make one.
    case labelPart(UInt64, label: String)
    case removePart(UInt64)
    /// A presenter is to have it filled in.
    case requestForm(name: String, own: AppForm? = nil)

    /// Everyone may do most of it, since each peer reaches its own forms alone: see `FormAccess.swift`.
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
    /// Drafts are in `FormDrafts.swift`, completed and kept forms in `FormResponses.swift`, parts in `FormParts.swift`.
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

/// A change of the answers of a draft.
public enum FormEdit: Hashable, Sendable {
    /// A person's answer; empty: the question has none any more. `attachments`: bytes that the values name, where they are new.
    case set(FormPath, [FormValue], attachments: [AttachmentDigest: [UInt8]])
    /// A program's suggestion, for a question without an answer.
    case suggest(FormPath, [FormValue], attachments: [AttachmentDigest: [UInt8]])
    /// One of several groups goes.
    case remove(FormPath)
    /// A whole response in place of all answers.
    case fill(QuestionnaireResponse, attachments: [AttachmentDigest: [UInt8]])
    /// The answers of a response beside those that are there: answers that it does not name stay.
    case amend(QuestionnaireResponse, attachments: [AttachmentDigest: [UInt8]])
    /// Initial values, and nothing else.
    case reset
    /// Parts in place of the answers at an item, or beside it where that repeats. `contents`: theirs, once they were looked up.
    case take(FormPath, parts: [UInt64], contents: [QuestionnaireResponseItem] = [])

    /// The bytes that came with it.
    public var attachments: [AttachmentDigest: [UInt8]] {
        switch self {
        case .set(_, _, let attachments), .suggest(_, _, let attachments), .fill(_, let attachments),
            .amend(_, let attachments):
            attachments
        case .remove, .reset, .take: [:]
        }
    }
}
