package import CGateProtocol
package import GateModel

// authorization.proto: requests that wait for a grown-up

extension Methods.Authorization {
    package static let listAsks = Method<ListAsksRequest, ListAsksResponse>(service, "ListAsks")
    package static let answerAsk = Method<AnswerAskRequest, AnswerAskResponse>(service, "AnswerAsk")
    package static let withdrawAsk = Method<WithdrawAskRequest, WithdrawAskResponse>(service, "WithdrawAsk")
    package static let askMoreTime = Method<AskMoreTimeRequest, AskMoreTimeResponse>(service, "AskMoreTime")
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

extension Ask {
    /// The number of fields of its message, as the scan counts: at most one for each of its values.
    package var fieldCount: Int { 14 + choices.count + titles.fieldCount }
}

extension Ask: MessageMapping {
    init(reading message: Gate__V1__Ask) {
        self.init(
            id: message.number, uid: message.uid, person: String(reading: message.person),
            gatedAction: String(reading: message.gated_action),
            titles: LocalizedText(reading: message.title, message.titles, count: message.n_titles),
            details: String(reading: message.details), state: State(wire: message.state, else: .unrecognized),
            ends: message.ends_unix_milliseconds == 0
                ? nil : WallTime(unixMilliseconds: message.ends_unix_milliseconds),
            choices: [String](reading: message.choices, count: message.n_choices).compactMap {
                AskChoice(readingAnswer: $0)
            },
            choice: AskChoice(readingAnswer: String(reading: message.choice)), device: String(reading: message.device),
            isMoreTime: message.is_more_time != 0, isUntilTomorrow: message.is_until_tomorrow != 0,
            refusal: String(reading: message.refusal))
    }

    func write(to message: inout Gate__V1__Ask, in arena: inout MessageArena) {
        message.number = id
        message.uid = uid
        message.person = arena.string(person)
        message.gated_action = arena.string(gatedAction)
        (message.title, message.titles, message.n_titles) = arena.texts(titles)
        message.details = arena.string(details)
        message.state = state.wire
        message.ends_unix_milliseconds = ends?.unixMilliseconds ?? 0
        (message.choices, message.n_choices) = arena.strings(choices.map(\.text))
        message.choice = arena.string(choice?.text ?? "")
        message.device = arena.string(device)
        message.is_more_time = isMoreTime ? 1 : 0
        message.is_until_tomorrow = isUntilTomorrow ? 1 : 0
        message.refusal = arena.string(refusal)
    }
}

extension AskChoice {
    /// Reads a choice in an answer of the daemon, which may be newer; `nil` if there is none.
    init?(readingAnswer text: String) {
        guard !text.isEmpty else { return nil }
        self = AskChoice(text: text) ?? .unrecognized
    }
}

extension Ask.State: EnumMapping {
    var wire: Gate__V1__Ask__State {
        switch self {
        case .waiting: GATE__V1__ASK__STATE__STATE_WAITING
        case .allowed: GATE__V1__ASK__STATE__STATE_ALLOWED
        case .refused: GATE__V1__ASK__STATE__STATE_REFUSED
        case .closed: GATE__V1__ASK__STATE__STATE_CLOSED
        case .unrecognized: GATE__V1__ASK__STATE__STATE_UNSPECIFIED
        }
    }
}

package struct AnswerAskRequest: MappedMessage {
    package var number: UInt64
    package var answer: AskAnswer

    package init(number: UInt64, _ answer: AskAnswer) {
        self.number = number
        self.answer = answer
    }

    package init(number: UInt64, isAllowed: Bool) { self.init(number: number, isAllowed ? .yes() : .no) }

    init(reading message: Gate__V1__AnswerAskRequest) throws(GateError) {
        number = message.number
        let (word, isAllowed) = (String(reading: message.choice), message.is_allowed != 0)
        guard !word.isEmpty else {
            answer = isAllowed ? .yes() : .no
            return
        }
        guard let answer = AskAnswer(isAllowed: isAllowed, word: word), answer != .no else {
            throw .wrong(
                "choice",
                isAllowed
                    ? "is none of once, today, always, this-site and amounts of time like 30m"
                    : "is for a yes; of a no it can only be until-tomorrow")
        }
        self.answer = answer
    }

    func write(to message: inout Gate__V1__AnswerAskRequest, in arena: inout MessageArena) {
        message.number = number
        message.is_allowed = answer.isAllowed ? 1 : 0
        message.choice =
            switch answer {
            case .yes(nil), .no: arena.string("")
            case .yes, .notUntilTomorrow: arena.string(answer.word)
            }
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

package struct AskMoreTimeRequest: MappedMessage {
    package var gatedAction: String
    /// How much the person would like; `nil`: that is left to the grown-up.
    package var choice: AskChoice?

    package init(gatedAction: String, choice: AskChoice? = nil) {
        self.gatedAction = gatedAction
        self.choice = choice
    }

    init(reading message: Gate__V1__AskMoreTimeRequest) throws(GateError) {
        gatedAction = String(reading: message.gated_action)
        let word = String(reading: message.choice)
        guard !word.isEmpty else { return }
        guard let choice = AskChoice(text: word) else {
            throw .wrong("choice", "is neither today nor an amount of time like 30m")
        }
        self.choice = choice
    }

    func write(to message: inout Gate__V1__AskMoreTimeRequest, in arena: inout MessageArena) {
        message.gated_action = arena.string(gatedAction)
        message.choice = arena.string(choice?.text ?? "")
    }
}

package struct AskMoreTimeResponse: MappedMessage {
    package var revision: Revision
    package var ask: Ask

    package init(revision: Revision, ask: Ask) {
        self.revision = revision
        self.ask = ask
    }

    init(reading message: Gate__V1__AskMoreTimeResponse) throws(GateError) {
        self.init(
            revision: Revision(reading: message.revision),
            ask: try Ask(reading: message.ask, of: "\(Self.typeName).ask"))
    }

    func write(to message: inout Gate__V1__AskMoreTimeResponse, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        message.ask = arena.message(ask)
    }
}
