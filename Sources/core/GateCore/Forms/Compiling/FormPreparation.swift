public import GateModel

/// The slow part of a command about a draft. It depends only on the draft and on what came with the command, so it can
/// be done on another thread before the command is applied.
public struct FormWork: Sendable {
    public enum Kind: Sendable {
        case edit(FormEdit)
        /// Replaces the draft's answers by those of the kept response with this id; `nil`: by those of the newest
        /// response that was completed.
        case load(UInt64?)
        case keep(QuestionnaireResponse.Status)
        /// Keeps the answers at this item as a part.
        case part(FormPath)
        /// Opens the draft that the target names, or another one beside it. `AppForm` is the form that an app brings.
        case open(isAnother: Bool, AppForm?)
    }

    fileprivate enum Task: Sendable {
        case edit(FormEdit)
        case load(QuestionnaireResponse)
        case keep(QuestionnaireResponse.Status)
        case part(FormPath)
        case open
    }

    fileprivate let draft: FormDraft
    fileprivate let task: Task
    fileprivate let now: LocalTime

    /// The approximate bytes of answers that are read or written, besides those in the command. `.max` if that can't be
    /// known in advance: for expressions, and for loading a response, of which it is not known how much fits.
    public var byteCount: Int {
        switch task {
        case .edit(.set(let path, _, _)), .edit(.suggest(let path, _, _)): draft.answeringByteCount(at: path)
        case .edit(.remove), .edit(.reset), .open: draft.followingByteCount
        case .edit(.fill), .edit(.amend), .keep(.completed): draft.validatedByteCount
        case .edit(.take): max(draft.writtenByteCount, draft.followingByteCount)
        case .keep, .part: draft.writtenByteCount
        case .load: .max
        }
    }

    /// Does the work. Slow.
    public func done() -> FormPreparation { FormPreparation(of: self) }
}

/// The result of the slow part of a command. If the draft or the command has changed meanwhile, the result is ignored
/// and computed again: preparing saves time, and never changes what a command does.
public struct FormPreparation: Sendable {
    private enum Outcome: Sendable {
        case edited(FormEdit, Result<Replaced, GateError>)
        case loaded(from: QuestionnaireResponse, Replaced)
        case kept(errors: [FormIssue], QuestionnaireResponse)
        case opened(FormDraft)
        case part(FormPath, Result<QuestionnaireResponseItem, GateError>)
    }

    fileprivate struct Replaced: Sendable {
        let draft: FormDraft
        let change: FormDraft.Change
    }

    private let draft: FormDraft
    private let outcome: Outcome
    private let now: LocalTime

    fileprivate init(of work: FormWork) {
        draft = work.draft
        now = work.now
        var after = work.draft
        switch work.task {
        case .edit(let edit):
            let result = Result { () throws(GateError) in try after.apply(edit, now: work.now) }
            outcome = .edited(edit, result.map { Replaced(draft: after, change: $0) })
        case .load(let response):
            let change = after.load(from: response, now: work.now)
            outcome = .loaded(from: response, Replaced(draft: after, change: change))
        case .keep(let status):
            let errors = status == .completed ? after.issues(now: work.now).filter { $0.severity == .error } : []
            outcome = .kept(errors: errors, after.response(status, authored: nil, includingUnanswered: false))
        case .part(let path):
            outcome = .part(path, Result { () throws(GateError) in try after.part(at: path) })
        case .open: outcome = .opened(FormDraft.opened(draft.form, now: now))
        }
    }

    package func isCurrent(for work: FormWork) -> Bool { work.draft == draft && isOfToday(work.now) }

    // Comparing two drafts is fast if they share their storage, as a draft does with its unchanged copy.

    fileprivate func edited(_ draft: FormDraft, by edit: FormEdit, now: LocalTime) -> Result<Replaced, GateError>? {
        guard case .edited(edit, let result) = outcome, draft == self.draft, isOfToday(now) else { return nil }
        return result
    }

    fileprivate func opened(_ form: CompiledForm, now: LocalTime) -> FormDraft? {
        guard case .opened(let opened) = outcome, opened.form == form, isOfToday(now) else { return nil }
        return opened
    }

    fileprivate func part(_ draft: FormDraft, at path: FormPath) -> Result<QuestionnaireResponseItem, GateError>? {
        guard case .part(path, let result) = outcome, draft == self.draft else { return nil }
        return result
    }

    fileprivate func loaded(_ draft: FormDraft, from response: QuestionnaireResponse, now: LocalTime) -> Replaced? {
        guard case .loaded(response, let replaced) = outcome, draft == self.draft, isOfToday(now) else { return nil }
        return replaced
    }

    /// Whether it is still the same day. `today()` is the same all day, and the answers that people give don't depend
    /// on the second at which a form is completed.
    private func isOfToday(_ now: LocalTime) -> Bool { self.now.day == now.day }

    fileprivate func errors(_ draft: FormDraft, now: LocalTime) -> [FormIssue]? {
        isOfToday(now) ? kept(draft, as: .completed)?.errors : nil
    }

    fileprivate func kept(_ draft: FormDraft, as status: QuestionnaireResponse.Status)
        -> (errors: [FormIssue], response: QuestionnaireResponse)?
    {
        guard case .kept(let errors, let response) = outcome, response.status == status, draft == self.draft else {
            return nil
        }
        return (errors, response)
    }
}

