import CGateProtocol
package import GateModel

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

package struct ListGrantsRequest: MappedMessage, PageRequest {
    package var pageSize: Int
    package var pageToken: String

    package init(pageSize: Int = 0, pageToken: String = "") {
        self.pageSize = pageSize
        self.pageToken = pageToken
    }

    static var initialise: Initialise<Gate__V1__ListGrantsRequest> { gate__v1__list_grants_request__init }
}

package struct ListGrantsResponse: MappedMessage {
    /// By user, then by name.
    package var grants: [KeptGrantSummary]
    /// Empty: that was all.
    package var nextPageToken: String

    package init(grants: [KeptGrantSummary], nextPageToken: String) {
        self.grants = grants
        self.nextPageToken = nextPageToken
    }

    static var initialise: Initialise<Gate__V1__ListGrantsResponse> { gate__v1__list_grants_response__init }

    init(reading message: Gate__V1__ListGrantsResponse) throws(GateError) {
        self.init(
            grants: try [KeptGrantSummary](reading: message.grants, count: message.n_grants),
            nextPageToken: String(reading: message.next_page_token))
    }

    func write(to message: inout Gate__V1__ListGrantsResponse, in arena: inout MessageArena) {
        message.n_grants = grants.count
        message.grants = arena.messages(grants)
        message.next_page_token = arena.string(nextPageToken)
    }
}

extension KeptGrantSummary: MessageMapping {
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

package struct RevokeRequest: MappedMessage {
    /// Whose; `nil`: this user's.
    package var uid: UInt32?
    /// Empty: all of them.
    package var gatedAction: String

    package init(uid: UInt32?, gatedAction: String) {
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

package struct RevokeResponse: MappedMessage {
    package var revision: Revision
    /// How many there were.
    package var count: Int

    package init(revision: Revision, count: Int) {
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
