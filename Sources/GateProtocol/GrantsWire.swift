import CGateProtocol
public import GateModel

// grants.proto, and what authorization.proto says of kept grants

extension Grant: MessageMapping {
    static var initialise: Initialise<Gate__V1__Grant> { gate__v1__grant__init }

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

public struct ListGrantsRequest: MappedMessage, PageRequest {
    public var pageSize: Int
    public var pageToken: String

    public init(pageSize: Int = 0, pageToken: String = "") {
        self.pageSize = pageSize
        self.pageToken = pageToken
    }

    static var initialise: Initialise<Gate__V1__ListGrantsRequest> { gate__v1__list_grants_request__init }
}

public struct ListGrantsResponse: MappedMessage {
    /// By user, then by name.
    public var grants: [ListedGrant]
    /// Empty: that was all.
    public var nextPageToken: String

    public init(grants: [ListedGrant], nextPageToken: String) {
        self.grants = grants
        self.nextPageToken = nextPageToken
    }

    static var initialise: Initialise<Gate__V1__ListGrantsResponse> { gate__v1__list_grants_response__init }

    init(reading message: Gate__V1__ListGrantsResponse) throws(GateError) {
        self.init(
            grants: try [ListedGrant](reading: message.grants, count: message.n_grants),
            nextPageToken: String(reading: message.next_page_token))
    }

    func write(to message: inout Gate__V1__ListGrantsResponse, in arena: inout MessageArena) {
        message.n_grants = grants.count
        message.grants = arena.messages(grants)
        message.next_page_token = arena.string(nextPageToken)
    }
}

/// A gated action that a user is not asked for again for a while.
public struct ListedGrant: Hashable, Sendable, MessageMapping {
    public var uid: UInt32
    public var gatedAction: String
    /// When it ends.
    public var deadline: BootTime

    public init(uid: UInt32, gatedAction: String, deadline: BootTime) {
        self.uid = uid
        self.gatedAction = gatedAction
        self.deadline = deadline
    }

    static var initialise: Initialise<Gate__V1__KeptGrant> { gate__v1__kept_grant__init }

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

public struct RevokeRequest: MappedMessage {
    /// Whose; `nil`: this user's.
    public var uid: UInt32?
    /// Empty: all of them.
    public var gatedAction: String

    public init(uid: UInt32?, gatedAction: String) {
        self.uid = uid
        self.gatedAction = gatedAction
    }

    static var initialise: Initialise<Gate__V1__RevokeRequest> { gate__v1__revoke_request__init }

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

public struct RevokeResponse: MappedMessage {
    public var revision: Revision
    /// How many there were.
    public var count: Int

    public init(revision: Revision, count: Int) {
        self.revision = revision
        self.count = count
    }

    static var initialise: Initialise<Gate__V1__RevokeResponse> { gate__v1__revoke_response__init }

    init(reading message: Gate__V1__RevokeResponse) {
        self.init(revision: Revision(reading: message.revision), count: Int(message.count))
    }

    func write(to message: inout Gate__V1__RevokeResponse, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        message.count = UInt32(clamping: count)
    }
}
