package import GateModel

/// The refusals of the core, in words for the person who reads them. They never quote a solution, secret or cookie.
extension GateError {
    /// - Parameter what: which right this peer lacks, in one word such as "administrator".
    static func notPermitted(_ what: String, _ message: String) -> GateError {
        GateError(.permissionDenied, .notPermitted, message, parameters: ["what": what])
    }

    // MARK: - Answers

    /// - Parameter lock: how long this answer locked its user out; `nil`: it did not.
    static func wrongAnswer(lockedOutFor lock: Duration?) -> GateError {
        let message = lock.map { "Wrong answer. Try again in \($0.shortText)." } ?? "Wrong answer."
        return GateError(.failedPrecondition, .wrongAnswer, message, retryAfter: lock)
    }

    static func refusedByGrownUp(lockedOutFor lock: Duration?) -> GateError {
        let message = lock.map { "A grown-up said no. Ask again in \($0.shortText)." } ?? "A grown-up said no."
        return GateError(.failedPrecondition, .refused, message, retryAfter: lock)
    }

    static func refusedUntilTomorrow(lockedOutFor lock: Duration) -> GateError {
        GateError(
            .failedPrecondition, .refused, "A grown-up said: not until tomorrow. Ask again in \(lock.shortText).",
            retryAfter: lock, parameters: ["until": "tomorrow"])
    }

    static func lockedOut(for remaining: Duration) -> GateError {
        GateError(
            .resourceExhausted, .lockedOut, "Too many wrong or missing answers. Try again in \(remaining.shortText).",
            retryAfter: remaining)
    }

    /// Has no `retryAfter`, since waiting does not help: an administrator has to clear the counter.
    static func guessesUsedUp(_ key: Lockout.Key, _ kind: SecretKind) -> GateError {
        let who =
            key.owner == .strangers
            ? "On this device there were \(SecretBudget.ofStrangers) wrong answers by users who never gave the right one"
            : "There were \(SecretBudget.ofLane) wrong answers since the last right one"
        return GateError(
            .resourceExhausted, .guessesUsedUp,
            "\(who). No more answers are checked until an administrator runs `gatectl lockouts clear \(kind.rawValue)`.",
            parameters: ["secret": kind.rawValue])
    }

    /// - Parameter isByOther: whether another user dismissed it, on a screen that the requester's user may not see.
    static func dismissed(isByOther: Bool) -> GateError {
        GateError(
            .cancelled, .dismissed, "The question was dismissed.", parameters: isByOther ? ["by": "other-user"] : [:])
    }

    static let unanswered = GateError(
        .deadlineExceeded, .expired, "Nobody answered in time. Ask again when somebody is there.")

    static let beingChecked = GateError(
        .failedPrecondition, .verifying, "An answer is being checked. Wait for the result.",
        parameters: ["what": "answer"])

    static let checkFailed = GateError(
        .unavailable, .failed, "The answer could not be checked, and nothing was counted. Try again.")

    static func cookie(_ refusal: CookieRefusal) -> GateError {
        switch refusal {
        case .forged:
            GateError(
                .permissionDenied, .wrongCookie,
                "The cookie does not belong to this question. Only the program that shows a question can answer it.")
        case .closed:
            GateError(.aborted, .closed, "The question is closed. Ask for a new one.", parameters: ["what": "question"])
        case .expired: GateError(.deadlineExceeded, .expired, "The answer came too late. Ask for a new question.")
        }
    }

    static let notOnOffer = GateError(
        .aborted, .closed,
        "This question can't be claimed: another presenter shows it, or it is closed. Wait for the next one.",
        parameters: ["what": "offer"])

    // MARK: - Presenters and presentations

    static let noPresenter = GateError(
        .aborted, .noPresenter,
        "A grown-up has to answer a question, but no screen can show it. Try again on a terminal, or run `gatectl present` on one.",
        parameters: ["what": "question"])

    static let noGrownUpPresenter = GateError(
        .aborted, .noPresenter,
        "A grown-up has to answer this on their own screen, but none is connected. Ask a grown-up to run `gatectl present`.",
        parameters: ["what": "grown-up"])

    static func nobodyShows(_ step: Step) -> GateError {
        switch step {
        case .challenge: step.isForRequesters ? .noPresenter : .noGrownUpPresenter
        case .signIn: .nobodyShowsSignIn
        case .paywall: .nobodyShowsPaywall
        case .form: .nobodyShowsForm
        case .whatsNew: .nobodyShowsWhatsNew
        }
    }

