import CGateProtocol
public import GateModel

// questionnaires.proto: the forms of the device, and having one filled in by a person

/// A form, in short.
public struct ListedQuestionnaire: Hashable, Sendable, MessageMapping {
    /// The `id` of the questionnaire.
    public var name: String
    /// What people read.
    public var title: String
    public var version: String?
    public var url: String?
    /// Items, at all depths.
    public var itemCount: Int
    /// Only a grown-up completes it.
    public var isForGrownUps: Bool

    public init(name: String, title: String, version: String?, url: String?, itemCount: Int, isForGrownUps: Bool) {
        self.name = name
        self.title = title
        self.version = version
        self.url = url
        self.itemCount = itemCount
        self.isForGrownUps = isForGrownUps
    }

    static var initialise: Initialise<Gate__V1__ListedQuestionnaire> { gate__v1__listed_questionnaire__init }

    init(reading message: Gate__V1__ListedQuestionnaire) {
        self.init(
            name: String(reading: message.name), title: String(reading: message.title),
            version: String(optional: message.version), url: String(optional: message.url),
            itemCount: Int(message.items), isForGrownUps: message.is_for_grown_ups != 0)
    }

    func write(to message: inout Gate__V1__ListedQuestionnaire, in arena: inout MessageArena) {
        message.name = arena.string(name)
        message.title = arena.string(title)
        message.version = arena.string(version ?? "")
        message.url = arena.string(url ?? "")
        message.items = UInt32(clamping: itemCount)
        message.is_for_grown_ups = isForGrownUps ? 1 : 0
    }
}

extension String {
    /// A field that says nothing where it is empty.
    init?(optional field: UnsafeMutablePointer<CChar>?) {
        let text = String(reading: field)
        guard !text.isEmpty else { return nil }
        self = text
    }
}

// MARK: Requests and responses

public struct ListQuestionnairesRequest: MappedMessage, PageRequest {
    public var pageSize: Int
    public var pageToken: String

    public init(pageSize: Int = 0, pageToken: String = "") {
        self.pageSize = pageSize
        self.pageToken = pageToken
    }

    static var initialise: Initialise<Gate__V1__ListQuestionnairesRequest> {
        gate__v1__list_questionnaires_request__init
    }
}

public struct ListQuestionnairesResponse: MappedMessage {
    /// By name.
    public var questionnaires: [ListedQuestionnaire]
    /// Empty: that was all.
    public var nextPageToken: String

    public init(questionnaires: [ListedQuestionnaire], nextPageToken: String) {
        self.questionnaires = questionnaires
        self.nextPageToken = nextPageToken
    }

    static var initialise: Initialise<Gate__V1__ListQuestionnairesResponse> {
        gate__v1__list_questionnaires_response__init
    }

    init(reading message: Gate__V1__ListQuestionnairesResponse) throws(GateError) {
        self.init(
            questionnaires: try [ListedQuestionnaire](
                reading: message.questionnaires, count: message.n_questionnaires),
            nextPageToken: String(reading: message.next_page_token))
    }

    func write(to message: inout Gate__V1__ListQuestionnairesResponse, in arena: inout MessageArena) {
        message.n_questionnaires = questionnaires.count
        message.questionnaires = arena.messages(questionnaires)
        message.next_page_token = arena.string(nextPageToken)
    }
}

public struct GetQuestionnaireRequest: MappedMessage {
    /// The `id` of the questionnaire.
    public var name: String

    public init(name: String) {
        self.name = name
    }

    static var initialise: Initialise<Gate__V1__GetQuestionnaireRequest> { gate__v1__get_questionnaire_request__init }

    init(reading message: Gate__V1__GetQuestionnaireRequest) {
        self.init(name: String(reading: message.name))
    }

    func write(to message: inout Gate__V1__GetQuestionnaireRequest, in arena: inout MessageArena) {
        message.name = arena.string(name)
    }
}

public struct GetQuestionnaireResponse: MappedMessage {
    /// A Questionnaire as FHIR JSON.
    public var questionnaire: [UInt8]

    public init(questionnaire: [UInt8]) {
        self.questionnaire = questionnaire
    }

    static var initialise: Initialise<Gate__V1__GetQuestionnaireResponse> {
        gate__v1__get_questionnaire_response__init
    }

    init(reading message: Gate__V1__GetQuestionnaireResponse) {
        self.init(questionnaire: [UInt8](reading: message.questionnaire))
    }

    func write(to message: inout Gate__V1__GetQuestionnaireResponse, in arena: inout MessageArena) {
        message.questionnaire = arena.bytes(questionnaire)
    }
}

public struct RequestFormRequest: MappedMessage {
    /// The `id` of the questionnaire.
    public var name: String

    public init(name: String) {
        self.name = name
    }

    static var initialise: Initialise<Gate__V1__RequestFormRequest> { gate__v1__request_form_request__init }

    init(reading message: Gate__V1__RequestFormRequest) {
        self.init(name: String(reading: message.name))
    }

    func write(to message: inout Gate__V1__RequestFormRequest, in arena: inout MessageArena) {
        message.name = arena.string(name)
    }
}

public struct RequestFormResponse: MappedMessage, KeptResponseReply {
    public var revision: Revision
    public var responseID: UInt64

    public init(revision: Revision, responseID: UInt64) {
        self.revision = revision
        self.responseID = responseID
    }

    static var initialise: Initialise<Gate__V1__RequestFormResponse> { gate__v1__request_form_response__init }
}
