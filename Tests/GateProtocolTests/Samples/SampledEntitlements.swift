import GateModel
import GateProtocol

// MARK: Parts

extension SplitMix {
    mutating func wallTime() -> WallTime { WallTime(unixMilliseconds: integer()) }

    mutating func holder() -> Claim.Holder { bool() ? .device : .account(text()) }

    mutating func entitlementsState() -> EntitlementsState {
        EntitlementsState(entitlements: array { $0.entitlement() }, isSubscriptionActive: bool())
    }

    private mutating func entitlement() -> Entitlement {
        Entitlement(
            id: text(), title: localizedText(),
            source: optional {
                Entitlement.Source(
                    provider: $0.any(of: ClaimProvider.self), saidAt: $0.wallTime(),
                    status: $0.any(of: Entitlement.Status.self), product: $0.text(), holder: $0.holder(),
                    until: $0.optional { $0.wallTime() })
            })
    }

    private mutating func claimID() -> Claim.ID { Claim.ID(any(of: ClaimProvider.self), text()) }

    mutating func paywall() -> Paywall {
        Paywall(
            entitlement: text(), title: localizedText(), provider: any(of: ClaimProvider.self),
            products: array { $0.text() }, features: array { $0.localizedText() })
    }

    mutating func paywallRequest() -> PaywallRequest {
        PaywallRequest(
            entitlement: optional { "e\($0.text())" }, provider: optional { $0.any(of: ClaimProvider.self) },
            style: optional { $0.any(of: Presentation.Style.self) })
    }

    mutating func listedClaim() -> ClaimSummary {
        ClaimSummary(
            claim: claimID(), holder: holder(), item: text(), product: text(), entitlement: text(),
            status: any(of: Entitlement.Status.self), purchasedAt: wallTime(), expiresAt: optional { $0.wallTime() },
            saidAt: wallTime(), isForTesting: bool(), isRevokedHere: bool())
    }
}

// MARK: Entitlements

extension GetEntitlementsResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            revision: random.revision(), state: random.entitlementsState(),
            providers: random.array {
                ProviderReport(
                    provider: $0.any(of: ClaimProvider.self),
                    health: ProviderHealth(isReachable: $0.bool(), detail: $0.text(), since: $0.wallTime()))
            })
    }
}
extension ClaimSummary: SampledElement {
    static func sample(using random: inout SplitMix) -> Self {
        random.listedClaim()
    }
}
extension AddClaimRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(entitlement: random.text(), holder: random.holder(), expiresAt: random.optional { $0.wallTime() })
    }
}
extension AddClaimResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self(revision: random.revision(), name: random.text()) }
}
extension RevokeClaimRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(claim: Claim.ID(random.any(of: ClaimProvider.self), random.text()))
    }
}
extension SubmitSignedTransactionRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(signedTransaction: random.bytes(), holder: random.optional { $0.holder() })
    }
}
extension SubmitRenewalInfoRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self(signedRenewalInfo: random.bytes()) }
}
extension SubmitServerNotificationRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(signedPayload: random.bytes(), holder: random.optional { $0.holder() })
    }
}
extension SubmitCustomerInfoRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            path: random.text(), nonce: random.bytes(),
            headers: random.array { ProviderHTTPHeader(name: $0.text(), value: $0.text()) }, body: random.bytes())
    }
}
extension ReportProviderRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(provider: random.any(of: ClaimProvider.self), isReachable: random.bool(), detail: random.text())
    }
}
extension RequestPaywallRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self(paywall: random.paywallRequest()) }
}
extension RequestPaywallResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(revision: random.revision(), outcome: random.any(of: PaywallOutcome.self))
    }
}
extension RequirePremiumRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(paywall: random.paywallRequest(), presenting: random.any(of: Presenting.self))
    }
}
extension RequirePremiumResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            revision: random.revision(),
            result: random.bool()
                ? .outcome(random.any(of: PaywallOutcome.self)) : .presentation(random.presentation()))
    }
}
