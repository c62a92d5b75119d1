package import CGateProtocol
package import GateModel

// authorization.proto and grants.proto: check, authorize, redeem, and kept grants

extension Methods {
    package enum Authorization {
        package static let check = Method<CheckRequest, CheckResponse>(service, "Check")
        package static let authorize = Method<AuthorizeRequest, AuthorizeResponse>(service, "Authorize")
        package static let redeem = Method<RedeemRequest, RedeemResponse>(service, "Redeem")
        package static let listGrants = Method<ListGrantsRequest, ListGrantsResponse>(service, "ListGrants")
        package static let revoke = Method<RevokeRequest, RevokeResponse>(service, "Revoke")
        static let service = "gate.v1.Authorization"
    }
}

package struct CheckRequest: MappedMessage {
    package var gatedAction: String
    /// The process for which a broker asks; `nil` if the requester asks for itself.
    package var subject: Subject?
    package var details: String

    package init(gatedAction: String, subject: Subject? = nil, details: String = "") {
        self.gatedAction = gatedAction
        self.subject = subject
        self.details = details
    }

    init(reading message: Gate__V1__CheckRequest) {
        self.init(
            gatedAction: String(reading: message.gated_action),
            subject: message.subject.map { Subject(reading: $0.pointee) }, details: String(reading: message.details))
    }

    func write(to message: inout Gate__V1__CheckRequest, in arena: inout MessageArena) {
        message.gated_action = arena.string(gatedAction)
        message.subject = arena.message(optional: subject)
        message.details = arena.string(details)
    }
}

package struct CheckResponse: MappedMessage {
    package var revision: Revision
    /// How `Authorize` would go now. The explanation travels once, and is also the message of the refusal.
    package var outlook: AuthorizationOutlook

    package init(revision: Revision, outlook: AuthorizationOutlook) {
        self.revision = revision
        self.outlook = outlook
    }

    init(reading message: Gate__V1__CheckResponse) {
        let explanation = String(reading: message.explanation)
        let refusal = message.refusal.map { ErrorDetail(reading: $0.pointee).error(explanation) }
        self.init(
            revision: Revision(reading: message.revision),
            outlook: AuthorizationOutlook(
                AuthorizationOutlook.Outcome(wire: message.outcome, else: .denied),
                need: message.need.map { AuthorizationNeed(reading: $0.pointee) }, refusal: refusal,
                explanation: explanation))
    }

    func write(to message: inout Gate__V1__CheckResponse, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        message.outcome = outlook.outcome.wire
        message.explanation = arena.string(outlook.explanation)
        if let need = outlook.need { message.need = arena.message(need) }
        if let refusal = outlook.refusal { message.refusal = arena.message(ErrorDetail(refusal)) }
    }
}

extension AuthorizationNeed: MessageMapping {
    init(reading message: Gate__V1__Need) {
        let name = String(reading: message.name)
        let title = LocalizedText(reading: message.title, message.titles, count: message.n_titles)
        switch message.kind {
        case GATE__V1__NEED__KIND__KIND_PARENT_MODE: self = .parentMode
        case GATE__V1__NEED__KIND__KIND_CHALLENGE:
            guard case .challenge(let kind)? = Presentation.Kind(wire: message.challenge) else {
                self = .unrecognized
                return
            }
            self = .challenge(kind)
        case GATE__V1__NEED__KIND__KIND_SIGN_IN: self = .signIn
        case GATE__V1__NEED__KIND__KIND_ENTITLEMENT:
            self = .entitlement(Payment(entitlement: name, title: title))
        case GATE__V1__NEED__KIND__KIND_FORM: self = .form(Form(name: name, title: title))
        case GATE__V1__NEED__KIND__KIND_WAIT: self = .wait
        default: self = .unrecognized
        }
    }

