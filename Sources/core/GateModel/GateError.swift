/// Why a call failed: a gRPC status code, a reason for programs, and a sentence that tells a person what to do.
public struct GateError: Error, Hashable, Sendable {
    /// The gRPC status codes that Gate uses, with gRPC's numbers.
    public enum Code: Int32, Hashable, Sendable, CaseIterable {
        /// The caller cancelled the call, or a person dismissed the question.
        case cancelled = 1
        /// An error without a code of gRPC's.
        case unknown = 2
        /// The request is wrong in itself.
        case invalidArgument = 3
        /// The call or the question took too long.
        case deadlineExceeded = 4
        /// What the request names does not exist.
        case notFound = 5
        /// What the request would make exists already.
        case alreadyExists = 6
        /// The user is not allowed to do it.
        case permissionDenied = 7
        /// A limit was reached.
        case resourceExhausted = 8
        /// The state of the device does not allow it now.
        case failedPrecondition = 9
        /// The request was given up: the state changed meanwhile, or something that it needs is missing, like a
        /// presenter.
        case aborted = 10
        /// The journal does not reach back that far.
        case outOfRange = 11
        /// This version of Gate can't do it.
        case unimplemented = 12
        /// A bug in Gate.
        case `internal` = 13
        /// The daemon is not running, or can't do it now. Try again later.
        case unavailable = 14
        /// Data was lost for good.
        case dataLoss = 15
        /// The name or the password is wrong.
        case unauthenticated = 16
    }

    /// The reason, which says more than the code. The names are those of `Reason` in common.proto.
    @nonexhaustive
    public enum Reason: Hashable, Sendable, CaseIterable {
        /// There is no reason beyond the code.
        case unspecified
        /// A field of the request is wrong; the parameter "field" names it.
        case invalidRequest
        /// The answer to the question was wrong.
        case wrongAnswer
        /// There were too many wrong or missing answers; `retryAfter` says how long to wait.
        case lockedOut
        /// Another question is open, or an answer is being checked. The parameter "what" says which.
        case verifying
        /// The device has to be in parent mode, or a grown-up has to complete the form.
        case notParent
        /// A person has to be asked, and no presenter can show the question.
        case noPresenter
        /// The person closed the presentation without an answer.
        case dismissed
        /// Nobody answered in time, or the answer or its check took too long.
        case expired
        /// The presentation is no longer open, because it was answered, withdrawn or became unnecessary; or it is no
        /// longer on offer to this presenter.
        case closed
        /// The user lacks a role, or something else that gives the right to do it.
        case notPermitted
        /// This program does not hold the presentation's cookie.
        case wrongCookie
        /// The change could not be written to the disk, so it was undone.
        case storeFailed
        /// The store is damaged. An administrator has to recover it.
        case storeDamaged
        /// The daemon is stopping.
        case stopping
        /// A limit was reached: the user has too many of something, or did it too often.
        case limit
        /// The journal no longer reaches back that far.
        case compacted
        /// The policy does not allow it, or does not define the gated action.
        case denied
        /// A grown-up said no.
        case refused
        /// Something that is needed is not set up or not connected, like a passcode. The parameter "what" says which.
        case notSetUp
        /// The grant does not exist any more, or is for something else.
        case noGrant
        /// The configuration has mistakes.
        case badPolicy
        /// There is no account with this name, or its password is another one.
        case wrongPassword
        /// An earlier password of this user, or for the same change, is still being checked.
        case authenticating
        /// Somebody is signed in already.
        case signedIn
        /// Nobody is signed in.
        case notSignedIn
        /// There is already a person with this name.
        case exists
        /// Something that the request names does not exist. The parameter "what" says what kind of thing.
        case unknown
        /// A person can't close the presentation; it closes when the state changes.
        case notDismissible
        /// What the store has signed failed a check. The parameter "check" names it.
        case badReceipt
        /// Gate has already accepted a newer statement, list or policy than this one, or exactly this one.
        case outdated
        /// The purchase belongs to somebody else.
        case othersPurchase
        /// The account or the draft was changed since the caller read it, or the form has another version by now.
        case changedMeanwhile
        /// The question of the form is disabled, read-only, or below a question that has no answer yet.
        case notAnswerable
        /// The form can't be completed: an answer is missing, or a rule is broken.
        case incomplete
        /// The question of the form does not accept such an answer.
        case badAnswer
        /// A guardian's command failed a check. The parameter "check" names it.
        case badCommand
        /// The protocol defines the request, but this version of Gate can't do it.
        case notBuilt
        /// This program itself ended the call.
        case endedByPeer
        /// Something failed inside gated. Its log says what.
        case failed
        /// The daemon's user is not mapped in this user namespace, so the daemon can't be told from an impostor.
        case unmappedServer
        /// The store is not damaged, so there is nothing to recover from.
        case notDamaged
        /// There were so many wrong answers to a secret that no more are accepted until an administrator clears them.
        /// The parameter "secret" names the secret. Waiting does not help.
        case guessesUsedUp
        /// The question waits for a grown-up's answer, which the same request finds later. The parameter "ask" is the
        /// ask's number, and "ends" says when the ask ends by itself, in milliseconds of Unix time.
        case asked
        /// A schedule of the policy is closed now, or the time of an allowance is used up. The parameter "schedule" or
        /// "allowance" names it; "opens" says when it opens, in milliseconds since 1970, and "day" and "time" the same
        /// in the device's time zone. If it does not open within two weeks, these three are missing. "more-time" has the
        /// amounts of more time that the person can ask for before the gated action "gated-action", with spaces between
        /// them; if they can't, these two are missing.
        /// If time was used on other devices of the household that day, "elsewhere" is how much, in milliseconds, and
        /// "devices" has their names.
        case outOfHours
    }

