import CGateProtocol
package import GateModel

// questionnaires.proto: judging, keeping, completing, and what is kept

extension ResponseSummary: MessageMapping {
    static var initialise: Initialise<Gate__V1__ResponseSummary> { gate__v1__response_summary__init }

    init(reading message: Gate__V1__ResponseSummary) throws(GateError) {
        self.init(
            id: message.id, name: String(reading: message.name), version: String(optional: message.version),
            holder: try FormHolder(reading: message.holder, of: "gate.v1.ResponseSummary.holder"),
            status: QuestionnaireResponse.Status(wire: message.status),
            savedAt: WallTime(unixMilliseconds: message.saved_at_unix_milliseconds),
            label: String(reading: message.label))
    }

    func write(to message: inout Gate__V1__ResponseSummary, in arena: inout MessageArena) {
        message.id = id
        message.name = arena.string(name)
        message.version = arena.string(version ?? "")
        message.holder = arena.message(holder)
        message.status = status.wire
        message.saved_at_unix_milliseconds = savedAt.unixMilliseconds
        message.label = arena.string(label)
    }
}

extension QuestionnaireResponse.Status {
    /// In an answer. One that this version does not know stands for nothing.
    fileprivate init(wire: Gate__V1__ResponseSummary__Status) {
        switch wire {
        case GATE__V1__RESPONSE_SUMMARY__STATUS__STATUS_IN_PROGRESS: self = .inProgress
        case GATE__V1__RESPONSE_SUMMARY__STATUS__STATUS_COMPLETED: self = .completed
        default: self = .enteredInError
        }
    }

    /// Nothing that was amended or stopped is kept; of what these say, what counts is whether it stands.
    fileprivate var wire: Gate__V1__ResponseSummary__Status {
        switch self {
        case .inProgress: GATE__V1__RESPONSE_SUMMARY__STATUS__STATUS_IN_PROGRESS
        case .completed, .amended: GATE__V1__RESPONSE_SUMMARY__STATUS__STATUS_COMPLETED
        case .enteredInError, .stopped: GATE__V1__RESPONSE_SUMMARY__STATUS__STATUS_ENTERED_IN_ERROR
        }
    }
}

// MARK: Of a draft

package struct ValidateFormRequest: MappedMessage {
    package var target: FormTargetMessage
    /// A QuestionnaireResponse as FHIR JSON; `nil` (and empty): the draft, as if it were to be completed.
    package var response: [UInt8]?

    package init(target: FormTargetMessage, response: [UInt8]?) {
        self.target = target
        self.response = response
    }

    static var initialise: Initialise<Gate__V1__ValidateFormRequest> { gate__v1__validate_form_request__init }

    init(reading message: Gate__V1__ValidateFormRequest) throws(GateError) {
        self.init(
            target: try FormTargetMessage(reading: message.target, of: Self.typeName),
            response: message.response.len == 0 ? nil : [UInt8](reading: message.response))
    }

    func write(to message: inout Gate__V1__ValidateFormRequest, in arena: inout MessageArena) {
        message.target = arena.message(target)
        message.response = arena.bytes(response ?? [])
    }
}

package struct ValidateFormResponse: MappedMessage {
    /// An OperationOutcome as FHIR JSON. At most 500 issues are told.
    package var outcome: [UInt8]
    /// Whether nothing in it is an error.
    package var isValid: Bool

    package init(outcome: [UInt8], isValid: Bool) {
        self.outcome = outcome
        self.isValid = isValid
    }

    static var initialise: Initialise<Gate__V1__ValidateFormResponse> { gate__v1__validate_form_response__init }

    init(reading message: Gate__V1__ValidateFormResponse) {
        self.init(outcome: [UInt8](reading: message.outcome), isValid: message.is_valid != 0)
    }

    func write(to message: inout Gate__V1__ValidateFormResponse, in arena: inout MessageArena) {
        message.outcome = arena.bytes(outcome)
        message.is_valid = isValid ? 1 : 0
    }
}

package struct SaveFormRequest: MappedMessage, FormRequest {
    package var target: FormTargetMessage

    package init(target: FormTargetMessage) {
        self.target = target
    }

    static var initialise: Initialise<Gate__V1__SaveFormRequest> { gate__v1__save_form_request__init }
}

package struct SaveFormResponse: MappedMessage, KeptResponseReply {
    package var revision: Revision
    package var responseID: UInt64

    package init(revision: Revision, responseID: UInt64) {
        self.revision = revision
        self.responseID = responseID
    }

    static var initialise: Initialise<Gate__V1__SaveFormResponse> { gate__v1__save_form_response__init }
}

