package import GateModel

/// One invitation on the inviting device, from the code to the newcomer's receipt. Anyone may write to the broker, so
/// these are dropped silently: what the code's keys do not open, a receipt before an answer, the same request again
/// while the first one is `deciding`, a first request after the code's time, and anything after the end.
package struct InvitationStateMachine: Sendable {
    package enum Result: Hashable, Sendable {
        /// Decide about this newcomer: call `decided`, and before it `asked` if a person has to say yes.
        case decide(JoinRequest)
        /// Publish this sealed answer.
        case answer([UInt8])
        case joined
        case dropped
    }

    private enum State: Sendable {
        /// The code is valid. Can go to `deciding` or `over`.
        case open
        /// A newcomer has asked. Can go to `asking`, `open`, `answered` or `over`.
        case deciding(sealed: [UInt8])
        /// A person is asked, and the newcomer knows the seed. Can go to `answered` or `over`.
        case asking(sealed: [UInt8], answer: [UInt8])
        /// The code is used. The newcomer was answered, but may not have received it. Can go to `over`.
        case answered(sealed: [UInt8], answer: [UInt8])
        /// The newcomer has joined, or was refused after a person was asked, or the time is over.
        case over
    }

    private let seal: JoinSeal
    private let seed: JoinSeed
    private let deadline: BootTime
    private var state = State.open

    /// The code is valid for ten minutes from `now` on.
    package init(_ code: JoinCode, _ seed: JoinSeed, now: BootTime) {
        seal = JoinSeal(code)
        self.seed = seed
        deadline = now.advanced(by: JoinCode.life)
    }

    package mutating func messageArrived(_ sealed: [UInt8], at now: BootTime) -> Result {
        switch state {
        case .over: return .dropped
        case .open:
            guard now < deadline, let bytes = seal.open(sealed, as: .request) else { return .dropped }
            guard let request = JoinRequest(bytes) else { return .answer(refusal(.malformed, of: sealed)) }
            state = .deciding(sealed: sealed)
            return .decide(request)
        case .deciding(let first):
            guard sealed != first, seal.open(sealed, as: .request) != nil else { return .dropped }
            return .answer(refusal(.used, of: sealed))
        case .asking(let first, let answer):
            // The newcomer asks again: it does not know that a person is being asked.
            if sealed == first { return .answer(answer) }
            return seal.open(sealed, as: .request) == nil ? .dropped : .answer(refusal(.used, of: sealed))
        case .answered(let first, let answer):
            // The newcomer has not received the answer, or the broker has delivered its request twice.
            if sealed == first { return .answer(answer) }
            if seal.open(sealed, as: .receipt, answering: answer) != nil {
                state = .over
                return .joined
            }
            return seal.open(sealed, as: .request) == nil ? .dropped : .answer(refusal(.used, of: sealed))
        }
    }

    /// The sealed answer which says that a person is asked, the same each time; `nil` if the time is over meanwhile.
    package mutating func asked() -> [UInt8]? {
        switch state {
        case .deciding(let sealed):
            let answer = seal.seal(JoinAnswer.asking(seed: seed.bytes).bytes, as: .answer, answering: sealed)
            state = .asking(sealed: sealed, answer: answer)
            return answer
        case .asking(_, let answer): return answer
        case .over: return nil
        case .open, .answered: preconditionFailure("nobody asks")
        }
    }

    /// The sealed answer to the newcomer; `nil` if the time is over meanwhile. The code is used up if the newcomer is
    /// admitted, or if a person was asked: its seed is known by then, so another check number would prove nothing.
    package mutating func decided(_ answer: JoinAnswer) -> [UInt8]? {
        let (sealed, wasAsked): ([UInt8], Bool)
        switch state {
        case .deciding(let request): (sealed, wasAsked) = (request, false)
        case .asking(let request, _): (sealed, wasAsked) = (request, true)
        case .over: return nil
        case .open, .answered: preconditionFailure("nobody asks")
        }
        let sealedAnswer = seal.seal(answer.bytes, as: .answer, answering: sealed)
        switch answer {
        case .admitted: state = .answered(sealed: sealed, answer: sealedAnswer)
        case .refused: state = wasAsked ? .over : .open
        case .asking: preconditionFailure("that is no decision")
        }
        return sealedAnswer
    }

    package var isOver: Bool {
        switch state {
        case .over: true
        case .open, .deciding, .asking, .answered: false
        }
    }

    package mutating func deadlineReached() {
        state = .over
    }

    private func refusal(_ refusal: JoinRefusal, of sealed: [UInt8]) -> [UInt8] {
        seal.seal(JoinAnswer.refused(refusal).bytes, as: .answer, answering: sealed)
    }
}
