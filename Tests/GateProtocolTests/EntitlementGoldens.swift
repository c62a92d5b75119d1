import GateModel
import GateProtocol

extension ProtocTests {
    private static let revisionText = "revision {epoch: 11 number: 22}"

    private static func time(_ milliseconds: Int64) -> WallTime { WallTime(unixMilliseconds: milliseconds) }

    private static func entitlement(
        _ status: Entitlement.Status, _ provider: ClaimProvider, _ holder: Claim.Holder, until: WallTime? = nil
    ) -> Entitlement {
        Entitlement(
            id: "premium", title: "Premium",
            source: Entitlement.Source(
                provider: provider, saidAt: time(1000), status: status, product: "p", holder: holder, until: until))
    }

    /// Each status, provider and holder, and an entitlement that nobody has claimed.
    static let entitlementsState = EntitlementsState(
        entitlements: [
            entitlement(.subscribed, .storeKit, .account("anna"), until: time(2000)),
            entitlement(.expired, .revenueCat, .device, until: time(0)), entitlement(.inGracePeriod, .manual, .device),
            entitlement(.inBillingRetry, .storeKit, .account("")), entitlement(.revoked, .manual, .device),
            Entitlement(id: "extras", title: "", source: nil),
        ],
        isSubscriptionActive: true)
    static let entitlementsText = """
        entitlements {name: "premium" title: "Premium" is_active: true
                      source {provider: PROVIDER_STORE_KIT said_at_unix_milliseconds: 1000 status: STATUS_SUBSCRIBED
                              product: "p" holder {account: "anna"} until_unix_milliseconds: 2000}}
        entitlements {name: "premium" title: "Premium"
                      source {provider: PROVIDER_REVENUE_CAT said_at_unix_milliseconds: 1000 status: STATUS_EXPIRED
                              product: "p" holder {device {}} until_unix_milliseconds: 0}}
        entitlements {name: "premium" title: "Premium" is_active: true
                      source {provider: PROVIDER_MANUAL said_at_unix_milliseconds: 1000 status: STATUS_IN_GRACE_PERIOD
                              product: "p" holder {device {}}}}
        entitlements {name: "premium" title: "Premium"
                      source {provider: PROVIDER_STORE_KIT said_at_unix_milliseconds: 1000
                              status: STATUS_IN_BILLING_RETRY product: "p" holder {account: ""}}}
        entitlements {name: "premium" title: "Premium"
                      source {provider: PROVIDER_MANUAL said_at_unix_milliseconds: 1000 status: STATUS_REVOKED
                              product: "p" holder {device {}}}}
        entitlements {name: "extras"} is_subscription_active: true
        """

    static let entitlements: [Golden] = [
        Golden(GetEntitlementsRequest(), ""),
        Golden(
            GetEntitlementsResponse(
                revision: revision, state: entitlementsState,
                providers: [
                    ProviderReport(
                        provider: .storeKit, health: ProviderHealth(isReachable: true, detail: "", since: time(-5))),
                    ProviderReport(
                        provider: .revenueCat,
                        health: ProviderHealth(isReachable: false, detail: "no route", since: time(6))),
                ]),
            """
            \(revisionText) state {\(entitlementsText)}
            providers {provider: PROVIDER_STORE_KIT is_reachable: true since_unix_milliseconds: -5}
            providers {provider: PROVIDER_REVENUE_CAT detail: "no route" since_unix_milliseconds: 6}
            """),
        Golden(
            GetEntitlementsResponse(
                revision: revision, state: EntitlementsState(entitlements: [], isSubscriptionActive: false),
                providers: [
                    ProviderReport(
                        provider: .storeKit,
                        health: ProviderHealth(isReachable: true, detail: "", since: time(6), lastReport: time(7)))
                ]),
            """
            \(revisionText) state {}
            providers {provider: PROVIDER_STORE_KIT is_reachable: true since_unix_milliseconds: 6
            last_report_unix_milliseconds: 7}
            """),
        Golden(ReportProviderRequest(provider: .storeKit, isReachable: true, detail: ""), storeKitIsReachable),
        Golden(
            ReportProviderRequest(provider: .revenueCat, isReachable: false, detail: "why"),
            "provider: PROVIDER_REVENUE_CAT detail: \"why\""),
        Golden(ReportProviderResponse(revision: revision), revisionText),
        Golden(
            ReportOffersRequest(provider: .storeKit, entitlement: "premium", offers: [offer]),
            "provider: PROVIDER_STORE_KIT entitlement: \"premium\" \(offerText)"),
        Golden(ReportOffersResponse(revision: revision), revisionText),
        Golden(ListOffersRequest(), ""),
        Golden(
            ListOffersResponse(reports: [
                ReportedOffers(provider: .storeKit, entitlement: "premium", offers: [offer], saidAt: time(6))
            ]),
            """
            reports {provider: PROVIDER_STORE_KIT entitlement: "premium" \(offerText) said_at_unix_milliseconds: 6}
            """),
    ]
    private static let storeKitIsReachable = "provider: PROVIDER_STORE_KIT is_reachable: true"

