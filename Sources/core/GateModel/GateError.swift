/// Why a command failed: a gRPC status code, a reason for programs, and a sentence for people that says what to do.
public struct GateError: Error, Hashable, Sendable {
    /// The gRPC status codes that Gate uses, with gRPC's numbers.
    public enum Code: Int32, Hashable, Sendable, CaseIterable {
        /// The caller took the call back, or a person dismissed what it was about.
        case cancelled = 1
        /// An error that names no code of gRPC's.
        case unknown = 2
        /// The request itself is wrong.
        case invalidArgument = 3
        /// It took longer than it may.
        case deadlineExceeded = 4
        /// There is no such thing.
        case notFound = 5
        /// There is such a thing already.
        case alreadyExists = 6
        /// The user may not do that.
        case permissionDenied = 7
        /// A limit was reached.
        case resourceExhausted = 8
        /// The state of the device does not allow it.
        case failedPrecondition = 9
        /// The state changed meanwhile.
        case aborted = 10
        /// The journal does not reach back so far.
        case outOfRange = 11
        /// This version does not know how.
        case unimplemented = 12
        /// A mistake of Gate's own.
        case `internal` = 13
        /// The daemon is not there, or can't do it now.
        case unavailable = 14
        /// Data was lost for good.
        case dataLoss = 15
        /// The name or the password is wrong.
        case unauthenticated = 16
    }

    /// The reason, more finely than the code. The names are those of `Reason` in common.proto.
    @nonexhaustive
    public enum Reason: Hashable, Sendable, CaseIterable {
        /// No finer reason is known; the code says all.
        case unspecified
        /// A field of the request is wrong; the parameter "field" names it.
        case invalidRequest
        /// The answer to the question was wrong.
        case wrongAnswer
        /// Too many answers were wrong or did not come; `retryAfter` says how long to wait.
        case lockedOut
        /// A question for parent mode is open already.
        case verifying
        /// It takes parent mode.
        case notParent
        /// A person is needed, and there is nobody to show them the question.
        case noPresenter
        /// The person closed it without an answer.
        case dismissed
        /// Nobody answered in time.
        case expired
        /// It is no longer open: it was answered, withdrawn, or became unnecessary.
        case closed
        /// The user lacks the role for it.
        case notPermitted
        /// This program does not hold the cookie.
        case wrongCookie
        /// The change could not be written to the disk, and was taken back.
        case storeFailed
        /// The store is damaged; an administrator recovers it.
        case storeDamaged
        /// The daemon is stopping.
        case stopping
        /// The user has too much of it under way, or did it too often.
        case limit
        /// The journal no longer reaches back so far.
        case compacted
        /// The policy does not allow it, or does not name the gated action.
        case denied
        /// A grown-up said no.
        case refused
        /// No passcode and no authenticator is set up yet.
        case notSetUp
        /// There is no such grant any more, or it is for something else.
        case noGrant
        /// The configuration has mistakes.
        case badPolicy
        /// There is no such account, or the password is another one.
        case wrongPassword
        /// Somebody's password is being checked.
        case authenticating
        /// Somebody is signed in already.
        case signedIn
        /// Nobody is signed in.
        case notSignedIn
        /// There is one of that name already.
        case exists
        /// There is none of that name.
        case unknown
        /// Only the state closes it.
        case notDismissible
        /// A check of what the store has signed failed.
        case badReceipt
        /// Something newer was said already, or the same.
        case outdated
        /// It belongs to somebody else.
        case othersPurchase
        /// Somebody else has changed it since it was read.
        case changedMeanwhile
        /// The question is disabled, read-only, or lacks one that comes before it.
        case notAnswerable
        /// Something that is required is missing.
        case incomplete
        /// The question does not take such an answer.
        case badAnswer
        /// A command of a guardian failed a check; the parameter `check` says which.
        case badCommand
        /// The wire knows it, and this version does not do it.
        case notBuilt
        /// This program ended the call itself.
        case endedByPeer
        /// Something failed in gated itself; its log says what.
        case failed
        /// The daemon's user is not known in this user namespace, so nobody can tell who it is.
        case unmappedServer
        /// There is no damaged store to recover from.
        case notDamaged
        /// There were so many wrong answers to a secret that no more are taken until an administrator clears them. The parameter
        /// "secret" says which secret; waiting does not help.
        case guessesUsedUp
    }

