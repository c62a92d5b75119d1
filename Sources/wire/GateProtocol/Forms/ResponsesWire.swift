package import CGateProtocol
package import GateModel

// questionnaires.proto: validating, saving and completing a draft, and the responses that are kept

extension Methods.Questionnaires {
    package static let validate = Method<ValidateFormRequest, ValidateFormResponse>(service, "ValidateForm")
    package static let save = Method<SaveFormRequest, SaveFormResponse>(service, "SaveForm")
    package static let complete = Method<CompleteFormRequest, CompleteFormResponse>(service, "CompleteForm")
    package static let listResponses = Method<ListResponsesRequest, ListResponsesResponse>(
        service, "ListResponses")
    package static let getResponse = Method<GetResponseRequest, GetResponseResponse>(service, "GetResponse")
    package static let withdrawResponse = Method<WithdrawResponseRequest, WithdrawResponseResponse>(
        service, "WithdrawResponse")
}

extension ResponseSummary: MessageMapping {
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
    /// A status that this version does not know reads as entered in error, so that the response does not count.
    fileprivate init(wire: Gate__V1__ResponseSummary__Status) {
        switch wire {
        case GATE__V1__RESPONSE_SUMMARY__STATUS__STATUS_IN_PROGRESS: self = .inProgress
        case GATE__V1__RESPONSE_SUMMARY__STATUS__STATUS_COMPLETED: self = .completed
        default: self = .enteredInError
        }
    }

    /// The wire has three statuses. Gate keeps no amended or stopped responses, so these travel as the status that says
    /// the same about whether the response counts.
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
    package var target: FormTarget
    /// A QuestionnaireResponse as FHIR JSON; `nil` (empty on the wire): the draft, as if it were to be completed.
    package var response: [UInt8]?

    package init(target: FormTarget, response: [UInt8]?) {
        self.target = target
        self.response = response
    }

    init(reading message: Gate__V1__ValidateFormRequest) throws(GateError) {
        self.init(
            target: try FormTarget(reading: message.target, of: Self.typeName),
            response: message.response.len == 0 ? nil : [UInt8](reading: message.response))
    }

    func write(to message: inout Gate__V1__ValidateFormRequest, in arena: inout MessageArena) {
        message.target = arena.message(target)
        message.response = arena.bytes(response ?? [])
    }
}

package struct ValidateFormResponse: MappedMessage {
    package var outcome: [UInt8]
    package var isValid: Bool

    package init(outcome: [UInt8], isValid: Bool) {
        self.outcome = outcome
        self.isValid = isValid
    }

    init(reading message: Gate__V1__ValidateFormResponse) {
        self.init(outcome: [UInt8](reading: message.outcome), isValid: message.is_valid != 0)
    }

    func write(to message: inout Gate__V1__ValidateFormResponse, in arena: inout MessageArena) {
        message.outcome = arena.bytes(outcome)
        message.is_valid = isValid ? 1 : 0
    }
}

package typealias SaveFormRequest = FormRequest<Gate__V1__SaveFormRequest>
extension Gate__V1__SaveFormRequest: CFormRequest {}

package typealias SaveFormResponse = KeptResponseReply<Gate__V1__SaveFormResponse>
extension Gate__V1__SaveFormResponse: CKeptResponseReply {}

package typealias CompleteFormRequest = FormEditRequest<Gate__V1__CompleteFormRequest>
extension Gate__V1__CompleteFormRequest: CFormEditRequest {}

package typealias CompleteFormResponse = KeptResponseReply<Gate__V1__CompleteFormResponse>
extension Gate__V1__CompleteFormResponse: CKeptResponseReply {}

// MARK: What is kept

package typealias ListResponsesRequest = FormListRequest<Gate__V1__ListResponsesRequest>
extension Gate__V1__ListResponsesRequest: CFormListRequest {}

/// Sorted with the oldest first.
package typealias ListResponsesResponse = PageReply<ResponseSummary, Gate__V1__ListResponsesResponse>

extension Gate__V1__ListResponsesResponse: CPageReply {
    package var elements: CList<Gate__V1__ResponseSummary> {
        get { (responses, n_responses) }
        set { (responses, n_responses) = newValue }
    }
}

package struct GetResponseRequest: MappedMessage {
    package var responseID: UInt64

    package init(responseID: UInt64) {
        self.responseID = responseID
    }

    init(reading message: Gate__V1__GetResponseRequest) {
        self.init(responseID: message.response_id)
    }

    func write(to message: inout Gate__V1__GetResponseRequest, in arena: inout MessageArena) {
        message.response_id = responseID
    }
}

package struct GetResponseResponse: MappedMessage {
    package var summary: ResponseSummary
    package var response: [UInt8]

    package init(summary: ResponseSummary, response: [UInt8]) {
        self.summary = summary
        self.response = response
    }

    init(reading message: Gate__V1__GetResponseResponse) throws(GateError) {
        self.init(
            summary: try ResponseSummary(reading: message.summary, of: "gate.v1.GetResponseResponse.summary"),
            response: [UInt8](reading: message.response))
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

    init(reading message: Gate__V1__WithdrawResponseRequest) {
        self.init(responseID: message.response_id)
    }

    func write(to message: inout Gate__V1__WithdrawResponseRequest, in arena: inout MessageArena) {
        message.response_id = responseID
    }
}

package typealias WithdrawResponseResponse = RevisionReply<Gate__V1__WithdrawResponseResponse>
extension Gate__V1__WithdrawResponseResponse: CRevisionReply {}
