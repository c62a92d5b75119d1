/// Why a command failed: a gRPC status code, a reason for programs, and a sentence for people that says what to do.
public struct GateError: Error, Hashable, Sendable {
    /// The gRPC status codes that Gate uses, with gRPC's numbers.
    public enum Code: Int32, Hashable, Sendable, CaseIterable {
        case cancelled = 1
        case unknown = 2
        case invalidArgument = 3
        case deadlineExceeded = 4
        case notFound = 5
        case alreadyExists = 6
        case permissionDenied = 7
        case resourceExhausted = 8
        case failedPrecondition = 9
        case aborted = 10
        case outOfRange = 11
        case unimplemented = 12
        case `internal` = 13
        case unavailable = 14
        case dataLoss = 15
        case unauthenticated = 16
    }

    /// The reason, more finely than the code. The names are those of `Reason` in common.proto.
    public enum Reason: Hashable, Sendable, CaseIterable {
        case unspecified
        case invalidRequest
        case wrongAnswer
        case lockedOut
        case verifying
        case notParent
        case noPresenter
        case dismissed
        case expired
        case closed
        case notPermitted
        case wrongCookie
        case storeFailed
        case storeDamaged
        case stopping
        case limit
        case compacted
        case denied
        case refused
        case notSetUp
        case noGrant
        case badPolicy
        case wrongPassword
        case authenticating
        case signedIn
        case notSignedIn
        case exists
        case unknown
        case notDismissible
        case badReceipt
        case outdated
        case othersPurchase
        case changedMeanwhile
        case notAnswerable
        case incomplete
        case badAnswer
        case badCommand
        case notBuilt
        case endedByPeer
        case failed
        case unmappedServer
        case notDamaged
    }

    public var code: Code
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

    /// How many issues are told.
    public static let toldIssues = 20

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

    /// - Parameter all: at least one; the first of them are told.
    public init(_ code: Code, _ reason: Reason, _ message: String, all: [ErrorIssue]) {
        self.init(
            code, reason, message, parameters: ["count": "\(all.count)"], issues: Array(all.prefix(Self.toldIssues)))
    }
}

extension GateError.Reason {
    /// The parameters that every refusal by gated with this reason has. Some have more.
    public var parameterNames: [String] {
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
        case .unspecified, .invalidRequest, .wrongAnswer, .lockedOut, .notParent, .dismissed, .expired, .wrongCookie,
            .storeFailed, .storeDamaged, .stopping, .denied, .refused, .noGrant, .wrongPassword, .authenticating,
            .notSignedIn, .endedByPeer, .failed, .unmappedServer, .notDamaged:
            []
        }
    }
}

extension GateError: CustomStringConvertible {
    public var description: String { message }
}