    func write(to message: inout Gate__V1__Need, in arena: inout MessageArena) {
        switch self {
        case .parentMode:
            message.kind = GATE__V1__NEED__KIND__KIND_PARENT_MODE
        case .challenge(let kind):
            message.kind = GATE__V1__NEED__KIND__KIND_CHALLENGE
            message.challenge = Presentation.Kind.challenge(kind).wire
        case .signIn:
            message.kind = GATE__V1__NEED__KIND__KIND_SIGN_IN
        case .entitlement(let payment):
            message.kind = GATE__V1__NEED__KIND__KIND_ENTITLEMENT
            message.name = arena.string(payment.entitlement)
            (message.title, message.titles, message.n_titles) = arena.texts(payment.titles)
        case .form(let form):
            message.kind = GATE__V1__NEED__KIND__KIND_FORM
            message.name = arena.string(form.name)
            (message.title, message.titles, message.n_titles) = arena.texts(form.titles)
        case .wait:
            message.kind = GATE__V1__NEED__KIND__KIND_WAIT
        case .unrecognized:
            message.kind = GATE__V1__NEED__KIND__KIND_UNSPECIFIED
        }
    }
}

extension AuthorizationOutlook.Outcome: EnumMapping {
    var wire: Gate__V1__CheckResponse__Outcome {
        switch self {
        case .granted: GATE__V1__CHECK_RESPONSE__OUTCOME__OUTCOME_GRANTED
        case .personNeeded: GATE__V1__CHECK_RESPONSE__OUTCOME__OUTCOME_PERSON_NEEDED
        case .denied: GATE__V1__CHECK_RESPONSE__OUTCOME__OUTCOME_DENIED
        }
    }
}

package struct AuthorizeRequest: MappedMessage {
    package var request: AuthorizationRequest
    package var presenting: Presenting

    package init(request: AuthorizationRequest, presenting: Presenting) {
        self.request = request
        self.presenting = presenting
    }

    init(reading message: Gate__V1__AuthorizeRequest) throws(GateError) {
        self.init(
            request: AuthorizationRequest(
                gatedAction: String(reading: message.gated_action), details: String(reading: message.details),
                subject: message.subject.map { Subject(reading: $0.pointee) }),
            presenting: try Presenting(message.presenting, message.presents_itself))
        request.mayWait = message.may_wait != 0
        request.atOnce = message.at_once != 0
        if let redeemer = message.redeemer {
            request.redeemer = WireUser(reading: redeemer.pointee).uid
        }
    }

    func write(to message: inout Gate__V1__AuthorizeRequest, in arena: inout MessageArena) {
        message.gated_action = arena.string(request.gatedAction)
        message.details = arena.string(request.details)
        (message.presenting, message.presents_itself) = presenting.fields
        if let redeemer = request.redeemer {
            message.redeemer = arena.message(WireUser(redeemer))
        }
        if let subject = request.subject { message.subject = arena.message(subject) }
        message.may_wait = request.mayWait ? 1 : 0
        message.at_once = request.atOnce ? 1 : 0
    }
}

package struct AuthorizeResponse: MappedMessage {
    package enum Result: Hashable, Sendable {
        case grant(Grant)
        /// What to show, for a requester that shows presentations itself.
        case presentation(Presentation)
    }

    package var revision: Revision
    package var result: Result

    package init(revision: Revision, result: Result) {
        self.revision = revision
        self.result = result
    }

    init(reading message: Gate__V1__AuthorizeResponse) throws(GateError) {
        self.init(revision: Revision(reading: message.revision), result: try Self.result(of: message))
    }

    private static func result(of message: Gate__V1__AuthorizeResponse) throws(GateError) -> Result {
        if message.result_case == GATE__V1__AUTHORIZE_RESPONSE__RESULT_GRANT, let grant = message.grant {
            return .grant(Grant(reading: grant.pointee))
        }
        if message.result_case == GATE__V1__AUTHORIZE_RESPONSE__RESULT_PRESENTATION,
            let presentation = message.presentation
        {
            return .presentation(try Presentation(reading: presentation.pointee))
        }
        throw .wrong("gate.v1.AuthorizeResponse", "holds no result that this version knows")
    }

    func write(to message: inout Gate__V1__AuthorizeResponse, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        switch result {
        case .grant(let grant):
            message.result_case = GATE__V1__AUTHORIZE_RESPONSE__RESULT_GRANT
            message.grant = arena.message(grant)
        case .presentation(let presentation):
            message.result_case = GATE__V1__AUTHORIZE_RESPONSE__RESULT_PRESENTATION
            message.presentation = arena.message(presentation)
        }
    }
}

