import GateModel

/// What the core refuses, in words for the person who reads it. Nothing of a solution or cookie is ever in them.
extension GateError {
    static func invalid(_ message: String) -> GateError {
        GateError(.invalidArgument, .invalidRequest, message)
    }

    static func notPermitted(_ message: String) -> GateError {
        GateError(.permissionDenied, .notPermitted, message)
    }

    /// - Parameter lock: how long this answer locked its user out, if it did.
    static func wrongAnswer(lockedOutFor lock: Duration?) -> GateError {
        let message = lock.map { "Wrong answer. Locked out for \($0.shortText)." } ?? "Wrong answer."
        return GateError(.failedPrecondition, .wrongAnswer, message, retryAfter: lock)
    }

    static func lockedOut(for remaining: Duration) -> GateError {
        GateError(
            .resourceExhausted, .lockedOut, "Too many wrong answers. Locked out for \(remaining.shortText).",
            retryAfter: remaining)
    }

    static let othersChallengeIsOpen = GateError(
        .failedPrecondition, .verifying, "Somebody else is being asked. Try again when they are done.")

    static let otherDurationIsOpen = GateError(
        .failedPrecondition, .verifying, "A question for another duration is open. Answer or dismiss it first.")

    static let notParent = GateError(
        .failedPrecondition, .notParent, "Only parent mode can be extended. Enter it first.")

    static let noPresenter = GateError(
        .aborted, .noPresenter,
        "A person has to answer a question, and nothing here can show it. Run this on a terminal.")

    static let storeDamaged = GateError(
        .unavailable, .storeDamaged, "The store was damaged. An administrator opens Gate again with `gatectl recover`.")

    static let notDamaged = GateError(.failedPrecondition, .unspecified, "Nothing to recover: the store is whole.")

    static let notAnAnswer = invalid("That is not a whole number. The question stays open.")

    static func cookie(_ refusal: CookieRefusal) -> GateError {
        switch refusal {
        case .forged: GateError(.permissionDenied, .wrongCookie, "This program does not hold the question's cookie.")
        case .closed: GateError(.aborted, .closed, "The question is closed. Ask for a new one.")
        case .expired: GateError(.deadlineExceeded, .expired, "The answer came too late. Ask for a new question.")
        }
    }
}
