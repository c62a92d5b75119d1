import GateModel

/// The refusals about claims and paywalls, in words for the person who reads them.
extension GateError {
    static let noSubscription = GateError(
        .failedPrecondition, .unknown,
        "The policy names no entitlement for the paywall. Name an entitlement, or set `paywall.entitlement`.",
        parameters: ["what": "subscription"])

    static func noEntitlement(_ name: String) -> GateError {
        GateError(
            .notFound, .unknown, "The policy defines no entitlement '\(name)'. Define it under `entitlements`.",
            parameters: ["what": "entitlement", "name": name])
    }

    static let claimIsOver = invalid(
        "expires_at_unix_milliseconds", "That date is in the past. Give a future date.")

    static let noClaim = GateError(
        .notFound, .unknown, "There is no such claim. See them with `gatectl entitlements claims`.",
        parameters: ["what": "claim"])

    static let tooManyClaims = GateError(
        .resourceExhausted, .limit,
        "There are \(ClaimRules.maximumClaims) claims, and no room for more. Remove accounts or claims that are not "
            + "needed.", parameters: ["what": "claims", "maximum": "\(ClaimRules.maximumClaims)"])

    static let tooManyClaimsOfCustomer = GateError(
        .resourceExhausted, .limit,
        "A user of RevenueCat has at most \(ClaimRules.maximumClaimsOfCustomer) entitlements here. "
            + "Configure fewer in providers.yaml.",
        parameters: ["what": "claims-of-customer", "maximum": "\(ClaimRules.maximumClaimsOfCustomer)"])

    static let longDetail = invalid(
        "detail",
        "The report on a provider is one line of at most \(Limits.providerDetailByteCount) bytes.")

    static let offersOfNobody = invalid(
        "provider", "Only storekit and revenuecat have offers. Name one of them.")

    static let noRoomForOffers = GateError(
        .resourceExhausted, .limit,
        "The offers take more room than there is: \(Limits.offersByteCountOfOwner / 1024) KiB for one user, "
            + "\(Limits.offersByteCount / 1024) KiB in all. Report fewer, or shorter ones.",
        parameters: ["what": "offers", "maximum": "\(Limits.offersByteCountOfOwner)"])

    // MARK: - Statements of providers

    static let outdatedStatement = GateError(
        .failedPrecondition, .outdated,
        "Gate already has something newer, so nothing was changed. Submit the newest statement.",
        parameters: ["what": "statement"])

    static let notificationTaken = GateError(
        .failedPrecondition, .outdated, "Gate has this notification already, so nothing was changed.",
        parameters: ["what": "notification"])

    static func noItem(_ name: String, of provider: ClaimProvider) -> GateError {
        GateError(
            .notFound, .unknown,
            "Nothing is configured for '\(name)' of \(provider.rawValue). Name an entitlement for it in providers.yaml.",
            parameters: ["what": "item-of-provider", "name": name])
    }

    static let othersPurchase = GateError(
        .failedPrecondition, .othersPurchase,
        "This purchase was claimed before, for somebody else or for the device. Ask an administrator to revoke that claim, and to submit this again with --account or --device.",
        parameters: ["what": "claimed"])

    static let boundPurchase = GateError(
        .failedPrecondition, .othersPurchase,
        "By its app account token, this purchase belongs to somebody else: see providers.yaml. Submit it without --account and --device.",
        parameters: ["what": "bound"])

    static let noTransaction = GateError(
        .notFound, .unknown, "The transaction that this belongs to was never submitted. Submit that first.",
        parameters: ["what": "transaction"])

    static let noCustomer = GateError(
        .notFound, .unknown, "This user of RevenueCat is not in providers.yaml. Add it under `users`.",
        parameters: ["what": "customer"])
}