    /// The gRPC status code.
    public var code: Code
    /// The reason, which says more than the code.
    public var reason: Reason
    /// A sentence for a person: what is wrong, and what to do. gated writes it in English. Never contains a secret.
    public var message: String
    /// How long to wait until trying again can help; `nil` if waiting does not help.
    public var retryAfter: Duration?
    /// The values that the message names, so that a program can write its own message: "maximum" is "16". Numbers are
    /// in decimal digits, times in milliseconds. docs/wire.md lists the names for each reason.
    public var parameters: [String: String]
    /// The mistakes in an answer, a form or a policy, if the error is about one of these. At most 20 are listed; the
    /// parameter "count" says how many there are.
    public var issues: [ErrorIssue]
    /// Whether the message is in the person's language already, because the program at the screen wrote it.
    package var isLocalized = false

    /// The most issues that an error lists.
    package static let toldIssues = 20

    public init(
        _ code: Code, _ reason: Reason = .unspecified, _ message: String, retryAfter: Duration? = nil,
        parameters: [String: String] = [:], issues: [ErrorIssue] = []
    ) {
        self.code = code
        self.reason = reason
        self.message = message
        self.retryAfter = retryAfter
        self.parameters = parameters
        self.issues = issues
    }

    /// Refuses something that has the mistakes `all`, of which there must be at least one. The first `toldIssues` are
    /// listed, and the parameter "count" says how many there are.
    package init(_ code: Code, _ reason: Reason, _ message: String, all: [ErrorIssue]) {
        self.init(
            code, reason, message, parameters: ["count": "\(all.count)"], issues: Array(all.prefix(Self.toldIssues)))
    }

    /// An error of the program at the screen. `message` is in the person's language.
    package init(_ code: Code, _ reason: Reason = .unspecified, saying message: String) {
        self.init(code, reason, message)
        isLocalized = true
    }

    /// Refuses a request because of one of its fields.
    ///
    /// - Parameters:
    ///   - field: the path of the field in the request, like "account.name"; empty for the request as a whole.
    ///   - message: what is wrong, and what to do.
    ///   - parameters: the values that the message names.
    package static func invalid(
        _ field: String, _ message: String, _ parameters: [String: String] = [:]
    ) -> GateError {
        GateError(
            .invalidArgument, .invalidRequest, message,
            parameters: parameters.merging(["field": field]) { _, field in field })
    }
}

