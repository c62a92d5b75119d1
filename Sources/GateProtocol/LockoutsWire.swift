import CGateProtocol
package import GateModel

// authorization.proto: who was wrong how often

package struct ListLockoutsRequest: MappedMessage, PageRequest {
    package var pageSize: Int
    package var pageToken: String

    package init(pageSize: Int = 0, pageToken: String = "") {
        self.pageSize = pageSize
        self.pageToken = pageToken
    }

    static var initialise: Initialise<Gate__V1__ListLockoutsRequest> { gate__v1__list_lockouts_request__init }
}

package struct ListLockoutsResponse: MappedMessage {
    /// By owner, then by gate.
    package var lockouts: [LockoutSummary]
    /// Empty: that was all.
    package var nextPageToken: String

    package init(lockouts: [LockoutSummary], nextPageToken: String) {
        self.lockouts = lockouts
        self.nextPageToken = nextPageToken
    }

    static var initialise: Initialise<Gate__V1__ListLockoutsResponse> { gate__v1__list_lockouts_response__init }

    init(reading message: Gate__V1__ListLockoutsResponse) throws(GateError) {
        self.init(
            lockouts: try [LockoutSummary](reading: message.lockouts, count: message.n_lockouts),
            nextPageToken: String(reading: message.next_page_token))
    }

    func write(to message: inout Gate__V1__ListLockoutsResponse, in arena: inout MessageArena) {
        message.n_lockouts = lockouts.count
        message.lockouts = arena.messages(lockouts)
        message.next_page_token = arena.string(nextPageToken)
    }
}

extension LockoutSummary: MessageMapping {
    static var initialise: Initialise<Gate__V1__Lockout> { gate__v1__lockout__init }

    init(reading message: Gate__V1__Lockout) {
        self.init(
            owner: Owner(message.owner, uid: message.uid), gate: String(reading: message.gate),
            wrongAnswers: Int(message.wrong_answers), limit: message.limit == 0 ? nil : Int(message.limit),
            remaining: OptionalMilliseconds.duration(message.remaining_milliseconds))
    }

    func write(to message: inout Gate__V1__Lockout, in arena: inout MessageArena) {
        message.uid = owner.uid ?? 0
        message.owner = owner.wireKind
        message.limit = UInt32(clamping: limit ?? 0)
        message.gate = arena.string(gate)
        message.wrong_answers = UInt32(clamping: wrongAnswers)
        message.remaining_milliseconds = remaining?.wireMilliseconds ?? 0
    }
}

extension Owner {
    /// An owner that this version does not know counts with those who have no account: the number of its user says nothing.
    fileprivate init(_ kind: Gate__V1__OwnerKind, uid: UInt32) {
        switch kind {
        case GATE__V1__OWNER_KIND__OWNER_KIND_USER: self = .user(uid)
        case GATE__V1__OWNER_KIND__OWNER_KIND_RANGES_OF_ROOT: self = .rangesOfRoot
        case GATE__V1__OWNER_KIND__OWNER_KIND_STRANGERS: self = .strangers
        default: self = .withoutAccount
        }
    }

    fileprivate var wireKind: Gate__V1__OwnerKind {
        switch self {
        case .withoutAccount: GATE__V1__OWNER_KIND__OWNER_KIND_WITHOUT_ACCOUNT
        case .rangesOfRoot: GATE__V1__OWNER_KIND__OWNER_KIND_RANGES_OF_ROOT
        case .strangers: GATE__V1__OWNER_KIND__OWNER_KIND_STRANGERS
        default: GATE__V1__OWNER_KIND__OWNER_KIND_USER
        }
    }
}

package struct ClearLockoutRequest: MappedMessage {
    /// Whose; `nil`: everybody's.
    package var uid: UInt32?
    /// Empty: at every gate.
    package var gate: String

    package init(uid: UInt32?, gate: String) {
        self.uid = uid
        self.gate = gate
    }

    static var initialise: Initialise<Gate__V1__ClearLockoutRequest> { gate__v1__clear_lockout_request__init }

    init(reading message: Gate__V1__ClearLockoutRequest) {
        self.init(uid: nil, gate: String(reading: message.gate))
        if let user = message.user {
            uid = WireUser(reading: user.pointee).uid
        }
    }

    func write(to message: inout Gate__V1__ClearLockoutRequest, in arena: inout MessageArena) {
        if let uid {
            message.user = arena.message(WireUser(uid))
        }
        message.gate = arena.string(gate)
    }
}

package struct ClearLockoutResponse: MappedMessage {
    package var revision: Revision
    /// How many there were.
    package var count: Int

    package init(revision: Revision, count: Int) {
        self.revision = revision
        self.count = count
    }

    static var initialise: Initialise<Gate__V1__ClearLockoutResponse> { gate__v1__clear_lockout_response__init }

    init(reading message: Gate__V1__ClearLockoutResponse) {
        self.init(revision: Revision(reading: message.revision), count: Int(message.count))
    }

    func write(to message: inout Gate__V1__ClearLockoutResponse, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        message.count = UInt32(clamping: count)
    }
}
