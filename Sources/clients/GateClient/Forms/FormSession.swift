public import GateModel
import GateProtocol
import Synchronization

/// A form that is being filled in, perhaps by several people and programs at once.
///
/// ```swift
/// let consent = try await gate.forms.open("consent")
/// try await consent.set("child-name", to: "Tim")
/// try await consent.complete()
/// ```
///
/// A path names an item: its linkId, behind the repeating groups around it, like `"driver[1]/driver-name"`. If there is
/// only one driver, `"driver-name"` is enough.
///
/// The session's properties show the draft as it was last read. It is read again after each change that this session
/// makes; while a task iterates `updates`, it is also read after each change that others make.
///
/// Nothing that others entered is overwritten by accident: each change applies to the draft as this session knows it.
/// If others have changed something else meanwhile, an answer is still taken; any other change is refused
/// (`changedMeanwhile`), and the session then shows the newer draft.
///
/// A session holds nothing open. The draft remains, even if the daemon restarts, until it is completed or discarded.
public final class FormSession: Sendable {
    /// The form, as it was when this session began.
    public let questionnaire: Questionnaire
    /// The form as FHIR JSON, with all texts that people read.
    public let questionnaireJSON: [UInt8]

    /// The answers at one moment.
    public struct Draft: Hashable, Sendable {
        /// Identifies exactly these answers, for `complete(at:)`.
        public var revision: UInt64
        /// Every enabled item, answered or not, in order.
        public var response: QuestionnaireResponse
        /// The suggestions that are being fetched or that wait beside an answer, in the form's order.
        public var pending: [PendingSuggestion]
    }

    let line: FormLine
    let target: FormTarget
    private let items: FormItems
    private let known: Mutex<Known>

    private struct Known {
        var summary: FormSummary
        var response: QuestionnaireResponse
        var outline: DraftOutline
        var pending: [PendingSuggestion]
        var readings = 0
    }

    /// How often a change of one answer is tried while others keep changing the rest of the draft.
    private static let maximumAttempts = 10

    init(
        _ questionnaire: Questionnaire, json: [UInt8], draft: FormDraftMessage, target: FormTarget,
        over line: FormLine
    ) throws(GateError) {
        self.questionnaire = questionnaire
        questionnaireJSON = json
        self.line = line
        self.target = target
        let items = FormItems(questionnaire)
        self.items = items
        let response = try QuestionnaireResponse(ofDaemon: draft.response)
        let outline = DraftOutline(response, of: items)
        known = Mutex(
            Known(
                summary: draft.summary, response: response, outline: outline,
                pending: try [PendingSuggestion](ofDaemon: draft.pending)))
    }

    /// Opens the draft that the target names, and begins one if the person has none. `another` begins a new draft with
    /// the label beside the existing ones; `own` is the app's own form as FHIR JSON, `nil` a form of the device.
    static func open(
        _ target: FormTarget, beginning another: Bool = false, label: String = "", own: [UInt8]? = nil,
        over line: FormLine
    ) async throws(GateError) -> FormSession {
        let request = OpenFormRequest(target: target, beginsAnother: another, label: label, questionnaire: own)
        let draft = try await line.call(Methods.Questionnaires.open, request).draft
        let name = draft.summary.name
        var target = target
        target.draftID = draft.summary.draftID
        let json = try await line.call(
            Methods.Questionnaires.get, GetQuestionnaireRequest(name: name, cookie: target.cookie)
        ).questionnaire
        return try FormSession(
            try Questionnaire(ofDaemon: json, named: name), json: json, draft: draft, target: target, over: line)
    }

    /// Opens a draft in the way that a person has chosen. `.new` begins one even if one was opened since the choice.
    static func begin(
        _ target: FormTarget, _ beginning: FormBeginning, over line: FormLine
    ) async throws(GateError) -> FormSession {
        switch beginning {
        case .new: return try await open(target, beginning: true, over: line)
        case .draft(let draft):
            var target = target
            target.draftID = draft.draftID
            return try await open(target, over: line)
        case .response(let kept):
            let session = try await open(target, beginning: true, over: line)
            do throws(GateError) {
                try await session.load(kept.id)
            } catch {
                // Without this, an empty draft would remain.
                _ = try? await session.discard()
                throw error
            }
            return session
        }
    }

    // MARK: As it was last read

    /// The `id` of the questionnaire.
    public var name: String { questionnaire.name }
    package var summary: FormSummary { known.withLock { $0.summary } }
    /// The account or user whom the draft belongs to.
    public var holder: FormHolder { known.withLock { $0.summary.holder } }
    /// The number of this draft among the holder's drafts of the form; 0 is the one that is opened by default.
    public var draftID: UInt64 { known.withLock { $0.summary.draftID } }
    /// The label that distinguishes this draft for people, like "Anna, Golf". Somebody has set it, or the daemon makes
    /// it from the answers. It may be empty.
    public var label: String { known.withLock { $0.summary.label } }
    /// The draft's revision when it was last read. Each change makes it higher, and no number is used twice.
    public var revision: UInt64 { known.withLock { $0.summary.revision } }
    /// Every enabled item, answered or not, in order.
    public var response: QuestionnaireResponse { known.withLock { $0.response } }
    /// The revision, the response and the pending suggestions at one moment.
    public var draft: Draft {
        known.withLock { Draft(revision: $0.summary.revision, response: $0.response, pending: $0.pending) }
    }
    /// The suggestions that are being fetched or that wait beside an answer, in the form's order. To take one that
    /// waits, call `set` with exactly its answers. Always empty if the daemon lacks the capability "suggestions".
    public var pending: [PendingSuggestion] { known.withLock { $0.pending } }
    var outline: DraftOutline { known.withLock { $0.outline } }

