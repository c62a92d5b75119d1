package import CGateProtocol
package import GateModel

// grants.proto, and the calls of authorization.proto about kept grants

extension Methods.Authorization {
    package static let listGrants = Method<ListGrantsRequest, ListGrantsResponse>(service, "ListGrants")
    package static let revoke = Method<RevokeRequest, RevokeResponse>(service, "Revoke")
}

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