package struct CompleteFormRequest: MappedMessage, FormEditRequest {
    package var target: FormTargetMessage
    package var atRevision: UInt64?

    package init(target: FormTargetMessage, atRevision: UInt64?) {
        self.target = target
        self.atRevision = atRevision
    }

    static var initialise: Initialise<Gate__V1__CompleteFormRequest> { gate__v1__complete_form_request__init }
}

package struct CompleteFormResponse: MappedMessage, KeptResponseReply {
    package var revision: Revision
    package var responseID: UInt64

    package init(revision: Revision, responseID: UInt64) {
        self.revision = revision
        self.responseID = responseID
    }

    static var initialise: Initialise<Gate__V1__CompleteFormResponse> { gate__v1__complete_form_response__init }
}

// MARK: What is kept

package struct ListResponsesRequest: MappedMessage, FormListRequest {
    /// The form; `nil` (and empty): all.
    package var name: String?
    /// At most this many; 0: as many as one answer holds.
    package var pageSize: Int
    /// From the answer before; empty: from the beginning.
    package var pageToken: String

    package init(name: String?, pageSize: Int = 0, pageToken: String = "") {
        self.name = name
        self.pageSize = pageSize
        self.pageToken = pageToken
    }

    static var initialise: Initialise<Gate__V1__ListResponsesRequest> { gate__v1__list_responses_request__init }
}

package struct ListResponsesResponse: MappedMessage {
    /// The oldest first.
    package var responses: [ResponseSummary]
    /// Empty: that was all.
    package var nextPageToken: String

    package init(responses: [ResponseSummary], nextPageToken: String) {
        self.responses = responses
        self.nextPageToken = nextPageToken
    }

    static var initialise: Initialise<Gate__V1__ListResponsesResponse> { gate__v1__list_responses_response__init }

    init(reading message: Gate__V1__ListResponsesResponse) throws(GateError) {
        self.init(
            responses: try [ResponseSummary](reading: message.responses, count: message.n_responses),
            nextPageToken: String(reading: message.next_page_token))
    }

    func write(to message: inout Gate__V1__ListResponsesResponse, in arena: inout MessageArena) {
        message.n_responses = responses.count
        message.responses = arena.messages(responses)
        message.next_page_token = arena.string(nextPageToken)
    }
}

package struct GetResponseRequest: MappedMessage {
    package var responseID: UInt64

    package init(responseID: UInt64) {
        self.responseID = responseID
    }

    static var initialise: Initialise<Gate__V1__GetResponseRequest> { gate__v1__get_response_request__init }

    init(reading message: Gate__V1__GetResponseRequest) {
        self.init(responseID: message.response_id)
    }

    func write(to message: inout Gate__V1__GetResponseRequest, in arena: inout MessageArena) {
        message.response_id = responseID
    }
}

package struct GetResponseResponse: MappedMessage {
    package var summary: ResponseSummary
    /// A QuestionnaireResponse as FHIR JSON.
    package var response: [UInt8]

    package init(summary: ResponseSummary, response: [UInt8]) {
        self.summary = summary
        self.response = response
    }

    static var initialise: Initialise<Gate__V1__GetResponseResponse> { gate__v1__get_response_response__init }

    init(reading message: Gate__V1__GetResponseResponse) throws(GateError) {
        guard let summary = message.summary else { throw .wrong("gate.v1.GetResponseResponse.summary", "is not set") }
        self.init(
            summary: try ResponseSummary(reading: summary.pointee), response: [UInt8](reading: message.response))
    }

    func write(to message: inout Gate__V1__GetResponseResponse, in arena: inout MessageArena) {
        message.summary = arena.message(summary)
        message.response = arena.bytes(response)
    }
}

package struct WithdrawResponseRequest: MappedMessage {
    package var responseID: UInt64

    package init(responseID: UInt64) {
        self.responseID = responseID
    }

    static var initialise: Initialise<Gate__V1__WithdrawResponseRequest> { gate__v1__withdraw_response_request__init }

    init(reading message: Gate__V1__WithdrawResponseRequest) {
        self.init(responseID: message.response_id)
    }

    func write(to message: inout Gate__V1__WithdrawResponseRequest, in arena: inout MessageArena) {
        message.response_id = responseID
    }
}

package struct WithdrawResponseResponse: RevisionReply {
    package var revision: Revision

    package init(revision: Revision) {
        self.revision = revision
    }

    static var initialise: Initialise<Gate__V1__WithdrawResponseResponse> {
        gate__v1__withdraw_response_response__init
    }
}
