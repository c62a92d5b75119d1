package import GateModel

/// One invitation on the inviting device, from the code to the newcomer's receipt.
///
/// Dropped without a word, because anyone may write to the broker: what does not open with the code's keys, a receipt that comes
/// before there is an answer, and anything after the end.
package struct InvitationStateMachine: Sendable {
    /// The things to do with a message.
    package enum Result: Hashable, Sendable {
        /// Decide about this newcomer: `decided`.
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
        /// A newcomer has asked. Can transition to: open, answered, over.
        case deciding(sealed: [UInt8])
        /// The code is used: the newcomer has its answer, and may not have heard it. Can transition to: over.
        case answered(sealed: [UInt8], answer: [UInt8])
        /// The newcomer has joined, or the time is over.
        case over
    }

    private let seal: JoinSeal
    private let deadline: BootTime
    private var state = State.open

    /// Makes an invitation with this code.
    ///
    /// - Parameter now: from then on it is good for ten minutes.
    package init(_ code: JoinCode, now: BootTime) {
        seal = JoinSeal(code)
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

    /// Tells the newcomer. Where it is admitted, the code is used.
    ///
    /// - Returns: the sealed answer; `nil`: the time is over meanwhile.
    package mutating func decided(_ answer: JoinAnswer) -> [UInt8]? {
        switch state {
        case .deciding(let sealed):
            let sealedAnswer = seal.seal(answer.bytes, as: .answer, answering: sealed)
            switch answer {
            case .admitted: state = .answered(sealed: sealed, answer: sealedAnswer)
            case .refused: state = .open
            }
            return sealedAnswer
        case .over: return nil
        case .open, .answered: preconditionFailure("nobody asks")
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
