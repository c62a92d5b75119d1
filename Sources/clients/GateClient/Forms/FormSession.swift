import GateForms
public import GateModel
import GateProtocol
import Synchronization

/// A form that is being filled in, together with everybody else who may.
///
/// ```swift
/// let consent = try await gate.forms.open("consent")
/// try await consent.set("child-name", to: "Tim")
/// try await consent.complete()
/// ```
///
/// Items are named by linkId, behind the groups around them that repeat: `"driver[1]/driver-name"`; where there is one
/// driver alone, `"driver-name"` will do. What is told here is as it was last read: after each change of one's own it is read
/// again, and `updates` reads it with each change of anybody.
///
/// Nothing is taken from others by accident: a change is made to the draft as this session knows it. An answer goes through
/// all the same where others have changed something else meanwhile; otherwise the change is refused (`changedMeanwhile`),
/// and what is told here is the newer state then.
///
/// It holds nothing open. The draft stays, over restarts, until it is completed or discarded.
public final class FormSession: Sendable {
    /// The form, as it was when this session began.
    public let questionnaire: Questionnaire
    /// The same as FHIR JSON, with all that people read.
    public let questionnaireJSON: [UInt8]

    /// The answers at one moment.
    public struct Draft: Hashable, Sendable {
        /// Names exactly these answers, for `complete(at:)`.
        public var revision: UInt64
        /// Every item that is enabled, answered or not, in order.
        public var response: QuestionnaireResponse
        /// The suggestions that are being fetched, or wait beside an answer, in the order of the form (F-75, F-76).
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
        /// How often something was read.
        var readings = 0
    }

    /// How often an answer is given once more, since others have changed something else.
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

    /// Opens the draft, or joins the one that is there.
    ///
    /// - Parameters:
    ///   - another: one more draft beside those that are there.
    ///   - label: of a new draft.
    ///   - own: the app's own form as FHIR JSON (F-85).
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

    /// Opens a draft as a person has chosen to begin. A new one is beside all others, whatever was opened since the person chose.
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
                // Nothing of it is left behind.
                _ = try? await session.discard()
                throw error
            }
            return session
        }
    }

    // MARK: As it was last read

    /// The `id` of the questionnaire.
    public var name: String { questionnaire.name }
    /// The draft without its answers.
    package var summary: FormSummary { known.withLock { $0.summary } }
    /// The holder of the form.
    public var holder: FormHolder { known.withLock { $0.summary.holder } }
    /// Which of several drafts of the form this is: 0 is the one that is opened when nothing is said (F-84).
    public var draftID: UInt64 { known.withLock { $0.summary.draftID } }
    /// The text that tells this draft from others, like "Anna, Golf": somebody gave it, or its answers make it (F-74). May be
    /// empty. As it was last read.
    public var label: String { known.withLock { $0.summary.label } }
    /// Names the draft as it was last read: a higher one with each change, and never the same twice.
    public var revision: UInt64 { known.withLock { $0.summary.revision } }
    /// Every item that is enabled, answered or not, in order.
    public var response: QuestionnaireResponse { known.withLock { $0.response } }
    /// The revision and the response of the same moment.
    public var draft: Draft {
        known.withLock { Draft(revision: $0.summary.revision, response: $0.response, pending: $0.pending) }
    }
    /// The suggestions that are being fetched, or wait beside an answer, in the order of the form (F-75, F-76). `set` takes one that
    /// waits: with exactly its answers. Empty from a daemon without the capability "suggestions".
    public var pending: [PendingSuggestion] { known.withLock { $0.pending } }
    var outline: DraftOutline { known.withLock { $0.outline } }

    /// The item of that linkId, as the form describes it.
    ///
    /// - Throws: `NOT_FOUND` (`unknown`).
    public func item(at path: FormPath) throws(GateError) -> QuestionnaireItem {
        try items.entry(of: path.linkID).item
    }

    /// Reads the draft.
    ///
    /// - Throws: `NOT_FOUND` (`unknown`) where it was completed or discarded.
    @discardableResult
    public func refresh() async throws(GateError) -> QuestionnaireResponse {
        let readings = known.withLock { $0.readings }
        let draft = try await line.call(Methods.Questionnaires.read, ReadFormRequest(target: target)).draft
        let response = try QuestionnaireResponse(ofDaemon: draft.response)
        let outline = DraftOutline(response, of: items)
        let pending = try [PendingSuggestion](ofDaemon: draft.pending)
        return known.withLock { known in
            // Two that read at once may hear in either order; the draft of the person who is signed in by now may be an
            // older one.
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

    /// Makes a change to the draft as it is known, and reads what came of it.
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

    /// Makes a change that is about one question, also where others have changed something else meanwhile.
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

    /// Keeps the draft as a completed response, and closes it.
    ///
    /// - Parameter revision: of what the person has read, who says that it is to be completed; `nil`: as it was last read here,
    ///   which `updates` does with each change of anybody.
    /// - Returns: the response that is kept.
    /// - Throws: `FAILED_PRECONDITION` (`incomplete`), with what is missing; (`notParent`) where only a grown-up may;
    ///   `ABORTED` (`changedMeanwhile`) where somebody has changed it since it was read.
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

    /// Throws the draft away.
    ///
    /// - Throws: `NOT_FOUND` (`unknown`) where there is none any more.
    @discardableResult
    public func discard() async throws(GateError) -> DiscardedForm {
        let response = try await line.call(Methods.Questionnaires.discard, DiscardFormRequest(target: target))
        return DiscardedForm(name: name, revision: response.revision)
    }

    /// Gives the draft another label (F-74). Its answers stay as they were, and so does its revision.
    ///
    /// - Parameter label: one line of at most 200 bytes; empty: its answers make one again.
    /// - Throws: `INVALID_ARGUMENT` (`invalidRequest`); `NOT_FOUND` (`unknown`) if the draft is gone.
    public func setLabel(_ label: String) async throws(GateError) {
        _ = try await line.call(Methods.Questionnaires.label, LabelDraftRequest(target: target, label: label))
        try await refresh()
    }

    /// Keeps a copy of the draft as it is. The draft stays.
    ///
    /// - Returns: the response that is kept.
    /// - Throws: `RESOURCE_EXHAUSTED` (`limit`).
    @discardableResult
    public func save() async throws(GateError) -> ResponseChange {
        let response = try await line.call(Methods.Questionnaires.save, SaveFormRequest(target: target))
        return ResponseChange(id: response.responseID, revision: response.revision)
    }

    /// The faults that the draft would have if it were completed.
    public func validate() async throws(GateError) -> FormVerdict {
        let response = try await line.call(
            Methods.Questionnaires.validate, ValidateFormRequest(target: target, response: nil))
        return try FormVerdict(outcome: response.outcome, isValid: response.isValid)
    }
}

extension DraftOutline {
    /// Whether a question is there in both, answered the same, and among as many groups: where one is taken away, those
    /// behind it have other paths.
    fileprivate func isSame(as other: DraftOutline, at path: FormPath) -> Bool {
        guard let ours = try? (isEnabled(path), values(at: path), counts(around: path)),
            let theirs = try? (other.isEnabled(path), other.values(at: path), other.counts(around: path))
        else { return false }
        return ours == theirs
    }
}
