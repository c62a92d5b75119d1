import CGateProtocol
package import GateModel

// entitlements.proto: claims

extension ClaimSummary: MessageMapping {
    static var initialise: Initialise<Gate__V1__Claim> { gate__v1__claim__init }

    init(reading message: Gate__V1__Claim) throws(GateError) {
        self.init(
            claim: Claim.ID(
                ClaimProvider(wire: message.provider, else: .unrecognized), String(reading: message.name)),
            holder: try Claim.Holder(reading: message.holder, of: "gate.v1.Claim.holder"),
            item: String(reading: message.item), product: String(reading: message.product),
            entitlement: String(reading: message.entitlement),
            status: Entitlement.Status(wire: message.status, else: .expired),
            purchasedAt: WallTime(unixMilliseconds: message.purchased_at_unix_milliseconds), expiresAt: nil,
            saidAt: WallTime(unixMilliseconds: message.said_at_unix_milliseconds),
            isForTesting: message.is_for_testing != 0, isRevokedHere: message.is_revoked_here != 0)
        if message.expiry_case == GATE__V1__CLAIM__EXPIRY_EXPIRES_AT_UNIX_MILLISECONDS {
            expiresAt = WallTime(unixMilliseconds: message.expires_at_unix_milliseconds)
        }
    }

    func write(to message: inout Gate__V1__Claim, in arena: inout MessageArena) {
        message.provider = claim.provider.wire
        message.name = arena.string(claim.name)
        message.holder = arena.message(holder)
        message.item = arena.string(item)
        message.product = arena.string(product)
        message.entitlement = arena.string(entitlement)
        message.status = status.wire
        message.purchased_at_unix_milliseconds = purchasedAt.unixMilliseconds
        if let expiresAt {
            message.expiry_case = GATE__V1__CLAIM__EXPIRY_EXPIRES_AT_UNIX_MILLISECONDS
            message.expires_at_unix_milliseconds = expiresAt.unixMilliseconds
        }
        message.said_at_unix_milliseconds = saidAt.unixMilliseconds
        message.is_for_testing = isForTesting ? 1 : 0
        message.is_revoked_here = isRevokedHere ? 1 : 0
    }
}

package struct ListClaimsRequest: MappedMessage, PageRequest {
    package var pageSize: Int
    package var pageToken: String

    package init(pageSize: Int = 0, pageToken: String = "") {
        self.pageSize = pageSize
        self.pageToken = pageToken
    }

    static var initialise: Initialise<Gate__V1__ListClaimsRequest> { gate__v1__list_claims_request__init }
}

package struct ListClaimsResponse: MappedMessage {
    /// By provider, then by name.
    package var claims: [ClaimSummary]
    /// Empty: that was all.
    package var nextPageToken: String

    package init(claims: [ClaimSummary], nextPageToken: String) {
        self.claims = claims
        self.nextPageToken = nextPageToken
    }

    static var initialise: Initialise<Gate__V1__ListClaimsResponse> { gate__v1__list_claims_response__init }

    init(reading message: Gate__V1__ListClaimsResponse) throws(GateError) {
        self.init(
            claims: try [ClaimSummary](reading: message.claims, count: message.n_claims),
            nextPageToken: String(reading: message.next_page_token))
    }

    func write(to message: inout Gate__V1__ListClaimsResponse, in arena: inout MessageArena) {
        message.n_claims = claims.count
        message.claims = arena.messages(claims)
        message.next_page_token = arena.string(nextPageToken)
    }
}

package struct AddClaimRequest: MappedMessage {
    /// Its name in the policy.
    package var entitlement: String
    package var holder: Claim.Holder
    /// `nil`: never.
    package var expiresAt: WallTime?

    package init(entitlement: String, holder: Claim.Holder, expiresAt: WallTime?) {
        self.entitlement = entitlement
        self.holder = holder
        self.expiresAt = expiresAt
    }

    static var initialise: Initialise<Gate__V1__AddClaimRequest> { gate__v1__add_claim_request__init }

    init(reading message: Gate__V1__AddClaimRequest) throws(GateError) {
        self.init(
            entitlement: String(reading: message.entitlement),
            holder: try Claim.Holder.optional(message.holder) ?? .device, expiresAt: nil)
        if message.expiry_case == GATE__V1__ADD_CLAIM_REQUEST__EXPIRY_EXPIRES_AT_UNIX_MILLISECONDS {
            expiresAt = WallTime(unixMilliseconds: message.expires_at_unix_milliseconds)
        }
    }

    func write(to message: inout Gate__V1__AddClaimRequest, in arena: inout MessageArena) {
        message.entitlement = arena.string(entitlement)
        message.holder = arena.message(holder)
        if let expiresAt {
            message.expiry_case = GATE__V1__ADD_CLAIM_REQUEST__EXPIRY_EXPIRES_AT_UNIX_MILLISECONDS
            message.expires_at_unix_milliseconds = expiresAt.unixMilliseconds
        }
    }
}

package struct AddClaimResponse: MappedMessage {
    package var revision: Revision
    /// The name of the claim, whose provider is `manual`.
    package var name: String

    package init(revision: Revision, name: String) {
        self.revision = revision
        self.name = name
    }

    static var initialise: Initialise<Gate__V1__AddClaimResponse> { gate__v1__add_claim_response__init }

    init(reading message: Gate__V1__AddClaimResponse) {
        self.init(revision: Revision(reading: message.revision), name: String(reading: message.name))
    }

    func write(to message: inout Gate__V1__AddClaimResponse, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        message.name = arena.string(name)
    }
}

package struct RevokeClaimRequest: MappedMessage {
    package var claim: Claim.ID

    package init(claim: Claim.ID) {
        self.claim = claim
    }

    static var initialise: Initialise<Gate__V1__RevokeClaimRequest> { gate__v1__revoke_claim_request__init }

    init(reading message: Gate__V1__RevokeClaimRequest) throws(GateError) {
        self.init(
            claim: Claim.ID(
                try ClaimProvider(wire: message.provider, of: "gate.v1.RevokeClaimRequest.provider"),
                String(reading: message.name)))
    }

    func write(to message: inout Gate__V1__RevokeClaimRequest, in arena: inout MessageArena) {
        message.provider = claim.provider.wire
        message.name = arena.string(claim.name)
    }
}

package struct RevokeClaimResponse: RevisionReply {
    package var revision: Revision

    package init(revision: Revision) {
        self.revision = revision
    }

    static var initialise: Initialise<Gate__V1__RevokeClaimResponse> { gate__v1__revoke_claim_response__init }
}
