import CGateProtocol
package import GateModel

// common.proto: ErrorDetail

extension GateError {
    /// The type of the detail that Gate puts into `Status.details`.
    package static let detailTypeURL = "type.googleapis.com/gate.v1.ErrorDetail"

    package var detailBytes: [UInt8] {
        ErrorDetail(self).encoded()
    }

    /// Details of other types, and one that can't be decoded, are skipped; code and message still hold then. The code
    /// is gRPC's; one that Gate does not use becomes `unknown`.
    package init(code: Int32, message: String, details: [(typeURL: String, value: [UInt8])]) {
        self.init(Code(rawValue: code) ?? .unknown, .unspecified, message)
        for detail in details where detail.typeURL == Self.detailTypeURL {
            guard let decoded = try? ErrorDetail(decoding: detail.value) else { continue }
            self = decoded.error(message, code: self.code)
            return
        }
    }
}

/// All of a refusal but its sentence: the part that programs act on.
package struct ErrorDetail: MappedMessage {
    /// `unknown` if the code is missing, or Gate does not use it.
    package var code: GateError.Code
    package var reason: GateError.Reason
    /// `nil` if waiting does not help.
    package var retryAfter: Duration?
    package var parameters: [String: String]
    package var issues: [ErrorIssue]

    package init(_ error: GateError) {
        code = error.code
        reason = error.reason
        retryAfter = error.retryAfter
        parameters = error.parameters
        issues = error.issues
    }

    /// `code` is that of the status; `nil`: the code of this detail.
    func error(_ message: String, code: GateError.Code? = nil) -> GateError {
        GateError(
            code ?? self.code, reason, message, retryAfter: retryAfter, parameters: parameters, issues: issues)
    }

    init(reading message: Gate__V1__ErrorDetail) {
        code = GateError.Code(rawValue: message.code) ?? .unknown
        reason = GateError.Reason(wire: message.reason) ?? .unspecified
        // Gate never sends a negative wait. From another server it reads as none.
        retryAfter = OptionalMilliseconds.duration(max(message.retry_after_milliseconds, 0))
        parameters = [String: String](reading: message.parameters, count: message.n_parameters)
        issues = UnsafeBufferPointer(start: message.issues, count: message.n_issues)
            .compactMap { $0.map { ErrorIssue(reading: $0.pointee) } }
    }

    func write(to message: inout Gate__V1__ErrorDetail, in arena: inout MessageArena) {
        message.code = code.rawValue
        message.reason = reason.wire
        message.retry_after_milliseconds = max(retryAfter?.wireMilliseconds ?? 0, 0)
        (message.parameters, message.n_parameters) = arena.messages(parameters.wire)
        (message.issues, message.n_issues) = arena.messages(issues)
    }
}

struct Parameter: MessageMapping {
    let name: String
    let value: String

    init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    init(reading message: Gate__V1__Parameter) {
        self.init(name: String(reading: message.name), value: String(reading: message.value))
    }

    func write(to message: inout Gate__V1__Parameter, in arena: inout MessageArena) {
        message.name = arena.string(name)
        message.value = arena.string(value)
    }
}

extension [String: String] {
    init(reading list: UnsafeMutablePointer<UnsafeMutablePointer<Gate__V1__Parameter>?>?, count: Int) {
        let read = UnsafeBufferPointer(start: list, count: count)
            .compactMap { $0.map { Parameter(reading: $0.pointee) } }
        self.init(read.map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
    }

    var wire: [Parameter] {
        sorted { $0.key < $1.key }.map { Parameter(name: $0.key, value: $0.value) }
    }
}

extension GateError.Reason: EnumMapping {
    var wire: Gate__V1__Reason {
        switch self {
        case .unspecified: GATE__V1__REASON__REASON_UNSPECIFIED
        case .invalidRequest: GATE__V1__REASON__REASON_INVALID_REQUEST
        case .wrongAnswer: GATE__V1__REASON__REASON_WRONG_ANSWER
        case .lockedOut: GATE__V1__REASON__REASON_LOCKED_OUT
        case .verifying: GATE__V1__REASON__REASON_VERIFYING
        case .notParent: GATE__V1__REASON__REASON_NOT_PARENT
        case .noPresenter: GATE__V1__REASON__REASON_NO_PRESENTER
        case .dismissed: GATE__V1__REASON__REASON_DISMISSED
        case .expired: GATE__V1__REASON__REASON_EXPIRED
        case .closed: GATE__V1__REASON__REASON_CLOSED
        case .notPermitted: GATE__V1__REASON__REASON_NOT_PERMITTED
        case .wrongCookie: GATE__V1__REASON__REASON_WRONG_COOKIE
        case .storeFailed: GATE__V1__REASON__REASON_STORE_FAILED
        case .storeDamaged: GATE__V1__REASON__REASON_STORE_DAMAGED
        case .stopping: GATE__V1__REASON__REASON_STOPPING
        case .limit: GATE__V1__REASON__REASON_LIMIT
        case .compacted: GATE__V1__REASON__REASON_COMPACTED
        case .denied: GATE__V1__REASON__REASON_DENIED
        case .refused: GATE__V1__REASON__REASON_REFUSED
        case .notSetUp: GATE__V1__REASON__REASON_NOT_SET_UP
        case .noGrant: GATE__V1__REASON__REASON_NO_GRANT
        case .badPolicy: GATE__V1__REASON__REASON_BAD_POLICY
        case .wrongPassword: GATE__V1__REASON__REASON_WRONG_PASSWORD
        case .authenticating: GATE__V1__REASON__REASON_AUTHENTICATING
        case .signedIn: GATE__V1__REASON__REASON_SIGNED_IN
        case .notSignedIn: GATE__V1__REASON__REASON_NOT_SIGNED_IN
        case .exists: GATE__V1__REASON__REASON_EXISTS
        case .unknown: GATE__V1__REASON__REASON_UNKNOWN
        case .notDismissible: GATE__V1__REASON__REASON_NOT_DISMISSIBLE
        case .badReceipt: GATE__V1__REASON__REASON_BAD_RECEIPT
        case .outdated: GATE__V1__REASON__REASON_OUTDATED
        case .othersPurchase: GATE__V1__REASON__REASON_OTHERS_PURCHASE
        case .changedMeanwhile: GATE__V1__REASON__REASON_CHANGED_MEANWHILE
        case .notAnswerable: GATE__V1__REASON__REASON_NOT_ANSWERABLE
        case .incomplete: GATE__V1__REASON__REASON_INCOMPLETE
        case .badAnswer: GATE__V1__REASON__REASON_BAD_ANSWER
        case .badCommand: GATE__V1__REASON__REASON_BAD_COMMAND
        case .notBuilt: GATE__V1__REASON__REASON_NOT_BUILT
        case .endedByPeer: GATE__V1__REASON__REASON_ENDED_BY_PEER
        case .failed: GATE__V1__REASON__REASON_FAILED
        case .unmappedServer: GATE__V1__REASON__REASON_UNMAPPED_SERVER
        case .notDamaged: GATE__V1__REASON__REASON_NOT_DAMAGED
        case .guessesUsedUp: GATE__V1__REASON__REASON_GUESSES_USED_UP
        case .asked: GATE__V1__REASON__REASON_ASKED
        case .outOfHours: GATE__V1__REASON__REASON_OUT_OF_HOURS
        }
    }
}