    static let claims: [Golden] = [
        Golden(ListClaimsRequest(pageSize: 5, pageToken: "t"), "page_size: 5 page_token: \"t\""),
        Golden(
            ListClaimsResponse(
                [
                    ClaimSummary(
                        claim: Claim.ID(.storeKit, "2000"), holder: .account("anna"), item: "org.example.monthly",
                        product: "Monthly", entitlement: "premium", status: .inGracePeriod, purchasedAt: time(1),
                        expiresAt: time(2), saidAt: time(3), isForTesting: true, isRevokedHere: false),
                    ClaimSummary(
                        claim: Claim.ID(.manual, "1"), holder: .device, item: "premium", product: "", entitlement: "",
                        status: .revoked, purchasedAt: time(0), expiresAt: nil, saidAt: time(0), isForTesting: false,
                        isRevokedHere: true),
                ],
                nextPageToken: "n"),
            """
            claims {provider: PROVIDER_STORE_KIT name: "2000" holder {account: "anna"} item: "org.example.monthly"
                    product: "Monthly" entitlement: "premium" status: STATUS_IN_GRACE_PERIOD
                    purchased_at_unix_milliseconds: 1 expires_at_unix_milliseconds: 2 said_at_unix_milliseconds: 3
                    is_for_testing: true}
            claims {provider: PROVIDER_MANUAL name: "1" holder {device {}} item: "premium" status: STATUS_REVOKED
                    is_revoked_here: true}
            next_page_token: "n"
            """),
        Golden(
            AddClaimRequest(entitlement: "premium", holder: .account("anna"), expiresAt: time(5)),
            "entitlement: \"premium\" holder {account: \"anna\"} expires_at_unix_milliseconds: 5"),
        Golden(
            AddClaimRequest(entitlement: "premium", holder: .device, expiresAt: nil),
            "entitlement: \"premium\" holder {device {}}"),
        Golden(AddClaimResponse(revision: revision, name: "1"), "\(revisionText) name: \"1\""),
        Golden(
            RevokeClaimRequest(claim: Claim.ID(.revenueCat, "anna/pro")),
            "provider: PROVIDER_REVENUE_CAT name: \"anna/pro\""),
        Golden(RevokeClaimResponse(revision: revision), revisionText),
        Golden(
            SubmitSignedTransactionRequest(signedTransaction: Array("a.b.c".utf8), holder: .account("anna")),
            "signed_transaction: \"a.b.c\" holder {account: \"anna\"}"),
        Golden(SubmitSignedTransactionRequest(signedTransaction: [0xFF], holder: nil), "signed_transaction: \"\\377\""),
        Golden(SubmitSignedTransactionResponse(revision: revision), revisionText),
        Golden(SubmitRenewalInfoRequest(signedRenewalInfo: [0x61]), "signed_renewal_info: \"a\""),
        Golden(SubmitRenewalInfoResponse(revision: revision), revisionText),
        Golden(
            SubmitServerNotificationRequest(signedPayload: [0x61], holder: .device),
            "signed_payload: \"a\" holder {device {}}"),
        Golden(SubmitServerNotificationRequest(signedPayload: [], holder: nil), ""),
        Golden(SubmitServerNotificationResponse(revision: revision), revisionText),
        Golden(
            SubmitCustomerInfoRequest(
                path: "/v1/subscribers/anna", nonce: [1],
                headers: [
                    ProviderHTTPHeader(name: "X-Signature", value: "s"), ProviderHTTPHeader(name: "etag", value: ""),
                ],
                body: Array("{}".utf8)),
            """
            path: "/v1/subscribers/anna" nonce: "\\001" headers {name: "X-Signature" value: "s"} headers {name: "etag"}
            body: "{}"
            """),
        Golden(SubmitCustomerInfoResponse(revision: revision), revisionText),
    ]

    static let paywall = Paywall(
        entitlement: "premium", title: "Premium", provider: .revenueCat, products: ["monthly", "yearly"],
        offers: [offer],
        features: [LocalizedText("All levels", [.init(language: "de", text: "Alle Level")]), "No waiting"])
    static let offer = Offer(
        product: "monthly", titles: [Offer.Title(language: "en", text: "Every month")], period: Offer.Period(1, .month),
        price: "3.99", amount: Offer.Amount(micros: 3_990_000, currency: "EUR"), url: "https://shop.example/pay")
    static let offerText = """
        offers {product: "monthly" titles {language: "en" text: "Every month"} period: "P1M" price: "3.99"
                price_micros: 3990000 currency: "EUR" url: "https://shop.example/pay"}
        """
    static let paywallText = """
        paywall {entitlement: "premium" title: "Premium" provider: PROVIDER_REVENUE_CAT products: "monthly"
                 products: "yearly" \(offerText)
                 features {text: "All levels" texts {language: "de" text: "Alle Level"}} features {text: "No waiting"}}
        """

    static let paywalls: [Golden] = [
        Golden(RequestPaywallRequest(paywall: PaywallRequest()), "paywall {}"),
        Golden(
            RequestPaywallRequest(
                paywall: PaywallRequest(entitlement: "premium", provider: .storeKit, style: .sheet)),
            "paywall {entitlement: \"premium\" provider: PROVIDER_STORE_KIT style: STYLE_SHEET}"),
        Golden(
            RequestPaywallResponse(revision: revision, outcome: .activeAlready),
            "\(revisionText) outcome: PAYWALL_OUTCOME_ACTIVE_ALREADY"),
        Golden(
            RequestPaywallResponse(revision: revision, outcome: .paid),
            "\(revisionText) outcome: PAYWALL_OUTCOME_PAID"),
        Golden(
            RequirePremiumRequest(
                paywall: PaywallRequest(provider: .manual, style: .fullScreenCover), presenting: .here),
            "paywall {provider: PROVIDER_MANUAL style: STYLE_FULL_SCREEN_COVER} presents_itself: true"),
        Golden(
            RequirePremiumResponse(revision: revision, result: .outcome(.paid)),
            "\(revisionText) outcome: PAYWALL_OUTCOME_PAID"),
        Golden(
            RequirePremiumResponse(
                revision: revision,
                result: .presentation(
                    Presentation(summary, cookie: PresentationCookie(bytes: [0, 1, 0xFF]), content: .paywall(paywall)))),
            "\(revisionText) presentation {\(presentationText) \(paywallText)}"),
    ]
}