package struct RedeemRequest: MappedMessage {
    package var proof: Grant.Proof
    package var gatedAction: String
    package var details: String

    package init(proof: Grant.Proof, gatedAction: String, details: String) {
        self.proof = proof
        self.gatedAction = gatedAction
        self.details = details
    }

    init(reading message: Gate__V1__RedeemRequest) {
        self.init(
            proof: Grant.Proof(reading: message.proof), gatedAction: String(reading: message.gated_action),
            details: String(reading: message.details))
    }

    func write(to message: inout Gate__V1__RedeemRequest, in arena: inout MessageArena) {
        message.proof = arena.bytes(proof.bytes)
        message.gated_action = arena.string(gatedAction)
        message.details = arena.string(details)
    }
}

package struct RedeemResponse: MappedMessage {
    package var revision: Revision
    package var requesterUID: UInt32
    package var requesterPID: Int32

    package init(revision: Revision, requesterUID: UInt32, requesterPID: Int32) {
        self.revision = revision
        self.requesterUID = requesterUID
        self.requesterPID = requesterPID
    }

    init(reading message: Gate__V1__RedeemResponse) {
        self.init(
            revision: Revision(reading: message.revision), requesterUID: message.requester_uid,
            requesterPID: message.requester_pid)
    }

    func write(to message: inout Gate__V1__RedeemResponse, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        message.requester_uid = requesterUID
        message.requester_pid = requesterPID
    }
}

// MARK: - Grants

extension Grant: MessageMapping {
    init(reading message: Gate__V1__Grant) {
        self.init(
            id: message.id, proof: Proof(reading: message.proof), gatedAction: String(reading: message.gated_action),
            details: String(reading: message.details),
            deadline: BootTime(nanoseconds: message.deadline_boottime_nanoseconds))
    }

    func write(to message: inout Gate__V1__Grant, in arena: inout MessageArena) {
        message.id = id
        message.proof = arena.bytes(proof.bytes)
        message.gated_action = arena.string(gatedAction)
        message.details = arena.string(details)
        message.deadline_boottime_nanoseconds = deadline.nanoseconds
    }
}

extension Grant.Proof {
    init(reading bytes: ProtobufCBinaryData) {
        self.init(bytes: [UInt8](reading: bytes))
    }
}

// MARK: Kept grants

package typealias ListGrantsRequest = PageRequest<Gate__V1__ListGrantsRequest>
extension Gate__V1__ListGrantsRequest: CPageRequest {}

/// Sorted by user, then by name.
package typealias ListGrantsResponse = PageReply<KeptGrantSummary, Gate__V1__ListGrantsResponse>

extension Gate__V1__ListGrantsResponse: CPageReply {
    package var elements: CList<Gate__V1__KeptGrant> {
        get { (grants, n_grants) }
        set { (grants, n_grants) = newValue }
    }
}

extension KeptGrantSummary: MessageMapping {
    init(reading message: Gate__V1__KeptGrant) {
        self.init(
            uid: message.uid, gatedAction: String(reading: message.gated_action),
            deadline: BootTime(nanoseconds: message.deadline_boottime_nanoseconds))
    }

    func write(to message: inout Gate__V1__KeptGrant, in arena: inout MessageArena) {
        message.uid = uid
        message.gated_action = arena.string(gatedAction)
        message.deadline_boottime_nanoseconds = deadline.nanoseconds
    }
}

package struct RevokeRequest: MappedMessage {
    /// The user whose grants are revoked; `nil`: the user who calls.
    package var uid: UInt32?
    /// Empty: every gated action.
    package var gatedAction: String

    package init(uid: UInt32?, gatedAction: String) {
        self.uid = uid
        self.gatedAction = gatedAction
    }

    init(reading message: Gate__V1__RevokeRequest) {
        self.init(uid: nil, gatedAction: String(reading: message.gated_action))
        if let user = message.user {
            uid = WireUser(reading: user.pointee).uid
        }
    }

    func write(to message: inout Gate__V1__RevokeRequest, in arena: inout MessageArena) {
        if let uid {
            message.user = arena.message(WireUser(uid))
        }
        message.gated_action = arena.string(gatedAction)
    }
}

/// `count` is the number of grants that were revoked.
package typealias RevokeResponse = CountReply<Gate__V1__RevokeResponse>
extension Gate__V1__RevokeResponse: CCountReply {}
