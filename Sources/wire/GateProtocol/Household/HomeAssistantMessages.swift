package import CGateProtocol
package import GateModel

// household.proto: the orders of Home Assistant

extension Methods.Household {
    package static let obeyHomeAssistant = Method<ObeyHomeAssistantRequest, ObeyHomeAssistantResponse>(
        service, "ObeyHomeAssistant")
}

package struct ObeyHomeAssistantRequest: MappedMessage {
    package var order: HomeAssistantOrder

    package init(order: HomeAssistantOrder) {
        self.order = order
    }

    init(reading message: Gate__V1__ObeyHomeAssistantRequest) throws(GateError) {
        let milliseconds = message.duration_milliseconds
        switch message.verb {
        case GATE__V1__OBEY_HOME_ASSISTANT_REQUEST__VERB__VERB_LOCK: self.init(order: .lock)
        case GATE__V1__OBEY_HOME_ASSISTANT_REQUEST__VERB__VERB_EXTEND:
            guard milliseconds >= 0 else {
                throw .wrong("gate.v1.ObeyHomeAssistantRequest.duration_milliseconds", "is negative")
            }
            self.init(order: .extend(milliseconds == 0 ? nil : .milliseconds(milliseconds)))
        case GATE__V1__OBEY_HOME_ASSISTANT_REQUEST__VERB__VERB_APPROVE:
            self.init(order: .answer(try Self.question(message), try Self.answer(message, isAllowed: true)))
        case GATE__V1__OBEY_HOME_ASSISTANT_REQUEST__VERB__VERB_DENY:
            self.init(order: .answer(try Self.question(message), try Self.answer(message, isAllowed: false)))
        default:
            throw .wrong(
                "gate.v1.ObeyHomeAssistantRequest.verb", "is not set, or one that this version does not know")
        }
    }

    private static func question(_ message: Gate__V1__ObeyHomeAssistantRequest) throws(GateError) -> UInt64 {
        guard message.request > 0 else { throw .wrong("gate.v1.ObeyHomeAssistantRequest.request", "is not set") }
        return message.request
    }

    private static func answer(
        _ message: Gate__V1__ObeyHomeAssistantRequest, isAllowed: Bool
    ) throws(GateError) -> AskAnswer {
        let word = String(reading: message.choice)
        guard let answer = AskAnswer(isAllowed: isAllowed, word: word.isEmpty ? AskEcho.once : word) else {
            throw .wrong("gate.v1.ObeyHomeAssistantRequest.choice", "is neither once nor an amount of time like 30m")
        }
        return answer
    }

    func write(to message: inout Gate__V1__ObeyHomeAssistantRequest, in arena: inout MessageArena) {
        switch order {
        case .lock: message.verb = GATE__V1__OBEY_HOME_ASSISTANT_REQUEST__VERB__VERB_LOCK
        case .extend(let duration):
            message.verb = GATE__V1__OBEY_HOME_ASSISTANT_REQUEST__VERB__VERB_EXTEND
            message.duration_milliseconds = duration?.wireMilliseconds ?? 0
        case .answer(let number, let answer):
            message.request = number
            message.choice = arena.string(answer.word == AskEcho.once ? "" : answer.word)
            message.verb =
                answer.isAllowed
                ? GATE__V1__OBEY_HOME_ASSISTANT_REQUEST__VERB__VERB_APPROVE
                : GATE__V1__OBEY_HOME_ASSISTANT_REQUEST__VERB__VERB_DENY
        }
    }
}

package typealias ObeyHomeAssistantResponse = ModeReply<Gate__V1__ObeyHomeAssistantResponse>
extension Gate__V1__ObeyHomeAssistantResponse: CModeReply {}