    /// The gRPC status code.
    public var code: Code
    /// The reason, more finely than the code.
    public var reason: Reason
    /// For a person: what is wrong, and what to do. Holds no secret.
    public var message: String
    /// How long to wait before trying again can help; `nil` where waiting does not help.
    public var retryAfter: Duration?
    /// The values that the message names, for a program that says it in other words: "maximum" → "16". Numbers in decimal digits, times in
    /// milliseconds. docs/wire.md lists the names for each reason.
    public var parameters: [String: String]
    /// All that is wrong, one by one, where a refusal is about an answer, a form or the policy. At most 20; the parameter "count"
    /// says how many there are.
    public var issues: [ErrorIssue]
    /// Whether the message is in the language of the person already, since the program at the screen wrote it itself.
    package var isLocalized = false

    /// How many issues are told.
    package static let toldIssues = 20

    /// Makes an error of these values.
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

    /// Makes a refusal of what has mistakes: the first of `all` are told, and how many there are. There is at least one.
    package init(_ code: Code, _ reason: Reason, _ message: String, all: [ErrorIssue]) {
        self.init(
            code, reason, message, parameters: ["count": "\(all.count)"], issues: Array(all.prefix(Self.toldIssues)))
    }

    /// An error of the program at the screen, said in the language of the person.
    package init(_ code: Code, _ reason: Reason = .unspecified, saying message: String) {
        self.init(code, reason, message)
        isLocalized = true
    }

    /// Refuses a request because of one of its fields.
    ///
    /// - Parameters:
    ///   - field: its path in the request, like "account.name"; empty: the request as a whole.
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
    /// The parameters that every refusal by gated with this reason has. Some have more.
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
        case .unspecified, .wrongAnswer, .lockedOut, .notParent, .dismissed, .expired, .wrongCookie,
            .storeFailed, .storeDamaged, .stopping, .denied, .refused, .noGrant, .wrongPassword, .authenticating,
            .notSignedIn, .endedByPeer, .failed, .unmappedServer, .notDamaged:
            []
        }
    }
}

extension GateError.Reason {
    /// The values that the parameter "what" has with this reason. Empty: there is no such parameter.
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
                "administrator", "presenter", "presenter-of-this", "provider", "grown-up", "requester", "redeemer",
                "app", "broker",
                "daemon", "grown-ups-account", "app-forms", "household", "guardian", "household-grant", "answer-grant",
                "home-assistant",
            ]
        case .notSetUp:
            [
                "passcode", "totp", "storekit", "revenuecat", "processes", "household", "broker", "household-policy",
                "household-receipts", "provider",
            ]
        case .unknown:
            [
                "account", "backup", "claim", "command", "completed-response", "customer", "device", "document",
                "draft", "draft-number", "draft-unnamed",
                "entitlement",
                "form",
                "gated-action", "item", "item-of-provider", "part", "presentation", "process", "release-notes",
                "request",
                "response",
                "response-to-form", "restore", "shown-form", "subscription", "transaction", "upload",
            ]
        case .limit:
            [
                "accounts", "answer-bytes", "app-forms", "apps-with-notes", "backup-bytes", "backups", "claims",
                "claims-of-customer", "commands-to-carry",
                "commands-waiting",
                "conditions", "connections", "connections-of-device", "document-bytes", "documents",
                "documents-of-connection", "downloads", "drafts", "drafts-of-holder", "forms-at-work", "grants",
                "grants-of-user", "household-calls", "household-devices", "interruptions", "items", "look-ups",
                "offers", "own-presentations", "part-bytes",
                "parts",
                "parts-of-holder", "passwords", "pattern", "pending-suggestions", "piece-bytes", "presenters",
                "questions", "queue", "receipts", "repeated-items", "response-bytes", "responses",
                "responses-of-holder", "backup-restores", "restores", "streams", "streams-of-connection",
                "unconfirmed-accounts",
            ]
        case .changedMeanwhile: ["account", "form"]
        case .notAnswerable: ["not-enabled", "read-only", "parent-missing"]
        case .outdated: ["statement", "notification", "household-list", "household-policy"]
        case .othersPurchase: ["claimed", "bound"]
        case .unspecified, .invalidRequest, .wrongAnswer, .lockedOut, .notParent, .dismissed, .expired, .wrongCookie,
            .storeFailed, .storeDamaged, .stopping, .compacted, .denied, .refused, .noGrant, .badPolicy, .wrongPassword,
            .authenticating, .signedIn, .notSignedIn, .exists, .notDismissible, .badReceipt, .incomplete, .badAnswer,
            .badCommand, .notBuilt, .endedByPeer, .failed, .unmappedServer, .notDamaged, .guessesUsedUp:
            []
        }
    }
}

extension GateError: CustomStringConvertible {
    public var description: String { message }
}
