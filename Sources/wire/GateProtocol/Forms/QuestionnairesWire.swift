package import CGateProtocol
package import GateModel

// questionnaires.proto: the forms of the device, and asking a person to fill one in

extension Methods {
    package enum Questionnaires {
        package static let list = Method<ListQuestionnairesRequest, ListQuestionnairesResponse>(
            service, "ListQuestionnaires")
        package static let get = Method<GetQuestionnaireRequest, GetQuestionnaireResponse>(service, "GetQuestionnaire")
        package static let request = Method<RequestFormRequest, RequestFormResponse>(service, "RequestForm")
        static let service = "gate.v1.Questionnaires"
    }
}

extension QuestionnaireSummary: MessageMapping {
    init(reading message: Gate__V1__ListedQuestionnaire) {
        self.init(
            name: String(reading: message.name),
            title: LocalizedText(reading: message.title, message.titles, count: message.n_titles),
            version: String(optional: message.version), url: String(optional: message.url),
            itemCount: Int(message.items), isForGrownUps: message.is_for_grown_ups != 0)
    }

    func write(to message: inout Gate__V1__ListedQuestionnaire, in arena: inout MessageArena) {
        message.name = arena.string(name)
        (message.title, message.titles, message.n_titles) = arena.texts(titles)
        message.version = arena.string(version ?? "")
        message.url = arena.string(url ?? "")
        message.items = UInt32(clamping: itemCount)
        message.is_for_grown_ups = isForGrownUps ? 1 : 0
    }
}

extension String {
    /// `nil` if the field is empty, for fields in which empty means "not set".
    init?(optional field: UnsafeMutablePointer<CChar>?) {
        let text = String(reading: field)
        guard !text.isEmpty else { return nil }
        self = text
    }
}

// MARK: Requests and responses

package typealias ListQuestionnairesRequest = PageRequest<Gate__V1__ListQuestionnairesRequest>
extension Gate__V1__ListQuestionnairesRequest: CPageRequest {}

/// Sorted by name.
package typealias ListQuestionnairesResponse = PageReply<QuestionnaireSummary, Gate__V1__ListQuestionnairesResponse>

extension Gate__V1__ListQuestionnairesResponse: CPageReply {
    package var elements: CList<Gate__V1__ListedQuestionnaire> {
        get { (questionnaires, n_questionnaires) }
        set { (questionnaires, n_questionnaires) = newValue }
    }
}

package struct GetQuestionnaireRequest: MappedMessage {
    package var name: String
    /// The cookie of the presentation that shows the form; `nil`: a form that the peer may see without one.
    package var cookie: PresentationCookie?

    package init(name: String, cookie: PresentationCookie? = nil) {
        self.name = name
        self.cookie = cookie
    }

    init(reading message: Gate__V1__GetQuestionnaireRequest) throws(GateError) {
        self.init(
            name: String(reading: message.name),
            cookie: message.cookie.len == 0 ? nil : PresentationCookie(reading: message.cookie))
    }

    func write(to message: inout Gate__V1__GetQuestionnaireRequest, in arena: inout MessageArena) {
        message.name = arena.string(name)
        if let cookie { message.cookie = arena.bytes(cookie.bytes) }
    }
}

package struct GetQuestionnaireResponse: MappedMessage {
    package var questionnaire: [UInt8]

    package init(questionnaire: [UInt8]) {
        self.questionnaire = questionnaire
    }

    init(reading message: Gate__V1__GetQuestionnaireResponse) {
        self.init(questionnaire: [UInt8](reading: message.questionnaire))
    }

    func write(to message: inout Gate__V1__GetQuestionnaireResponse, in arena: inout MessageArena) {
        message.questionnaire = arena.bytes(questionnaire)
    }
}

package struct RequestFormRequest: MappedMessage {
    package var name: String
    /// A form that the app brings, as FHIR JSON; `nil`: a form that the daemon already has.
    package var questionnaire: [UInt8]?

    package init(name: String, questionnaire: [UInt8]? = nil) {
        self.name = name
        self.questionnaire = questionnaire
    }

    init(reading message: Gate__V1__RequestFormRequest) {
        self.init(
            name: String(reading: message.name),
            questionnaire: message.questionnaire.len == 0 ? nil : [UInt8](reading: message.questionnaire))
    }

    func write(to message: inout Gate__V1__RequestFormRequest, in arena: inout MessageArena) {
        message.name = arena.string(name)
        message.questionnaire = arena.bytes(questionnaire ?? [])
    }
}

package typealias RequestFormResponse = KeptResponseReply<Gate__V1__RequestFormResponse>
extension Gate__V1__RequestFormResponse: CKeptResponseReply {}
