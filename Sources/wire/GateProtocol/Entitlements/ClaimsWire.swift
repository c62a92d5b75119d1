package import CGateProtocol
package import GateModel

// entitlements.proto: claims

extension Methods.Entitlements {
    package static let listClaims = Method<ListClaimsRequest, ListClaimsResponse>(service, "ListClaims")
    package static let addClaim = Method<AddClaimRequest, AddClaimResponse>(service, "AddClaim")
    package static let revokeClaim = Method<RevokeClaimRequest, RevokeClaimResponse>(service, "RevokeClaim")
}

extension ClaimSummary: MessageMapping {
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

package typealias ListClaimsRequest = PageRequest<Gate__V1__ListClaimsRequest>
extension Gate__V1__ListClaimsRequest: CPageRequest {}

/// Sorted by provider, then by name.
package typealias ListClaimsResponse = PageReply<ClaimSummary, Gate__V1__ListClaimsResponse>

extension Gate__V1__ListClaimsResponse: CPageReply {
    package var elements: CList<Gate__V1__Claim> {
        get { (claims, n_claims) }
        set { (claims, n_claims) = newValue }
    }
}

package struct AddClaimRequest: MappedMessage {
    package var entitlement: String
    package var holder: Claim.Holder
    /// `nil` if the claim never expires.
    package var expiresAt: WallTime?

    package init(entitlement: String, holder: Claim.Holder, expiresAt: WallTime?) {
        self.entitlement = entitlement
        self.holder = holder
        self.expiresAt = expiresAt
    }

    init(reading message: Gate__V1__AddClaimRequest) throws(GateError) {
        self.init(
            entitlement: String(reading: message.entitlement),
            holder: try Claim.Holder(optional: message.holder) ?? .device, expiresAt: nil)
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
    /// The name of the claim. Its provider is `manual`.
    package var name: String

    package init(revision: Revision, name: String) {
        self.revision = revision
        self.name = name
    }

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

package typealias RevokeClaimResponse = RevisionReply<Gate__V1__RevokeClaimResponse>
extension Gate__V1__RevokeClaimResponse: CRevisionReply {}