extension CompiledForm {
    /// The approximate bytes of a response with each item once and without answers.
    public var writtenByteCount: Int { outline.ownByteCount }

    /// The approximate bytes that are read to validate a response. This and the estimates below are `.max` if
    /// expressions have to be evaluated for it, because their time is unknown.
    public var validatedByteCount: Int { outline.hasExpressions ? .max : writtenByteCount }
}

extension FormDraft {
    /// The approximate bytes of the draft as a response.
    public var writtenByteCount: Int {
        filled.outline.hasEnablingExpressions ? .max : filled.rows.size.byteCount + byteCount
    }

    /// The approximate bytes for computing what follows from another answer.
    var followingByteCount: Int {
        filled.outline.worksOutAnswers || filled.outline.hasEnablingExpressions ? .max : 0
    }

    public var validatedByteCount: Int { filled.outline.hasExpressions ? .max : writtenByteCount }

    /// The approximate bytes for answering this question.
    public func answeringByteCount(at path: FormPath) -> Int {
        let outline = filled.outline
        let item = outline.positions[path.linkID].map { outline.items[$0] }
        return item?.movingLimits == nil ? followingByteCount : .max
    }

    /// Performs an edit, or takes over its prepared result. `edit` has the true sizes of its documents.
    ///
    /// - Throws: as `set`, `suggest`, `remove`, `fill`, `amend` and `take`.
    mutating func apply(
        _ edit: FormEdit, now: LocalTime, _ prepared: FormPreparation? = nil
    ) throws(GateError) -> Change {
        guard let result = prepared?.edited(self, by: edit, now: now) else {
            switch edit {
            case .set(let path, let values, _): return try set(path, to: values, now: now)
            case .suggest(let path, let values, _): return try suggest(path, values, now: now)
            case .remove(let path): return try remove(path, now: now)
            case .fill(let response, _): return try fill(from: response, now: now)
            case .amend(let response, _): return try amend(by: response, now: now)
            case .reset: return reset(now: now)
            case .take(let path, _, let contents): return try take(contents, at: path, now: now)
            }
        }
        let replaced = try result.get()
        self = replaced.draft
        return replaced.change
    }

    static func opened(_ form: CompiledForm, now: LocalTime, _ prepared: FormPreparation?) -> FormDraft {
        prepared?.opened(form, now: now) ?? opened(form, now: now)
    }

    mutating func load(from response: QuestionnaireResponse, now: LocalTime, _ prepared: FormPreparation?) -> Change {
        guard let replaced = prepared?.loaded(self, from: response, now: now) else {
            return load(from: response, now: now)
        }
        self = replaced.draft
        return replaced.change
    }

    func errors(now: LocalTime, _ prepared: FormPreparation?) -> [FormIssue] {
        prepared?.errors(self, now: now) ?? issues(now: now).filter { $0.severity == .error }
    }

    func part(at path: FormPath, _ prepared: FormPreparation?) throws(GateError) -> QuestionnaireResponseItem {
        guard let result = prepared?.part(self, at: path) else { return try part(at: path) }
        return try result.get()
    }

    func response(
        _ status: QuestionnaireResponse.Status, authored: String, _ prepared: FormPreparation?
    ) -> QuestionnaireResponse {
        guard var response = prepared?.kept(self, as: status)?.response else {
            return response(status, authored: authored, includingUnanswered: false)
        }
        response.authored = authored
        return response
    }
}

extension GateState {
    /// - Throws: why there is no slow part. The command then reports the error itself.
    package func formWork(
        _ kind: FormWork.Kind, on target: FormTarget, for peer: Peer, at now: BootTime, localTime: LocalTime
    ) throws(GateError) -> FormWork {
        if case .open(_, let own?) = kind, formName(target.name, for: peer) == nil {
            return FormWork(
                draft: FormDraft.opened(own.compiled, now: localTime, follows: false), task: .open, now: localTime)
        }
        let key = try draftKey(of: target, for: peer, at: now)
        let work = { (draft: FormDraft, task: FormWork.Task) in FormWork(draft: draft, task: task, now: localTime) }
        switch kind {
        case .edit(let edit):
            let edit = fillingWhatIsLeftEmpty(edit, of: key) ?? edit
            return work(try openDraft(key, at: nil), .edit(try measured(edit, for: key.holder)))
        case .load(let id): return work(try draftToLoad(key, localTime), .load(try response(id, for: key)))
        case .keep(let status): return work(try openDraft(key, at: nil), .keep(status))
        case .part(let path): return work(try openDraft(key, at: nil), .part(path))
        case .open(let isAnother, _):
            guard isAnother || forms[key] == nil, let form = forms.compiled[key.name] else { throw .noDraft(key) }
            return work(FormDraft.opened(form, now: localTime, follows: false), .open)
        }
    }

    private func draftToLoad(_ key: FormDraftKey, _ localTime: LocalTime) throws(GateError) -> FormDraft {
        if let open = forms[key] { return open }
        guard let form = forms.compiled[key.name] else { throw .noForm(key.name) }
        return FormDraft.opened(form, now: localTime, follows: false)
    }
}