extension GateError.Reason {
    /// The parameters that every refusal by gated with this reason has. A refusal may have more.
    package var parameterNames: [String] {
        switch self {
        case .verifying, .noPresenter, .closed, .notPermitted, .limit, .notSetUp, .unknown, .outdated, .othersPurchase,
            .changedMeanwhile:
            ["what"]
        case .notAnswerable: ["item", "what"]
        case .signedIn, .exists: ["account"]
        case .notDismissible: ["presentation"]
        case .compacted: ["oldest"]
        case .badPolicy, .badAnswer, .incomplete: ["count"]
        case .badReceipt, .badCommand: ["check"]
        case .notBuilt: ["capability"]
        case .invalidRequest: ["field"]
        case .guessesUsedUp: ["secret"]
        case .asked: ["ask", "ends"]
        case .unspecified, .wrongAnswer, .lockedOut, .notParent, .dismissed, .expired, .wrongCookie,
            .storeFailed, .storeDamaged, .stopping, .denied, .refused, .noGrant, .wrongPassword, .authenticating,
            .notSignedIn, .endedByPeer, .failed, .unmappedServer, .notDamaged, .outOfHours:
            []
        }
    }
}

extension GateError.Reason {
    /// The values that the parameter "what" can have with this reason. Empty if there is no such parameter.
    package var subjects: [String] {
        switch self {
        case .verifying: ["answer", "own-question", "others-question", "other-duration", "other-screen"]
        case .noPresenter: ["question", "grown-up", "sign-in", "paywall", "form", "whats-new"]
        case .closed:
            [
                "question", "offer", "put-away", "mode-changed", "account-removed", "registered-again", "restored",
                "collected-elsewhere",
            ]
        case .notPermitted:
            [
                "administrator", "presenter", "presenter-of-this", "provider", "grown-up", "grown-up-presenter",
                "requester", "redeemer",
                "app", "broker",
                "daemon", "grown-ups-account", "app-forms", "household", "guardian", "household-grant", "answer-grant",
                "change-grant",
                "home-assistant",
            ]
        case .notSetUp:
            [
                "passcode", "totp", "storekit", "revenuecat", "processes", "household", "broker", "household-policy",
                "household-receipts", "provider", "person", "more-time",
            ]
        case .unknown:
            [
                "account", "ask", "backup", "claim", "command", "completed-response", "customer", "device", "document",
                "draft", "draft-number", "draft-unnamed",
                "entitlement",
                "form",
                "gate-choice", "gated-action", "item", "item-of-provider", "part", "presentation", "process",
                "release-notes",
                "request",
                "response",
                "response-to-form", "restore", "shown-form", "subscription", "transaction", "upload",
            ]
        case .limit:
            [
                "accounts", "age-apps", "answer-bytes", "app-forms", "apps-with-notes", "asks", "asks-of-day",
                "backup-bytes",
                "backups", "claims",
                "claims-of-customer", "commands-to-carry",
                "commands-waiting",
                "conditions", "connections", "connections-of-device", "document-bytes", "documents",
                "documents-of-connection", "downloads", "drafts", "drafts-of-holder", "forms-at-work", "gate-changes",
                "gate-change-words", "gate-choice-bytes", "gate-choices", "grants",
                "grants-of-user", "household-calls", "household-devices", "interruptions", "items",
                "lasting-answers", "lasting-answers-of-device", "look-ups",
                "offers", "own-presentations", "part-bytes",
                "parts",
                "parts-of-holder", "passwords", "pattern", "pending-suggestions", "piece-bytes", "presenters",
                "questions", "queue", "receipts", "repeated-items", "response-bytes", "responses",
                "responses-of-holder", "backup-restores", "restores", "streams", "streams-of-connection",
                "counted-things", "unconfirmed-accounts", "uses",
            ]
        case .changedMeanwhile: ["account", "form"]
        case .notAnswerable: ["not-enabled", "read-only", "parent-missing"]
        case .outdated: ["statement", "notification", "household-list", "household-policy"]
        case .othersPurchase: ["claimed", "bound"]
        case .unspecified, .invalidRequest, .wrongAnswer, .lockedOut, .notParent, .dismissed, .expired, .wrongCookie,
            .storeFailed, .storeDamaged, .stopping, .compacted, .denied, .refused, .noGrant, .badPolicy, .wrongPassword,
            .authenticating, .signedIn, .notSignedIn, .exists, .notDismissible, .badReceipt, .incomplete, .badAnswer,
            .badCommand, .notBuilt, .endedByPeer, .failed, .unmappedServer, .notDamaged, .guessesUsedUp,
            .asked, .outOfHours:
            []
        }
    }
}

extension GateError: CustomStringConvertible {
    public var description: String { message }
}