    /// The refusal of a request that wants its answer at once, although a person has to be asked. It has the parameters
    /// of `nobodyShows`, and does not depend on whether a screen could show the question.
    static func notAtOnce(_ nobodyShows: GateError) -> GateError {
        GateError(
            .aborted, .noPresenter, "A person has to be asked first, and this request does not wait for that.",
            parameters: nobodyShows.parameters)
    }

    static let nobodyShowsSignIn = GateError(
        .aborted, .noPresenter, "Somebody has to sign in first: `gatectl login`.", parameters: ["what": "sign-in"])

    static let nobodyShowsPaywall = GateError(
        .aborted, .noPresenter,
        "This has to be bought, but no screen can show how. Try again on a terminal, or run `gatectl present` on one.",
        parameters: ["what": "paywall"])

    static let putAway = GateError(
        .aborted, .closed, "An administrator closed this. Ask again.",
        parameters: ["what": "put-away"])

    static func notDismissible(_ id: UInt64) -> GateError {
        GateError(
            .failedPrecondition, .notDismissible,
            "This stays until somebody has signed in. An administrator can close it with `gatectl cancel \(id)`.",
            parameters: ["presentation": "\(id)"])
    }

    static let closedByState = invalid(
        "cookie",
        "This takes no answer. It closes by itself when somebody has signed in, when it is paid for, or when the form is "
            + "completed.")

    static let hasAnswer = invalid(
        "cookie", "This question does not close by itself. Answer or dismiss it.")

    static let noPresentation = GateError(
        .notFound, .unknown, "Nothing with this number is open. It may have been answered or closed meanwhile.",
        parameters: ["what": "presentation"])

    static let parentModeMissing = GateError(
        .aborted, .notParent, "This needs parent mode. Enter it first: `gatectl toggle`.")

    // MARK: - The mode

    static let ownersRequestIsOpen = GateError(
        .failedPrecondition, .verifying,
        "Another program of this user is being asked. Answer there, or try again when it is done.",
        parameters: ["what": "own-question"])

    static let othersAreAsked = GateError(
        .failedPrecondition, .verifying,
        "Somebody else is answering the question for parent mode. Wait, or ask them or an administrator to end it. Until then "
            + "the device is in child mode.",
        parameters: ["what": "others-question"])

    static func interruptsTooOften(retryAfter wait: Duration) -> GateError {
        GateError(
            .resourceExhausted, .limit,
            "This user has ended others' parent mode or session \(Limits.interruptions) times. Ask them or an "
                + "administrator to end it, or try again in \(wait.shortText).",
            retryAfter: wait,
            parameters: ["what": "interruptions", "maximum": "\(Limits.interruptions)"])
    }

    static let otherDurationIsOpen = GateError(
        .failedPrecondition, .verifying, "A question for another duration is open. Answer or dismiss it first.",
        parameters: ["what": "other-duration"])

    static let askedElsewhere = GateError(
        .failedPrecondition, .verifying,
        "This question is on another screen already. Wait for its answer, or cancel it.",
        parameters: ["what": "other-screen"])

    static let modeChanged = GateError(
        .aborted, .closed,
        "The mode was changed meanwhile, so the question was closed. Ask again if you still need it.",
        parameters: ["what": "mode-changed"])

    static let notParent = GateError(
        .failedPrecondition, .notParent, "Only parent mode can be extended. Enter it first.")

    // MARK: - Gated actions

    static let denied = GateError(
        .failedPrecondition, .denied,
        "The policy does not name this gated action, so it is denied. `gatectl gates` lists those that it names.")

    package static let noGrant = GateError(
        .failedPrecondition, .noGrant,
        "There is no such grant for this: it was used, has run out, or is for something else. Ask for a new one.")

    static let othersGrant = notPermitted("redeemer", "This grant is for another user. Only that user can redeem it.")

    // MARK: - Asks

    /// The question waits for a grown-up.
    static func asked(_ number: UInt64, until end: WallTime) -> GateError {
        GateError(
            .failedPrecondition, .asked,
            "This waits for a grown-up's answer, as question \(number). Ask for the same again later: `gatectl asks` shows what became of it.",
            parameters: ["ask": "\(number)", "ends": "\(end.unixMilliseconds)"])
    }

    static func noSuchAsk(_ number: UInt64) -> GateError {
        GateError(
            .notFound, .unknown,
            "Question \(number) does not wait, or not any more. `gatectl asks` lists those that do.",
            parameters: ["what": "ask", "name": "\(number)"])
    }

    static let othersAsk = notPermitted(
        "requester", "Only the person who asked, or an administrator, can take that back. Say no to it instead.")

