package import CGateProtocol
package import GateModel

// authorization.proto: requests that wait for a grown-up

extension Methods.Authorization {
    package static let listAsks = Method<ListAsksRequest, ListAsksResponse>(service, "ListAsks")
    package static let answerAsk = Method<AnswerAskRequest, AnswerAskResponse>(service, "AnswerAsk")
    package static let withdrawAsk = Method<WithdrawAskRequest, WithdrawAskResponse>(service, "WithdrawAsk")
}

package typealias ListAsksRequest = PageRequest<Gate__V1__ListAsksRequest>
extension Gate__V1__ListAsksRequest: CPageRequest {}

/// By number.
package typealias ListAsksResponse = PageReply<Ask, Gate__V1__ListAsksResponse>

extension Gate__V1__ListAsksResponse: CPageReply {
    package var elements: CList<Gate__V1__Ask> {
        get { (asks, n_asks) }
        set { (asks, n_asks) = newValue }
    }
}

extension Ask: MessageMapping {
    init(reading message: Gate__V1__Ask) {
        self.init(
            id: message.number, uid: message.uid, person: String(reading: message.person),
            gatedAction: String(reading: message.gated_action),
            titles: LocalizedText(reading: message.title, message.titles, count: message.n_titles),
            details: String(reading: message.details), state: State(wire: message.state, else: .unrecognized),
            ends: WallTime(unixMilliseconds: message.ends_unix_milliseconds), device: String(reading: message.device))
    }

    func write(to message: inout Gate__V1__Ask, in arena: inout MessageArena) {
        message.number = id
        message.uid = uid
        message.person = arena.string(person)
        message.gated_action = arena.string(gatedAction)
        (message.title, message.titles, message.n_titles) = arena.texts(titles)
        message.details = arena.string(details)
        message.state = state.wire
        message.ends_unix_milliseconds = ends.unixMilliseconds
        message.device = arena.string(device)
    }
}

extension Ask.State: EnumMapping {
    var wire: Gate__V1__Ask__State {
        switch self {
        case .waiting: GATE__V1__ASK__STATE__STATE_WAITING
        case .allowed: GATE__V1__ASK__STATE__STATE_ALLOWED
        case .refused: GATE__V1__ASK__STATE__STATE_REFUSED
        case .unrecognized: GATE__V1__ASK__STATE__STATE_UNSPECIFIED
        }
    }
}

package struct AnswerAskRequest: MappedMessage {
    package var number: UInt64
    package var isAllowed: Bool

    package init(number: UInt64, isAllowed: Bool) {
        self.number = number
        self.isAllowed = isAllowed
    }

    init(reading message: Gate__V1__AnswerAskRequest) {
        self.init(number: message.number, isAllowed: message.is_allowed != 0)
    }

    func write(to message: inout Gate__V1__AnswerAskRequest, in arena: inout MessageArena) {
        message.number = number
        message.is_allowed = isAllowed ? 1 : 0
    }
}

package typealias AnswerAskResponse = RevisionReply<Gate__V1__AnswerAskResponse>
extension Gate__V1__AnswerAskResponse: CRevisionReply {}

package struct WithdrawAskRequest: MappedMessage {
    package var number: UInt64

    package init(number: UInt64) {
        self.number = number
    }

    init(reading message: Gate__V1__WithdrawAskRequest) {
        self.init(number: message.number)
    }

    func write(to message: inout Gate__V1__WithdrawAskRequest, in arena: inout MessageArena) {
        message.number = number
    }
}

package typealias WithdrawAskResponse = RevisionReply<Gate__V1__WithdrawAskResponse>
extension Gate__V1__WithdrawAskResponse: CRevisionReply {}