    /// The form's definition of the item that a path leads to; indices are ignored.
    /// - Throws: `NOT_FOUND` (`unknown`).
    public func item(at path: FormPath) throws(GateError) -> QuestionnaireItem {
        try items.entry(of: path.linkID).item
    }

    /// Reads the draft again.
    /// - Throws: `NOT_FOUND` (`unknown`) if the draft was completed or discarded.
    @discardableResult
    public func refresh() async throws(GateError) -> QuestionnaireResponse {
        let readings = known.withLock { $0.readings }
        let draft = try await line.call(Methods.Questionnaires.read, ReadFormRequest(target: target)).draft
        let response = try QuestionnaireResponse(ofDaemon: draft.response)
        let outline = DraftOutline(response, of: items)
        let pending = try [PendingSuggestion](ofDaemon: draft.pending)
        return known.withLock { known in
            // An older revision counts only if nothing was read meanwhile: the replies to two simultaneous readings may
            // arrive in either order. It can be the right one, if another person has signed in, who has an older draft.
            guard draft.summary.revision >= known.summary.revision || known.readings == readings else {
                return known.response
            }
            known = Known(
                summary: draft.summary, response: response, outline: outline, pending: pending,
                readings: known.readings + 1)
            return response
        }
    }

    // MARK: Changing it

    func change<Request>(
        _ method: Method<Request, FormChangeReply<some CFormChangeReply>>,
        _ request: (_ at: UInt64) throws(GateError) -> Request
    ) async throws(GateError) -> FormChange {
        let at = revision
        let change: FormChange
        do throws(GateError) {
            change = try await line.call(method, try request(at)).change
        } catch {
            if error.reason == .changedMeanwhile { try await refresh() }
            throw error
        }
        if change.summary.revision != at { try await refresh() }
        return change
    }

    /// Makes a change to one question. It is tried again if others have changed something else meanwhile.
    func change<Request>(
        _ method: Method<Request, FormChangeReply<some CFormChangeReply>>, at path: FormPath,
        _ request: (_ at: UInt64) throws(GateError) -> Request
    ) async throws(GateError) -> FormChange {
        var attempts = 1
        while true {
            let before = outline
            do throws(GateError) {
                return try await change(method, request)
            } catch {
                guard error.reason == .changedMeanwhile, attempts < Self.maximumAttempts,
                    before.isSame(as: outline, at: path)
                else { throw error }
                attempts += 1
            }
        }
    }

    /// Completes the form: the daemon keeps the draft as a response, and closes the draft.
    /// - Parameter revision: the revision that the person has read and agreed to; `nil`: the one that was last read
    ///   here. Note that `updates` reads after each change that others make.
    /// - Returns: the response that is kept.
    /// - Throws: `FAILED_PRECONDITION` with `incomplete` and what is missing, or with `notParent` if only a grown-up
    ///   may complete it; `ABORTED` (`changedMeanwhile`) if the draft has changed since that revision.
    @discardableResult
    public func complete(at revision: UInt64? = nil) async throws(GateError) -> ResponseChange {
        do throws(GateError) {
            let request = CompleteFormRequest(target: target, atRevision: revision ?? self.revision)
            let response = try await line.call(Methods.Questionnaires.complete, request)
            return ResponseChange(id: response.responseID, revision: response.revision)
        } catch {
            if error.reason == .changedMeanwhile { try await refresh() }
            throw error
        }
    }

    /// Deletes the draft.
    /// - Throws: `NOT_FOUND` (`unknown`) if it does not exist any more.
    @discardableResult
    public func discard() async throws(GateError) -> DiscardedForm {
        let response = try await line.call(Methods.Questionnaires.discard, DiscardFormRequest(target: target))
        return DiscardedForm(name: name, revision: response.revision)
    }

    /// Sets the draft's label. The answers and the revision don't change.
    /// - Parameter label: one line of at most 200 bytes; empty: the daemon makes it from the answers again.
    /// - Throws: `INVALID_ARGUMENT` (`invalidRequest`); `NOT_FOUND` (`unknown`) if the draft does not exist any more.
    public func setLabel(_ label: String) async throws(GateError) {
        _ = try await line.call(Methods.Questionnaires.label, LabelDraftRequest(target: target, label: label))
        try await refresh()
    }

    /// Keeps a copy of the draft as a response that is not completed. The draft stays open.
    /// - Returns: the response that is kept.
    /// - Throws: `RESOURCE_EXHAUSTED` (`limit`).
    @discardableResult
    public func save() async throws(GateError) -> ResponseChange {
        let response = try await line.call(Methods.Questionnaires.save, SaveFormRequest(target: target))
        return ResponseChange(id: response.responseID, revision: response.revision)
    }

    /// Checks the draft as if it were to be completed, and changes nothing.
    public func validate() async throws(GateError) -> FormVerdict {
        let response = try await line.call(
            Methods.Questionnaires.validate, ValidateFormRequest(target: target, response: nil))
        return try FormVerdict(outcome: response.outcome, isValid: response.isValid)
    }
}

extension DraftOutline {
    /// Whether a question is enabled in both, with the same answers, and with the same number of groups around it. The
    /// number matters because removing a group changes the paths of later groups.
    fileprivate func isSame(as other: DraftOutline, at path: FormPath) -> Bool {
        guard let ours = try? (isEnabled(path), values(at: path), counts(around: path)),
            let theirs = try? (other.isEnabled(path), other.values(at: path), other.counts(around: path))
        else { return false }
        return ours == theirs
    }
}
