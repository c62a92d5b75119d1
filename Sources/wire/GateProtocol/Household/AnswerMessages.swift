package import CGateProtocol
package import GateModel

// household.proto: guardians' answers to questions that wait on other devices

extension Methods.Household {
    package static let collectAnswers = Method<CollectAnswersRequest, CollectAnswersResponse>(
        service, "CollectAnswers")
}

package typealias CollectAnswersRequest = ChangesRequest<Gate__V1__CollectAnswersRequest>
extension Gate__V1__CollectAnswersRequest: CChangesRequest {}

package struct CollectAnswersResponse: MappedMessage {
    package var answers: OutgoingAnswers

    package init(answers: OutgoingAnswers) {
        self.answers = answers
    }

    init(reading message: Gate__V1__CollectAnswersResponse) throws(GateError) {
        self.init(
            answers: OutgoingAnswers(
                change: message.change,
                answers: try [OutgoingAnswer](reading: message.answers, count: message.n_answers)))
    }

    func write(to message: inout Gate__V1__CollectAnswersResponse, in arena: inout MessageArena) {
        message.change = answers.change
        (message.answers, message.n_answers) = arena.messages(answers.answers)
    }
}

extension OutgoingAnswer: MessageMapping {
    init(reading message: Gate__V1__OutgoingAnswer) throws(GateError) {
        self.init(
            name: RequestName(
                try HouseholdID(reading: message.device, of: "gate.v1.OutgoingAnswer.device"), message.number),
            signed: [UInt8](reading: message.signed_command), left: .milliseconds(message.left_milliseconds))
    }

    func write(to message: inout Gate__V1__OutgoingAnswer, in arena: inout MessageArena) {
        message.device = arena.string(name.device.description)
        message.number = name.number
        message.signed_command = arena.bytes(signed)
        message.left_milliseconds = left.wireMilliseconds
    }
}
