public import GateModel

/// The slow part of a command about a draft: what follows from the draft and from what came with the command alone. It may be
/// worked out beforehand, elsewhere than where commands are applied.
public struct FormWork: Sendable {
    /// The use that the command will make of the draft.
    public enum Kind: Sendable {
        /// A whole response takes the place of all answers, with the documents that came with it.
        case fill(QuestionnaireResponse, attachments: [AttachmentDigest: [UInt8]])
        /// A response that is kept does; `nil`: the newest that was completed.
        case load(UInt64?)
        /// It is kept: as it is, or as complete.
        case keep(QuestionnaireResponse.Status)
    }

    fileprivate enum Task: Sendable {
        case fill(QuestionnaireResponse)
        case load(QuestionnaireResponse)
        case keep(QuestionnaireResponse.Status)
    }

    fileprivate let draft: FormDraft
    fileprivate let task: Task
    fileprivate let now: LocalTime

    /// About so many bytes of answers are read or written for it, beside those that came with the command. How much is kept of a
    /// response takes as long to find out as to read it.
    public var byteCount: Int {
        switch task {
        case .fill, .keep: draft.writtenByteCount
        case .load: .max
        }
    }

    /// Slow.
    public func done() -> FormPreparation { FormPreparation(of: self) }
}

/// The part of a command about a draft that was worked out beforehand. Where the draft is another one by now, or the
/// command is, it is worked out anew: so it changes what a command costs, and nothing else.
public struct FormPreparation: Sendable {
    private enum Outcome: Sendable {
        case replaced(with: QuestionnaireResponse, Result<Replaced, GateError>)
        case loaded(from: QuestionnaireResponse, Replaced)
        case kept(errors: [FormIssue], QuestionnaireResponse)
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
        case .fill(let response):
            let result = Result { () throws(GateError) in try after.fill(from: response, now: work.now)
            }
            outcome = .replaced(with: response, result.map { Replaced(draft: after, change: $0) })
        case .load(let response):
            let change = after.load(from: response)
            outcome = .loaded(from: response, Replaced(draft: after, change: change))
        case .keep(let status):
            let errors = status == .completed ? after.issues(now: work.now).filter { $0.severity == .error } : []
            outcome = .kept(errors: errors, after.response(status, authored: nil, includingUnanswered: false))
        }
    }

    // That two drafts are one is seen at once while they share what they are made of.

    fileprivate func filled(
        _ draft: FormDraft, from response: QuestionnaireResponse, now: LocalTime
    ) -> Result<Replaced, GateError>? {
        guard case .replaced(response, let result) = outcome, draft == self.draft, isOfToday(now) else { return nil }
        return result
    }

    fileprivate func loaded(_ draft: FormDraft, from response: QuestionnaireResponse) -> Replaced? {
        guard case .loaded(response, let replaced) = outcome, draft == self.draft else { return nil }
        return replaced
    }

    /// Whether it is still the same day: `today()` is the same all day, and nothing that a person fills in hangs on the second
    /// at which it is completed.
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
    /// About so many bytes a response has with all of its items once, without answers.
    public var writtenByteCount: Int { outline.ownByteCount }
}

extension FormDraft {
    /// About so many bytes it has as a response, whatever is answered in it.
    public var writtenByteCount: Int { filled.rows.size.byteCount + byteCount }

    /// As `fill(from:)`.
    mutating func fill(
        from response: QuestionnaireResponse, now: LocalTime, _ prepared: FormPreparation?
    ) throws(GateError) -> Change {
        guard let result = prepared?.filled(self, from: response, now: now) else {
            return try fill(from: response, now: now)
        }
        let replaced = try result.get()
        self = replaced.draft
        return replaced.change
    }

    /// As `load(from:)`.
    mutating func load(from response: QuestionnaireResponse, _ prepared: FormPreparation?) -> Change {
        guard let replaced = prepared?.loaded(self, from: response) else { return load(from: response) }
        self = replaced.draft
        return replaced.change
    }

    /// The errors that keep it from being completed.
    func errors(now: LocalTime, _ prepared: FormPreparation?) -> [FormIssue] {
        prepared?.errors(self, now: now) ?? issues(now: now).filter { $0.severity == .error }
    }

    /// As it is kept.
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
    /// The slow part of a command about a draft.
    /// - Throws: why there is none. Commands that are given without it say so themselves.
    package func formWork(
        _ kind: FormWork.Kind, on target: FormTarget, for peer: Peer, at now: BootTime, localTime: LocalTime
    ) throws(GateError) -> FormWork {
        let (summary, draft) = try form(target, for: peer, at: now)
        switch kind {
        case .fill(let response, let brought):
            return FormWork(
                draft: draft, task: .fill(try measured(response, brought, for: summary.holder)), now: localTime)
        case .load(let id):
            let key = FormDraftKey(holder: summary.holder, name: summary.name)
            return FormWork(draft: draft, task: .load(try response(id, for: key)), now: localTime)
        case .keep(let status):
            return FormWork(draft: draft, task: .keep(status), now: localTime)
        }
    }
}
