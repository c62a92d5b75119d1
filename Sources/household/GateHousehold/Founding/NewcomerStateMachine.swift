/// The newcomer's side of joining: one request, one answer.
///
/// Dropped without a word, because anyone may write to the broker: what does not open with the code's keys as an answer to this very
/// request, what comes after the answer, and a seed from which the code does not follow.
package struct NewcomerStateMachine: Sendable {
    /// The result of a message.
    package enum Result: Hashable, Sendable {
        /// The device may join, once what it was given is checked.
        case admitted(JoinAdmission)
        /// A person at the inviting device is asked. It sees this number, too.
        case asking(CheckNumber)
        /// The inviting device says no.
        case refused(JoinRefusal)
        /// The inviting device's answer has another form.
        case unreadable
        /// Nothing.
        case dropped
    }

    private enum State: Sendable {
        /// The request was sent. Can transition to: answered.
        case waiting
        /// There is an answer: the end.
        case answered(sealed: [UInt8])
    }

    private let code: JoinCode
    private let content: JoinRequest
    private let seal: JoinSeal
    /// The sealed request. It may be sent again as it is, which asks for the same answer.
    package let request: [UInt8]
    private var state = State.waiting

    /// Makes a newcomer that sends this request.
    package init(_ code: JoinCode, _ request: JoinRequest) {
        (self.code, content) = (code, request)
        seal = JoinSeal(code)
        self.request = seal.seal(request.bytes, as: .request)
    }

    /// A message has come to the place of answers.
    package mutating func messageArrived(_ sealed: [UInt8]) -> Result {
        switch state {
        case .answered: return .dropped
        case .waiting:
            guard let bytes = seal.open(sealed, as: .answer, answering: request) else { return .dropped }
            let answer = JoinAnswer(bytes)
            if case .asking(let seed) = answer {
                return JoinSeed(seed, of: code).map { .asking(CheckNumber(content, $0)) } ?? .dropped
            }
            state = .answered(sealed: sealed)
            return switch answer {
            case .admitted(let admission): .admitted(admission)
            case .refused(let refusal): .refused(refusal)
            case .asking, nil: .unreadable
            }
        }
    }

    /// The sealed receipt of the answer; `nil`: there was none.
    package var receipt: [UInt8]? {
        switch state {
        case .waiting: nil
        case .answered(let sealed): seal.seal([], as: .receipt, answering: sealed)
        }
    }
}
