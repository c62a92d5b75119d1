/// The newcomer's side of joining: one request, one answer. Anyone may write to the broker, so these are dropped
/// silently: what the code's keys do not open as an answer to this very request, what comes after the answer, and a
/// seed from which the code is not derived.
package struct NewcomerStateMachine: Sendable {
    package enum Result: Hashable, Sendable {
        /// The device may join, once it has checked what it was given.
        case admitted(JoinAdmission)
        /// A person at the inviting device is asked, and sees the same number.
        case asking(CheckNumber)
        case refused(JoinRefusal)
        /// The inviting device's answer has another form.
        case unreadable
        case dropped
    }

    private enum State: Sendable {
        /// The request was sent. Can go to `answered`.
        case waiting
        /// The final answer has come: the end.
        case answered(sealed: [UInt8])
    }

    private let code: JoinCode
    private let content: JoinRequest
    private let seal: JoinSeal
    /// The sealed request. It may be sent again as it is, and gets the same answer.
    package let request: [UInt8]
    private var state = State.waiting

    package init(_ code: JoinCode, _ request: JoinRequest) {
        (self.code, content) = (code, request)
        seal = JoinSeal(code)
        self.request = seal.seal(request.bytes, as: .request)
    }

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

    /// The sealed receipt for the answer; `nil` if none has come.
    package var receipt: [UInt8]? {
        switch state {
        case .waiting: nil
        case .answered(let sealed): seal.seal([], as: .receipt, answering: sealed)
        }
    }
}
