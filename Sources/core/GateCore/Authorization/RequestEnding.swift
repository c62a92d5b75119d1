import GateModel

/// How a request ends that is not fulfilled: what the journal says, what it costs the requester's user, and what the
/// requester hears.
///
/// | ending           | in the journal  | costs                              | the requester hears  |
/// |------------------|-----------------|------------------------------------|----------------------|
/// | `answeredWrong`  | answered wrong  | a wrong answer                     | wrong answer         |
/// | `refused`        | refused         | an unanswered one                  | a grown-up said no   |
/// | `dismissed`      | dismissed       | an unanswered one                  | dismissed            |
/// | `expired`        | expired         | the same, if claimed               | nobody answered      |
/// | `requesterLost`  | requester lost  | an unanswered one, if claimed      | (it is gone)         |
/// | `callEnded`      | cancelled       | an unanswered one, if claimed      | (its call is gone)   |
/// | `cancelled`      | cancelled       | the same, if its own user did it   | withdrawn            |
/// | `locked`         | locked          | the same, if its own user did it   | withdrawn            |
/// | `modeLeft`       | withdrawn       | the same, if its own user did it   | withdrawn            |
/// | `overridden`     | withdrawn       | nothing                            | withdrawn            |
/// | `leaseEnded`     | withdrawn       | nothing                            | withdrawn            |
/// | `impossible`     | withdrawn       | the same, if a user brought it about | why                |
/// | `putAway`        | withdrawn       | nothing                            | closed               |
///
/// Every look at a question counts, also where a second user ends it, such as a presenter that claims it and goes. Else anyone who asks
/// again and again looks for a question that suits. What an administrator does to others costs nothing, nor does what Gate itself ends, by
/// its clock or by a reload. Nor does another user who ends a parent mode: that closes questions three times an hour at most.
///
/// "Claimed": somebody has had it on a screen. What has never reached a screen costs nothing, as its requester could not help it; but if
/// something had to leave a screen for it, its own user pays for taking it back.
///
/// A sign-in, a paywall, a form and release notes cost the same if they stood on another owner's screen, at a counter of their own, since
/// they take that screen from others. On the requester's own screens they cost nothing: they are no questions.
///
/// What a failure comes to is in `LockoutRules.swift`.
enum RequestEnding: Hashable, Sendable {
    case answeredWrong
    case refused
    case dismissed
    case expired
    case requesterLost
    case callEnded
    case cancelled
    case locked
    case modeLeft
    case overridden
    case leaseEnded
    /// The request can't be fulfilled any more after this change, or has to be asked anew.
    case impossible(GateError)
    /// An administrator closed what was shown.
    case putAway

    var journalKind: AuditEntry.Kind {
        switch self {
        case .answeredWrong: .answeredWrong
        case .refused: .refused
        case .dismissed: .dismissed
        case .expired: .expired
        case .requesterLost: .requesterLost
        case .callEnded, .cancelled: .cancelled
        case .locked: .locked
        case .modeLeft, .overridden, .leaseEnded, .impossible, .putAway: .withdrawn
        }
    }

    /// Whether the state ends it, no matter who brought that about.
    var isByState: Bool {
        switch self {
        case .impossible: true
        case .answeredWrong, .refused, .dismissed, .expired, .requesterLost, .callEnded, .cancelled, .locked, .modeLeft,
            .overridden, .leaseEnded, .putAway:
            false
        }
    }

    /// The price of this end; `nil`: nothing.
    ///
    /// - Parameters:
    ///   - wasClaimed: whether somebody has had it on a screen.
    ///   - isOwnUser: whether the requester's own user ended it, or brought about what did.
    ///   - isLook: whether it ends a look at a question, by a user, no matter which.
    func cost(wasClaimed: Bool, isOwnUser: Bool, isLook: Bool) -> LockoutRules.Failure? {
        switch self {
        case .answeredWrong: .wrongAnswer
        case .refused, .dismissed: .unanswered
        case .expired, .requesterLost, .callEnded: wasClaimed ? .unanswered : nil
        case .cancelled, .locked, .modeLeft: wasClaimed && isOwnUser ? .unanswered : nil
        case .impossible: wasClaimed && (isOwnUser || isLook) ? .unanswered : nil
        case .overridden, .leaseEnded, .putAway: nil
        }
    }

    /// The refusal that the requester hears; `nil`: there is nobody to hear it.
    ///
    /// - Parameter lock: how long this locked its user out, if it did.
    func refusal(lockedOutFor lock: Duration?) -> GateError? {
        switch self {
        case .answeredWrong: .wrongAnswer(lockedOutFor: lock)
        case .refused: .refusedByGrownUp(lockedOutFor: lock)
        case .dismissed: .dismissed
        case .expired: .unanswered
        case .requesterLost, .callEnded: nil
        case .cancelled, .locked, .modeLeft, .overridden, .leaseEnded: .modeChanged
        case .impossible(let error): error
        case .putAway: .putAway
        }
    }

    /// The refusal of a call that waits for the outcome of an answer, where this came first.
    var refusalOfAnswer: GateError {
        switch self {
        case .expired: .cookie(.expired)
        case .answeredWrong, .refused, .dismissed, .requesterLost, .callEnded, .cancelled, .locked, .modeLeft,
            .overridden, .leaseEnded, .impossible, .putAway:
            .cookie(.closed)
        }
    }
}