    static let tooManyAsks = GateError(
        .resourceExhausted, .limit,
        "\(Limits.openAsks) questions of this person wait for an answer already. Take one back: `gatectl withdraw`.",
        parameters: ["what": "asks", "maximum": "\(Limits.openAsks)"])

    static func tooManyAsksOfDay(retryAfter wait: Duration?) -> GateError {
        GateError(
            .resourceExhausted, .limit,
            "This person has asked \(Limits.asksOfDay) things that wait within a day. Ask again tomorrow.",
            retryAfter: wait, parameters: ["what": "asks-of-day", "maximum": "\(Limits.asksOfDay)"])
    }

    /// A grown-up has made a choice that the policy does not offer for this ask, or that does not suit its details:
    /// only a link has a site.
    static func notOffered(_ choice: AskChoice, for number: UInt64, offered: [AskChoice]) -> GateError {
        let words = offered.map(\.text).joined(separator: ", ")
        return .invalid(
            "choice", "'\(choice.text)' is not offered for question \(number). Choose one of these: \(words).",
            ["choice": choice.text, "choices": words])
    }

    static let tooManyLastingYeses = GateError(
        .resourceExhausted, .limit,
        "\(Limits.lastingYeses) things are allowed to this person for longer than once already. Take one back: `gatectl refuse`, or allow this once.",
        parameters: ["what": "lasting-answers", "maximum": "\(Limits.lastingYeses)"])

    static let tooManyLastingYesesOfDevice = GateError(
        .resourceExhausted, .limit,
        "\(Limits.lastingYesesOfDevice) things are allowed on this device for longer than once already. Take one back: `gatectl refuse`, or allow this once.",
        parameters: ["what": "lasting-answers-of-device", "maximum": "\(Limits.lastingYesesOfDevice)"])

    // MARK: - Limits

    static let tooManyRequests = GateError(
        .resourceExhausted, .limit,
        "This user has \(Limits.openRequests) questions open already. Answer or dismiss one first.",
        parameters: ["what": "questions", "maximum": "\(Limits.openRequests)"])

    static let tooManyOwnPresentations = GateError(
        .resourceExhausted, .limit, "This program shows a question already. Answer or dismiss it first.",
        parameters: ["what": "own-presentations", "maximum": "1"])

    static let tooManyPresenters = GateError(
        .resourceExhausted, .limit,
        "This user has \(Limits.presentersOfOwner) presenters already. End one of them first.",
        parameters: ["what": "presenters", "maximum": "\(Limits.presentersOfOwner)"])

    static let queueIsFull = GateError(
        .resourceExhausted, .limit, "Too many questions wait to be shown. Try again when some are answered.",
        parameters: ["what": "queue"])

    static func restoredJustNow(retryAfter wait: Duration) -> GateError {
        GateError(
            .resourceExhausted, .limit, "Gate has just looked for the purchase. Wait a moment.", retryAfter: wait,
            parameters: ["what": "restores"])
    }

    /// - Parameter wait: the time until the first of the grants expires; `nil`: all of them are still being asked for.
    static func tooManyGrants(retryAfter wait: Duration?) -> GateError {
        GateError(
            .resourceExhausted, .limit,
            "This program has \(Limits.unusedGrants) grants that it has not used. Use them, or wait until they run out.",
            retryAfter: wait, parameters: ["what": "grants", "maximum": "\(Limits.unusedGrants)"])
    }

    static func tooManyGrantsOfUser(retryAfter wait: Duration?) -> GateError {
        GateError(
            .resourceExhausted, .limit,
            "This user has \(Limits.unusedGrantsOfUser) grants that were not used. Use them, or wait until they run out.",
            retryAfter: wait, parameters: ["what": "grants-of-user", "maximum": "\(Limits.unusedGrantsOfUser)"])
    }

    // MARK: - Secrets and the store

    static let nothingSetUp = GateError(
        .failedPrecondition, .notSetUp,
        "Nobody has set up a passcode yet. Ask an administrator to run `gatectl setup`.",
        parameters: ["what": "passcode"])

    static func notSetUp(_ kind: SecretKind) -> GateError {
        let what =
            switch kind {
            case .passcode: "No passcode is set up."
            case .totp: "No authenticator is set up."
            }
        return GateError(
            .failedPrecondition, .notSetUp, "\(what) Ask an administrator to run `gatectl setup`.",
            parameters: ["what": kind.rawValue])
    }

    static let storeDamaged = GateError(
        .unavailable, .storeDamaged, "Gate's data is damaged. Ask an administrator to run `gatectl recover`.")

    static let notDamaged = GateError(
        .failedPrecondition, .notDamaged, "Gate's data is not damaged, so there is nothing to recover.")
}
