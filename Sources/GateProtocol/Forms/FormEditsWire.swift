import CGateProtocol
public import GateModel

// questionnaires.proto: what changes a draft

/// What a change of a draft came to.
public struct FormChangeMessage: Hashable, Sendable, MessageMapping {
    /// Of the draft, after it.
    public var summary: FormSummary
    /// Whether anything is other than before.
    public var isChanged: Bool
    /// Questions that were cleared because they hang on what was changed, or whose answers no longer fit, by path. At most
    /// 500 are told.
    public var cleared: [String]

    public init(summary: FormSummary, isChanged: Bool, cleared: [String] = []) {
        self.summary = summary
        self.isChanged = isChanged
        self.cleared = cleared
    }

    static var initialise: Initialise<Gate__V1__FormChange> { gate__v1__form_change__init }

    init(reading message: Gate__V1__FormChange) throws(GateError) {
        guard let summary = message.summary else { throw .invalid("gate.v1.FormChange.summary is not set") }
        self.init(
            summary: try FormSummary(reading: summary.pointee), isChanged: message.is_changed != 0,
            cleared: [String](reading: message.cleared, count: message.n_cleared))
    }

    func write(to message: inout Gate__V1__FormChange, in arena: inout MessageArena) {
        message.summary = arena.message(summary)
        message.is_changed = isChanged ? 1 : 0
        message.n_cleared = cleared.count
        message.cleared = arena.strings(cleared)
    }
}

public struct SetAnswerRequest: MappedMessage, FormAnswerRequest {
    public var target: FormTargetMessage
    public var atRevision: UInt64?
    public var path: String
    public var answers: [UInt8]

    public init(target: FormTargetMessage, atRevision: UInt64?, path: String, answers: [UInt8]) {
        self.target = target
        self.atRevision = atRevision
        self.path = path
        self.answers = answers
    }

    static var initialise: Initialise<Gate__V1__SetAnswerRequest> { gate__v1__set_answer_request__init }
}

public struct SetAnswerResponse: MappedMessage, FormChangeReply {
    public var revision: Revision
    public var change: FormChangeMessage

    public init(revision: Revision, change: FormChangeMessage) {
        self.revision = revision
        self.change = change
    }

    static var initialise: Initialise<Gate__V1__SetAnswerResponse> { gate__v1__set_answer_response__init }
}

public struct SuggestAnswerRequest: MappedMessage, FormAnswerRequest {
    public var target: FormTargetMessage
    public var atRevision: UInt64?
    public var path: String
    public var answers: [UInt8]

    public init(target: FormTargetMessage, atRevision: UInt64?, path: String, answers: [UInt8]) {
        self.target = target
        self.atRevision = atRevision
        self.path = path
        self.answers = answers
    }

    static var initialise: Initialise<Gate__V1__SuggestAnswerRequest> { gate__v1__suggest_answer_request__init }

    init(reading message: Gate__V1__SuggestAnswerRequest) throws(GateError) {
        guard message.pending_milliseconds == 0 else { throw .notBuilt(.suggestions) }
        self.init(
            target: try FormTargetMessage(reading: message.target, of: Self.typeName),
            atRevision: message.at_revision == 0 ? nil : message.at_revision,
            path: try FormPath.text(reading: message.path, of: Self.typeName),
            answers: [UInt8](reading: message.answers))
    }
}

public struct SuggestAnswerResponse: MappedMessage, FormChangeReply {
    public var revision: Revision
    /// Not changed where there was an answer.
    public var change: FormChangeMessage

    public init(revision: Revision, change: FormChangeMessage) {
        self.revision = revision
        self.change = change
    }

    static var initialise: Initialise<Gate__V1__SuggestAnswerResponse> { gate__v1__suggest_answer_response__init }
}

public struct RemoveGroupRequest: MappedMessage {
    public var target: FormTargetMessage
    /// Of the draft; `nil` (and 0): whichever.
    public var atRevision: UInt64?
    /// Of one group of several: `driver[1]`.
    public var path: String

    public init(target: FormTargetMessage, atRevision: UInt64?, path: String) {
        self.target = target
        self.atRevision = atRevision
        self.path = path
    }

    static var initialise: Initialise<Gate__V1__RemoveGroupRequest> { gate__v1__remove_group_request__init }

    init(reading message: Gate__V1__RemoveGroupRequest) throws(GateError) {
        self.init(
            target: try FormTargetMessage(reading: message.target, of: Self.typeName),
            atRevision: message.at_revision == 0 ? nil : message.at_revision,
            path: try FormPath.text(reading: message.path, of: Self.typeName))
    }

