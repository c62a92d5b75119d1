package import GateModel

/// One invitation on the inviting device, from the code to the newcomer's receipt.
///
/// Dropped without a word, because anyone may write to the broker: what does not open with the code's keys, a receipt that comes
/// before there is an answer, and anything after the end.
package struct InvitationStateMachine: Sendable {
    /// The things to do with a message.
    package enum Result: Hashable, Sendable {
        /// Decide about this newcomer: `asked`, where a person is to say yes, and then `decided`.
        case decide(JoinRequest)
        /// Publish this sealed answer.
        case answer([UInt8])
        /// The newcomer is a member.
        case joined
        /// Nothing.
        case dropped
    }

    private enum State: Sendable {
        /// The code is good. Can transition to: deciding, over.
        case open
        /// A newcomer has asked. Can transition to: asking, open, answered, over.
        case deciding(sealed: [UInt8])
        /// A person is asked, and the newcomer knows the seed. Can transition to: answered, over.
        case asking(sealed: [UInt8], answer: [UInt8])
        /// The code is used: the newcomer has its answer, and may not have heard it. Can transition to: over.
        case answered(sealed: [UInt8], answer: [UInt8])
        /// The newcomer has joined, or the time is over.
        case over
    }

    private let seal: JoinSeal
    private let seed: JoinSeed
    private let deadline: BootTime
    private var state = State.open

    /// Makes an invitation with this code.
    ///
    /// - Parameters:
    ///   - seed: of the code.
    ///   - now: from then on it is good for ten minutes.
    package init(_ code: JoinCode, _ seed: JoinSeed, now: BootTime) {
        seal = JoinSeal(code)
        self.seed = seed
        deadline = now.advanced(by: JoinCode.life)
    }

    /// A message has come to the code's place.
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
            // It has not heard that somebody is asked.
            if sealed == first { return .answer(answer) }
            return seal.open(sealed, as: .request) == nil ? .dropped : .answer(refusal(.used, of: sealed))
        case .answered(let first, let answer):
            // It has not heard the answer, or the broker brings its request twice.
            if sealed == first { return .answer(answer) }
            if seal.open(sealed, as: .receipt, answering: answer) != nil {
                state = .over
                return .joined
            }
            return seal.open(sealed, as: .request) == nil ? .dropped : .answer(refusal(.used, of: sealed))
        }
    }

    /// A person is asked about the newcomer.
    ///
    /// - Returns: what the newcomer is told of it, sealed; `nil`: the time is over meanwhile.
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

    /// Tells the newcomer. Where it is admitted, the code is used; and where a person was asked, too: the seed is known by then, and a check number
    /// would show nothing.
    ///
    /// - Returns: the sealed answer; `nil`: the time is over meanwhile.
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

    /// Whether the code is good no more, and nobody joins by it.
    package var isOver: Bool {
        switch state {
        case .over: true
        case .open, .deciding, .asking, .answered: false
        }
    }

    /// Ends it. Nothing that comes later counts.
    package mutating func deadlineReached() {
        state = .over
    }

    private func refusal(_ refusal: JoinRefusal, of sealed: [UInt8]) -> [UInt8] {
        seal.seal(JoinAnswer.refused(refusal).bytes, as: .answer, answering: sealed)
    }
}
