import CGateProtocol
public import GateModel

// entitlements.proto: claims

/// A claim, and what it comes to.
public struct ListedClaim: Hashable, Sendable, MessageMapping {
    public var claim: Claim.ID
    public var holder: Claim.Holder
    /// What the configuration gives an entitlement for.
    public var item: String
    /// The provider's name for what was bought.
    public var product: String
    /// Its name in the policy; empty: the configuration gives none for the item.
    public var entitlement: String
    public var status: Entitlement.Status
    public var purchasedAt: WallTime
    /// `nil`: never.
    public var expiresAt: WallTime?
    public var saidAt: WallTime
    /// Whether no real money was paid.
    public var isForTesting: Bool
    /// Whether an administrator took it back.
    public var isRevokedHere: Bool

    public init(
        claim: Claim.ID, holder: Claim.Holder, item: String, product: String, entitlement: String,
        status: Entitlement.Status, purchasedAt: WallTime, expiresAt: WallTime?, saidAt: WallTime, isForTesting: Bool,
        isRevokedHere: Bool
    ) {
        self.claim = claim
        self.holder = holder
        self.item = item
        self.product = product
        self.entitlement = entitlement
        self.status = status
        self.purchasedAt = purchasedAt
        self.expiresAt = expiresAt
        self.saidAt = saidAt
        self.isForTesting = isForTesting
        self.isRevokedHere = isRevokedHere
    }

    static var initialise: Initialise<Gate__V1__Claim> { gate__v1__claim__init }

    init(reading message: Gate__V1__Claim) throws(GateError) {
        self.init(
            claim: Claim.ID(
                Provider(wire: message.provider, else: .unrecognized), String(reading: message.name)),
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

public struct ListClaimsRequest: MappedMessage, PageRequest {
    public var pageSize: Int
    public var pageToken: String

    public init(pageSize: Int = 0, pageToken: String = "") {
        self.pageSize = pageSize
        self.pageToken = pageToken
    }

    static var initialise: Initialise<Gate__V1__ListClaimsRequest> { gate__v1__list_claims_request__init }
}

public struct ListClaimsResponse: MappedMessage {
    /// By provider, then by name.
    public var claims: [ListedClaim]
    /// Empty: that was all.
    public var nextPageToken: String

    public init(claims: [ListedClaim], nextPageToken: String) {
        self.claims = claims
        self.nextPageToken = nextPageToken
    }

    static var initialise: Initialise<Gate__V1__ListClaimsResponse> { gate__v1__list_claims_response__init }

    init(reading message: Gate__V1__ListClaimsResponse) throws(GateError) {
        self.init(
            claims: try [ListedClaim](reading: message.claims, count: message.n_claims),
            nextPageToken: String(reading: message.next_page_token))
    }

    func write(to message: inout Gate__V1__ListClaimsResponse, in arena: inout MessageArena) {
        message.n_claims = claims.count
        message.claims = arena.messages(claims)
        message.next_page_token = arena.string(nextPageToken)
    }
}

public struct AddClaimRequest: MappedMessage {
    /// Its name in the policy.
    public var entitlement: String
    public var holder: Claim.Holder
    /// `nil`: never.
    public var expiresAt: WallTime?

    public init(entitlement: String, holder: Claim.Holder, expiresAt: WallTime?) {
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

public struct AddClaimResponse: MappedMessage {
    public var revision: Revision
    /// Of the claim, whose provider is `manual`.
    public var name: String

    public init(revision: Revision, name: String) {
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

public struct RevokeClaimRequest: MappedMessage {
    public var claim: Claim.ID

    public init(claim: Claim.ID) {
        self.claim = claim
    }

    static var initialise: Initialise<Gate__V1__RevokeClaimRequest> { gate__v1__revoke_claim_request__init }

    init(reading message: Gate__V1__RevokeClaimRequest) throws(GateError) {
        self.init(
            claim: Claim.ID(
                try Provider(wire: message.provider, of: "gate.v1.RevokeClaimRequest.provider"),
                String(reading: message.name)))
    }

    func write(to message: inout Gate__V1__RevokeClaimRequest, in arena: inout MessageArena) {
        message.provider = claim.provider.wire
        message.name = arena.string(claim.name)
    }
}

public struct RevokeClaimResponse: RevisionReply {
    public var revision: Revision

    public init(revision: Revision) {
        self.revision = revision
    }

    static var initialise: Initialise<Gate__V1__RevokeClaimResponse> { gate__v1__revoke_claim_response__init }
}
