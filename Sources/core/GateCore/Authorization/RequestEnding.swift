import GateModel

/// The end of a request that is not fulfilled: the journal's words, what its user pays, and the requester's error.
///
/// | ending           | in the journal  | counts as                                | the requester hears  |
/// |------------------|-----------------|------------------------------------------|----------------------|
/// | `answeredWrong`  | answered wrong  | a wrong answer                           | wrong answer         |
/// | `refused`        | refused         | an unanswered question                   | a grown-up said no   |
/// | `dismissed`      | dismissed       | an unanswered question                   | dismissed            |
/// | `expired`        | expired         | an unanswered question, if claimed       | nobody answered      |
/// | `requesterLost`  | requester lost  | an unanswered question, if claimed       | (it is gone)         |
/// | `callEnded`      | cancelled       | an unanswered question, if claimed       | (its call is gone)   |
/// | `cancelled`      | cancelled       | the same, if its own user did it         | withdrawn            |
/// | `locked`         | locked          | the same, if its own user did it         | withdrawn            |
/// | `modeLeft`       | withdrawn       | the same, if its own user did it         | withdrawn            |
/// | `overridden`     | withdrawn       | nothing                                  | withdrawn            |
/// | `leaseEnded`     | withdrawn       | nothing                                  | withdrawn            |
/// | `impossible`     | withdrawn       | the same, if a user brought it about     | why                  |
/// | `putAway`        | withdrawn       | nothing                                  | closed               |
///
/// Every look at a question counts, even if another user ends it, such as a presenter that claims it and leaves.
/// Otherwise a requester could ask again and again until a question suits. Three kinds of endings cost nothing: what an
/// administrator does to another user's request; the end of a lease, a reload and other changes that no peer made; and
/// another user who leaves parent mode, which `Limits.interruptions` allows three times an hour.
///
/// "Claimed" means that the question has been on a screen. A question that never was costs nothing, because its
/// requester could not help it. But if something had to leave a screen for it, its own user pays for taking it back.
///
/// A sign-in, a paywall, a form and release notes are no questions. On another owner's screen, which they take from
/// others, they cost the same, at a counter of their own; on the requester's own screens nothing.
///
/// If the request has an ask that stays (`askOutlives`), the requester hears that instead.
///
/// What a failure leads to is in `LockoutRules.swift`.
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
    /// A change made it impossible to fulfil the request, or its question has to be asked anew.
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

    /// Whether the journal names no peer, because a change of the state ended the request.
    var isByState: Bool {
        switch self {
        case .impossible: true
        case .answeredWrong, .refused, .dismissed, .expired, .requesterLost, .callEnded, .cancelled, .locked, .modeLeft,
            .overridden, .leaseEnded, .putAway:
            false
        }
    }

    /// The failure that is counted against the requester's owner; `nil` if this ending costs nothing.
    /// - Parameters:
    ///   - wasClaimed: the presentation has been on a screen, or its own user takes back one that took a screen.
    ///   - isOwnUser: the requester's own user ended the request, or made the change that ended it.
    ///   - isLook: the presentation is a question, and a peer that is no administrator made the change.
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

    /// Whether another device is charged for one of its questions that took a screen here. `isByCarrier`: the other
    /// device took the question back, or the question expired there. The other device chooses how long the question is
    /// open, so it is also charged if that was too short for a screen to show it.
    func costsDevice(isByCarrier: Bool) -> Bool {
        switch self {
        case .answeredWrong, .refused, .dismissed, .expired, .callEnded, .cancelled: true
        case .putAway: isByCarrier
        case .requesterLost, .locked, .modeLeft, .overridden, .leaseEnded, .impossible: false
        }
    }

    /// The error that the requester gets; `nil` if the requester or its call is gone. `lock`: for how long this ending
    /// locked the requester's user out. `isByOther`: another user than the requester's ended the request.
    func refusal(lockedOutFor lock: Duration?, isByOther: Bool) -> GateError? {
        switch self {
        case .answeredWrong: .wrongAnswer(lockedOutFor: lock)
        case .refused: .refusedByGrownUp(lockedOutFor: lock)
        case .dismissed: .dismissed(isByOther: isByOther)
        case .expired: .unanswered
        case .requesterLost, .callEnded: nil
        case .cancelled, .locked, .modeLeft, .overridden, .leaseEnded: .modeChanged
        case .impossible(let error): error
        case .putAway: .putAway
        }
    }

    /// The refusal for a call that still waits for the outcome of its answer when the request ends in this way.
    var refusalOfAnswer: GateError {
        switch self {
        case .expired: .cookie(.expired)
        case .answeredWrong, .refused, .dismissed, .requesterLost, .callEnded, .cancelled, .locked, .modeLeft,
            .overridden, .leaseEnded, .impossible, .putAway:
            .cookie(.closed)
        }
    }
}
