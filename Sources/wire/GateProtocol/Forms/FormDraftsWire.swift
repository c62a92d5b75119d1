package import CGateProtocol
package import GateModel

// questionnaires.proto: opening, reading and discarding drafts. FormEditsWire.swift has the calls that change one.

extension Methods.Questionnaires {
    package static let open = Method<OpenFormRequest, OpenFormResponse>(service, "OpenForm")
    package static let read = Method<ReadFormRequest, ReadFormResponse>(service, "ReadForm")
    package static let listDrafts = Method<ListDraftsRequest, ListDraftsResponse>(service, "ListDrafts")
    package static let label = Method<LabelDraftRequest, LabelDraftResponse>(service, "LabelDraft")
    package static let discard = Method<DiscardFormRequest, DiscardFormResponse>(service, "DiscardForm")
}

package struct FormDraftMessage: Hashable, Sendable, MessageMapping {
    package var summary: FormSummary
    package var response: [UInt8]
    /// In the order of the form's items.
    package var pending: [PendingSuggestionMessage]

    package init(summary: FormSummary, response: [UInt8], pending: [PendingSuggestionMessage] = []) {
        self.summary = summary
        self.response = response
        self.pending = pending
    }

    init(reading message: Gate__V1__FormDraft) throws(GateError) {
        self.init(
            summary: try FormSummary(reading: message.summary, of: "gate.v1.FormDraft.summary"),
            response: [UInt8](reading: message.response),
            pending: try [PendingSuggestionMessage](reading: message.pending, count: message.n_pending))
    }

    func write(to message: inout Gate__V1__FormDraft, in arena: inout MessageArena) {
        message.summary = arena.message(summary)
        message.response = arena.bytes(response)
        (message.pending, message.n_pending) = arena.messages(pending)
    }
}

/// A suggestion that is still being fetched, or that waits because a person is answering the same question.
package struct PendingSuggestionMessage: Hashable, Sendable, MessageMapping {
    package var path: String
    /// A JSON array as in `SetAnswerRequest`; empty while the answers are being fetched.
    package var answers: [UInt8]
    /// When the suggestion expires; `nil` (0 on the wire): it stays until taken, or until what it depends on changes.
    package var deadline: BootTime?

    package init(path: String, answers: [UInt8], deadline: BootTime?) {
        self.path = path
        self.answers = answers
        self.deadline = deadline
    }

    init(reading message: Gate__V1__PendingSuggestion) throws(GateError) {
        let nanoseconds = message.deadline_boottime_nanoseconds
        self.init(
            path: try FormPath.text(reading: message.path, of: "gate.v1.PendingSuggestion"),
            answers: [UInt8](reading: message.answers),
            deadline: nanoseconds == 0 ? nil : BootTime(nanoseconds: nanoseconds))
    }

    func write(to message: inout Gate__V1__PendingSuggestion, in arena: inout MessageArena) {
        message.path = arena.string(path)
        message.answers = arena.bytes(answers)
        message.deadline_boottime_nanoseconds = deadline?.nanoseconds ?? 0
    }
}

// MARK: Requests and responses

package struct OpenFormRequest: MappedMessage {
    package var target: FormTarget
    package var beginsAnother: Bool
    package var label: String
    /// A form that the app brings, as FHIR JSON; `nil`: a form that the daemon already has.
    package var questionnaire: [UInt8]?

    package init(
        target: FormTarget, beginsAnother: Bool = false, label: String = "", questionnaire: [UInt8]? = nil
    ) {
        self.target = target
        self.beginsAnother = beginsAnother
        self.label = label
        self.questionnaire = questionnaire
    }

    init(reading message: Gate__V1__OpenFormRequest) throws(GateError) {
        self.init(
            target: try FormTarget(reading: message.target, of: Self.typeName),
            beginsAnother: message.begins_another != 0, label: String(reading: message.label),
            questionnaire: message.questionnaire.len == 0 ? nil : [UInt8](reading: message.questionnaire))
    }

    func write(to message: inout Gate__V1__OpenFormRequest, in arena: inout MessageArena) {
        message.target = arena.message(target)
        message.begins_another = beginsAnother ? 1 : 0
        message.label = arena.string(label)
        message.questionnaire = arena.bytes(questionnaire ?? [])
    }
}

package typealias OpenFormResponse = FormDraftReply<Gate__V1__OpenFormResponse>
extension Gate__V1__OpenFormResponse: CFormDraftReply {}

package typealias ReadFormRequest = FormRequest<Gate__V1__ReadFormRequest>
extension Gate__V1__ReadFormRequest: CFormRequest {}

package typealias ReadFormResponse = FormDraftReply<Gate__V1__ReadFormResponse>
extension Gate__V1__ReadFormResponse: CFormDraftReply {}

package typealias ListDraftsRequest = FormListRequest<Gate__V1__ListDraftsRequest>
extension Gate__V1__ListDraftsRequest: CFormListRequest {}

/// Sorted by name, then by holder, then by id.
package typealias ListDraftsResponse = PageReply<FormSummary, Gate__V1__ListDraftsResponse>

extension Gate__V1__ListDraftsResponse: CPageReply {
    package var elements: CList<Gate__V1__FormSummary> {
        get { (drafts, n_drafts) }
        set { (drafts, n_drafts) = newValue }
    }
}

package struct LabelDraftRequest: MappedMessage {
    package var target: FormTarget
    /// Empty: the answers of the draft make its label again.
    package var label: String

    package init(target: FormTarget, label: String) {
        self.target = target
        self.label = label
    }

    init(reading message: Gate__V1__LabelDraftRequest) throws(GateError) {
        self.init(
            target: try FormTarget(reading: message.target, of: Self.typeName),
            label: String(reading: message.label))
    }

    func write(to message: inout Gate__V1__LabelDraftRequest, in arena: inout MessageArena) {
        message.target = arena.message(target)
        message.label = arena.string(label)
    }
}

package typealias LabelDraftResponse = RevisionReply<Gate__V1__LabelDraftResponse>
extension Gate__V1__LabelDraftResponse: CRevisionReply {}

package struct DiscardFormRequest: MappedMessage {
    package var target: FormTarget
    /// The holder whose draft an administrator discards; `nil`: that of the draft that the target names.
    package var holder: FormHolder?

    package init(target: FormTarget, holder: FormHolder? = nil) {
        self.target = target
        self.holder = holder
    }

    init(reading message: Gate__V1__DiscardFormRequest) throws(GateError) {
        self.init(
            target: try FormTarget(reading: message.target, of: Self.typeName),
            holder: try FormHolder(optional: message.holder))
    }

    func write(to message: inout Gate__V1__DiscardFormRequest, in arena: inout MessageArena) {
        message.target = arena.message(target)
        message.holder = arena.message(optional: holder)
    }
}

package typealias DiscardFormResponse = RevisionReply<Gate__V1__DiscardFormResponse>
extension Gate__V1__DiscardFormResponse: CRevisionReply {}

typealias OpenForms = ElementList<FormSummary, Gate__V1__OpenForms>

extension Gate__V1__OpenForms: CElementList {
    package var elements: CList<Gate__V1__FormSummary> {
        get { (forms, n_forms) }
        set { (forms, n_forms) = newValue }
    }
}