    func write(to message: inout Gate__V1__RemoveGroupRequest, in arena: inout MessageArena) {
        message.target = arena.message(target)
        message.at_revision = atRevision ?? 0
        message.path = arena.string(path)
    }
}

public struct RemoveGroupResponse: MappedMessage, FormChangeReply {
    public var revision: Revision
    public var change: FormChangeMessage

    public init(revision: Revision, change: FormChangeMessage) {
        self.revision = revision
        self.change = change
    }

    static var initialise: Initialise<Gate__V1__RemoveGroupResponse> { gate__v1__remove_group_response__init }
}

public struct FillFormRequest: MappedMessage {
    public var target: FormTargetMessage
    /// Of the draft; `nil` (and 0): whichever.
    public var atRevision: UInt64?
    /// A QuestionnaireResponse as FHIR JSON.
    public var response: [UInt8]

    public init(target: FormTargetMessage, atRevision: UInt64?, response: [UInt8]) {
        self.target = target
        self.atRevision = atRevision
        self.response = response
    }

    static var initialise: Initialise<Gate__V1__FillFormRequest> { gate__v1__fill_form_request__init }

    init(reading message: Gate__V1__FillFormRequest) throws(GateError) {
        self.init(
            target: try FormTargetMessage(reading: message.target, of: Self.typeName),
            atRevision: message.at_revision == 0 ? nil : message.at_revision,
            response: [UInt8](reading: message.response))
    }

    func write(to message: inout Gate__V1__FillFormRequest, in arena: inout MessageArena) {
        message.target = arena.message(target)
        message.at_revision = atRevision ?? 0
        message.response = arena.bytes(response)
    }
}

public struct FillFormResponse: MappedMessage, FormChangeReply {
    public var revision: Revision
    public var change: FormChangeMessage

    public init(revision: Revision, change: FormChangeMessage) {
        self.revision = revision
        self.change = change
    }

    static var initialise: Initialise<Gate__V1__FillFormResponse> { gate__v1__fill_form_response__init }
}

public struct ResetFormRequest: MappedMessage, FormEditRequest {
    public var target: FormTargetMessage
    public var atRevision: UInt64?

    public init(target: FormTargetMessage, atRevision: UInt64?) {
        self.target = target
        self.atRevision = atRevision
    }

    static var initialise: Initialise<Gate__V1__ResetFormRequest> { gate__v1__reset_form_request__init }
}

public struct ResetFormResponse: MappedMessage, FormChangeReply {
    public var revision: Revision
    public var change: FormChangeMessage

    public init(revision: Revision, change: FormChangeMessage) {
        self.revision = revision
        self.change = change
    }

    static var initialise: Initialise<Gate__V1__ResetFormResponse> { gate__v1__reset_form_response__init }
}

public struct LoadFormRequest: MappedMessage {
    /// Opened where it is not.
    public var target: FormTargetMessage
    /// Of the draft; `nil` (and 0): whichever.
    public var atRevision: UInt64?
    /// What is kept; `nil` (and 0): the newest completed response of the same holder.
    public var responseID: UInt64?

    public init(target: FormTargetMessage, atRevision: UInt64?, responseID: UInt64?) {
        self.target = target
        self.atRevision = atRevision
        self.responseID = responseID
    }

    static var initialise: Initialise<Gate__V1__LoadFormRequest> { gate__v1__load_form_request__init }

    init(reading message: Gate__V1__LoadFormRequest) throws(GateError) {
        self.init(
            target: try FormTargetMessage(reading: message.target, of: Self.typeName),
            atRevision: message.at_revision == 0 ? nil : message.at_revision,
            responseID: message.response_id == 0 ? nil : message.response_id)
    }

    func write(to message: inout Gate__V1__LoadFormRequest, in arena: inout MessageArena) {
        message.target = arena.message(target)
        message.at_revision = atRevision ?? 0
        message.response_id = responseID ?? 0
    }
}

public struct LoadFormResponse: MappedMessage, FormChangeReply {
    public var revision: Revision
    /// Its `cleared`: what no longer fits.
    public var change: FormChangeMessage

    public init(revision: Revision, change: FormChangeMessage) {
        self.revision = revision
        self.change = change
    }

    static var initialise: Initialise<Gate__V1__LoadFormResponse> { gate__v1__load_form_response__init }
}
