import GateModel
import GateReceipts
import Testing

@Suite("What customer info of RevenueCat says")
struct RevenueCatCustomerInfoTests {
    let saidAt = SigningRevenueCat.requestedAt
    let verifier: RevenueCatVerifier

    init() {
        var settings = SigningRevenueCat().settings
        settings.acceptsUnsigned = true
        settings.acceptsSandbox = true
        verifier = RevenueCatVerifier(settings)
    }

    private func statement(
        _ body: String, path: String = SigningRevenueCat.path, at now: WallTime? = nil
    ) throws(ReceiptError) -> ProviderStatement {
        try verifier.customerInfo(
            CustomerInfoResponse(path: path, nonce: [], headers: [], body: Array(body.utf8)), mayBeUnsigned: true,
            at: now ?? saidAt)
    }

    private func only(_ body: String) throws -> ProviderStatement.CustomerEntitlement {
        guard case .revenueCat(_, let entitlements, _) = try statement(body), let first = entitlements.first else {
            throw ReceiptError(.malformed, "no entitlement")
        }
        #expect(entitlements.count == 1)
        return first
    }

    private func check(_ body: String, path: String = SigningRevenueCat.path, at now: WallTime? = nil)
        -> ReceiptError.Check?
    {
        do throws(ReceiptError) {
            _ = try statement(body, path: path, at: now)
            return nil
        } catch {
            return error.check
        }
    }

    /// A body with the entitlement `premium` of the product `annual`.
    private func premium(entitlement: String = "", subscription: String = "", isSubscription: Bool = true) -> String {
        let product = isSubscription ? ["annual": "{\"purchase_date\":\"2026-03-01T00:00:00Z\"\(subscription)}"] : [:]
        return CustomerInfo.of(
            entitlements: [
                "premium":
                    "{\"product_identifier\":\"annual\",\"purchase_date\":\"2026-03-01T00:00:00Z\"\(entitlement)}"
            ], subscriptions: product)
    }

    /// The time this many days after 2026-03-01.
    private func day(_ days: Int64) -> WallTime {
        WallTime(unixMilliseconds: 1_772_323_200_000 + days * 86_400_000)
    }

    @Test("a subscription is read with everything that Gate keeps of it")
    func subscription() throws {
        let expected = ProviderStatement.revenueCat(
            appUser: "anna",
            [
                .init(
                    purchase: ClaimedPurchase(
                        item: "premium", product: "annual", purchasedAt: WallTime(unixMilliseconds: 1_772_366_340_000),
                        expiresAt: WallTime(unixMilliseconds: 1_775_044_800_000), saidAt: saidAt),
                    renewal: SubscriptionRenewal(isInBillingRetry: false, gracePeriodEndsAt: nil, saidAt: saidAt))
            ], saidAt: saidAt)
        #expect(try statement(CustomerInfo.premium) == expected)
    }

    @Test("the time of an answer is the one in the signed header, not the one in the body")
    func time() throws {
        let revenueCat = SigningRevenueCat()
        let later = WallTime(unixMilliseconds: saidAt.unixMilliseconds + 2)
        let said = try RevenueCatVerifier(revenueCat.settings).customerInfo(
            try revenueCat.answer(time: "\(later.unixMilliseconds)"), mayBeUnsigned: false, at: later)
        guard case .revenueCat(_, let entitlements, saidAt: later) = said else {
            Issue.record("another statement: \(said)")
            return
        }
        #expect(entitlements.map(\.purchase.saidAt) == [later])
        #expect(entitlements.map(\.renewal?.saidAt) == [later])
    }

    @Test("an answer without entitlements gives a user nothing")
    func nothing() throws {
        let nothing = ProviderStatement.revenueCat(appUser: "anna", [], saidAt: saidAt)
        #expect(try statement(CustomerInfo.of(entitlements: [:])) == nothing)
        #expect(try statement("{\"request_date_ms\":\(saidAt.unixMilliseconds),\"subscriber\":{}}") == nothing)
    }

    @Test("an entitlement without an expiry date never expires")
    func lifetime() throws {
        #expect(try only(premium(entitlement: ",\"expires_date\":null")).purchase.expiresAt == nil)
    }

    @Test("a grace period is read as the store's wish, with its end")
    func grace() throws {
        let issue = ",\"billing_issues_detected_at\":\"2026-03-01T00:00:00Z\""
        let said = try only(
            premium(
                entitlement:
                    ",\"expires_date\":\"2026-03-02T00:00:00Z\",\"grace_period_expires_date\":\"2026-03-05T00:00:00Z\"",
                subscription: issue))
        #expect(said.purchase.expiresAt == day(1))
        #expect(said.renewal == SubscriptionRenewal(isInBillingRetry: true, gracePeriodEndsAt: day(4), saidAt: saidAt))
        // Some answers have the date only with the subscription.
        let other = try only(premium(subscription: ",\"grace_period_expires_date\":\"2026-03-05T00:00:00Z\""))
        #expect(other.renewal?.gracePeriodEndsAt == day(4))
    }

    @Test("a billing issue is read as a billing retry")
    func billingRetry() throws {
        let said = try only(premium(subscription: ",\"billing_issues_detected_at\":\"2026-03-01T00:00:00Z\""))
        #expect(said.renewal == SubscriptionRenewal(isInBillingRetry: true, gracePeriodEndsAt: nil, saidAt: saidAt))
    }

    @Test("a refund takes the purchase back from its date on")
    func refund() throws {
        #expect(
            try only(premium(subscription: ",\"refunded_at\":\"2026-03-02T00:00:00Z\"")).purchase.revokedAt == day(1))
    }

    @Test("purchases of the sandbox are left out unless it is accepted, and others stay")
    func sandboxRefused() throws {
        var settings = SigningRevenueCat().settings
        settings.acceptsUnsigned = true
        let strict = RevenueCatVerifier(settings)
        for (isSandbox, count) in [(true, 0), (false, 1)] {
            let body = premium(subscription: ",\"is_sandbox\":\(isSandbox)")
            let response = CustomerInfoResponse(
                path: SigningRevenueCat.path, nonce: [], headers: [], body: Array(body.utf8))
            guard
                case .revenueCat(_, let entitlements, _) = try strict.customerInfo(
                    response, mayBeUnsigned: true, at: saidAt)
            else {
                Issue.record("it is customer info")
                return
            }
            #expect(entitlements.count == count)
        }
    }

    @Test("a sandbox is marked as a test")
    func sandbox() throws {
        #expect(try only(premium(subscription: ",\"is_sandbox\":true")).purchase.isForTesting)
        #expect(try !only(premium(subscription: ",\"is_sandbox\":false")).purchase.isForTesting)
    }

    @Test("a purchase made once has no renewal, and is found by its date among several")
    func boughtOnce() throws {
        let body = CustomerInfo.of(
            entitlements: [
                "premium": """
                {"product_identifier":"once","purchase_date":"2026-03-01T00:00:00Z","expires_date":null}
                """
            ],
            others: [
                "once": """
                [{"purchase_date":"2026-03-01T00:00:00Z","is_sandbox":true},{"purchase_date":"2026-03-02T00:00:00Z"}]
                """
            ])
        let said = try only(body)
        #expect(said.purchase.isForTesting)
        #expect(said.renewal == nil)
    }

    @Test("a product without a subscription or purchase is taken as its entitlement describes it")
    func promotional() throws {
        let said = try only(premium(isSubscription: false))
        #expect(said.purchase.purchasedAt == day(0))
        #expect(said.renewal == nil)
    }

    @Test("an entitlement without a date has its purchase's, and one without any date is malformed")
    func purchaseDate() throws {
        let without = ["premium": "{\"product_identifier\":\"annual\"}"]
        let found = CustomerInfo.of(
            entitlements: without, subscriptions: ["annual": "{\"purchase_date\":\"2026-03-04T00:00:00Z\"}"])
        #expect(try only(found).purchase.purchasedAt == day(3))
        #expect(check(CustomerInfo.of(entitlements: without)) == .malformed)
    }

    @Test("fractions of a second are kept to the millisecond")
    func fractions() throws {
        for (text, milliseconds) in [("00.5", 500), ("00.123456789", 123), ("59.999", 59_999)] as [(String, Int64)] {
            let expiry = try only(premium(entitlement: ",\"expires_date\":\"2026-03-02T00:00:\(text)Z\"")).purchase
                .expiresAt
            #expect(expiry?.unixMilliseconds == day(1).unixMilliseconds + milliseconds)
        }
    }

    @Test("dates are read right around leap days and around 1970")
    func leapDays() throws {
        let dates: [(String, Int64)] = [
            ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59.5Z", -500), ("2000-02-29T00:00:00Z", 951_782_400_000),
            ("2000-03-01T00:00:00Z", 951_868_800_000), ("2100-03-01T00:00:00Z", 4_107_542_400_000),
        ]
        for (text, milliseconds) in dates {
            let expiry = try only(premium(entitlement: ",\"expires_date\":\"\(text)\"")).purchase.expiresAt
            #expect(expiry?.unixMilliseconds == milliseconds, "\(text)")
        }
    }

    @Test(
        "a date that is not in UTC as RevenueCat writes it is refused",
        arguments: [
            "", "2026-03-01", "2026-03-01T00:00:00", "2026-03-01T00:00:00+00:00", "2026-03-01 00:00:00Z",
            "2026-03-01t00:00:00z", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z", "2026-03-01T24:00:00Z",
            "2026-03-01T00:60:00Z", "2026-03-01T00:00:60Z", "2026-03-01T00:00:00.Z", "2026-03-01T00:00:00.1234567890Z",
            "2026-03-01T00:00:00,5Z", "2026-03-01T-1:00:00Z", "+026-03-01T00:00:00Z", "0000-03-01T00:00:00Z", "Z",
            "2026-03-01T00:00:00.५Z",
        ])
    func noDate(text: String) {
        for field in ["expires_date", "grace_period_expires_date"] {
            #expect(check(premium(entitlement: ",\"\(field)\":\"\(text)\"")) == .malformed)
        }
        for field in ["refunded_at", "billing_issues_detected_at"] {
            #expect(check(premium(subscription: ",\"\(field)\":\"\(text)\"")) == .malformed)
        }
    }

    @Test(
        "what is not customer info is refused",
        arguments: [
            "null", "[]", "{", "{}", "\"\"", "{\"subscriber\":{}}",
            "{\"request_date_ms\":\"1772366400000\",\"subscriber\":{}}",
            "{\"request_date_ms\":1e400,\"subscriber\":{}}", "{\"request_date_ms\":1.5,\"subscriber\":{}}",
            "{\"request_date_ms\":1772366400000,\"subscriber\":[]}",
            "{\"request_date_ms\":1772366400000,\"subscriber\":{\"entitlements\":[]}}",
            "{\"request_date_ms\":1772366400000,\"subscriber\":{\"entitlements\":{\"premium\":{}}}}",
            "{\"request_date_ms\":1772366400000,\"subscriber\":{}} trailing",
            "{\"code\":7225,\"message\":\"Invalid API Key.\"}", "<html></html>",
        ])
    func noCustomerInfo(body: String) {
        #expect(check(body) == .malformed)
    }

    @Test("a body in another encoding than UTF-8 is refused")
    func encoding() {
        let wide = Array(CustomerInfo.premium.utf8).flatMap { [$0, UInt8(0)] }
        for body in [wide, [0xff, 0xfe] + wide, Array(CustomerInfo.premium.utf8) + [0xff]] {
            let response = CustomerInfoResponse(path: SigningRevenueCat.path, nonce: [], headers: [], body: body)
            let error = #expect(throws: ReceiptError.self) {
                try verifier.customerInfo(response, mayBeUnsigned: true, at: saidAt)
            }
            #expect(error?.check == .malformed)
        }
    }

    @Test("an answer without a body, which says that nothing changed, is refused as malformed")
    func notModified() throws {
        let revenueCat = SigningRevenueCat()
        let error = #expect(throws: ReceiptError.self) {
            try RevenueCatVerifier(revenueCat.settings).customerInfo(
                try revenueCat.answer(body: ""), mayBeUnsigned: false, at: saidAt)
        }
        #expect(error?.check == .malformed)
        #expect(error?.message.contains("nothing has changed") == true)
    }

    @Test("there are limits: 256 entitlements, names of 128 bytes in one line")
    func limits() throws {
        let entitlement = "{\"product_identifier\":\"annual\",\"purchase_date\":\"2026-03-01T00:00:00Z\"}"
        func body(_ names: [String]) -> String {
            CustomerInfo.of(entitlements: Dictionary(names.map { ($0, entitlement) }, uniquingKeysWith: { $1 }))
        }
        #expect(check(body((0..<256).map { "e\($0)" })) == nil)
        #expect(check(body((0..<257).map { "e\($0)" })) == .size)
        #expect(check(body([String(repeating: "x", count: 128)])) == nil)
        for name in [String(repeating: "x", count: 129), "", "a\\nb", "a\\u2028b", "a\\u0000"] {
            #expect(check(body([name])) == .malformed, "\(name)")
            let product = "{\"product_identifier\":\"\(name)\",\"purchase_date\":\"2026-03-01T00:00:00Z\"}"
            #expect(check(CustomerInfo.of(entitlements: ["premium": product])) == .malformed, "\(name)")
        }
    }

    @Test("a body with a long row of combining marks is refused before it is read")
    func marks() {
        func body(_ count: Int, _ mark: String) -> String {
            CustomerInfo.of(entitlements: [:], subscriptions: ["a\(String(repeating: mark, count: count))": "{}"])
        }
        for mark in ["\u{315}", #"\u0315"#] {
            #expect(check(body(128, mark)) == nil)
            #expect(check(body(129, mark)) == .malformed)
        }
    }

    @Test("the user is taken from the path, percent-decoded")
    func appUser() throws {
        let users = [
            ("anna", "anna"), ("$RCAnonymousID%3A1af512", "$RCAnonymousID:1af512"), ("a%2Fb", "a/b"), ("%C3%A9", "é"),
            ("a%20b", "a b"), ("a+b", "a+b"), ("100%25", "100%"),
        ]
        for (segment, user) in users {
            guard case .revenueCat(user, _, _) = try statement(CustomerInfo.premium, path: "/v1/subscribers/\(segment)")
            else {
                Issue.record("\(segment) is another user than \(user)")
                continue
            }
        }
    }

    @Test(
        "an answer whose path is not that of a user's info is refused",
        arguments: [
            "", "/", "/v1/subscribers", "/v1/subscribers/", "/v1/subscribers/anna/offerings", "/v1/subscribers/anna/",
            "/v1/subscribers//anna", "/v1/subscribers/anna?x=1", "/v1/subscribers/anna#x", "/v2/subscribers/anna",
            "https://api.revenuecat.com/v1/subscribers/anna", "/v1/subscribers/%", "/v1/subscribers/%4",
            "/v1/subscribers/%zz", "/v1/subscribers/%+1", "/v1/subscribers/%FF", "/v1/subscribers/a b",
            "/v1/subscribers/a%0Ab", "/v1/subscribers/a%00", "/v1/subscribers/é", "/v1/subscribers/..",
            "/v1/subscribers/%2E", "/v1/subscribers/a%E2%80%A8b",
        ])
    func otherPath(path: String) {
        #expect(check(CustomerInfo.premium, path: path) == .request)
    }

    @Test("an answer may be a day ahead of this device's clock; a clock that was never set refuses none")
    func future() {
        let day: Int64 = 86_400_000
        #expect(check(CustomerInfo.premium, at: WallTime(unixMilliseconds: saidAt.unixMilliseconds - day)) == nil)
        #expect(check(CustomerInfo.premium, at: WallTime(unixMilliseconds: saidAt.unixMilliseconds - day - 1)) == .date)
        #expect(check(CustomerInfo.premium, at: WallTime(unixMilliseconds: 1000)) == nil)
        #expect(check(CustomerInfo.premium, at: .init(unixMilliseconds: saidAt.unixMilliseconds + 400 * day)) == nil)
    }

    @Test("the two times that an answer names may be a day apart, and no more")
    func timesApart() throws {
        let day: Int64 = 86_400_000
        let revenueCat = SigningRevenueCat()
        for (apart, expected) in [(0, nil), (day, nil), (-day, nil), (day + 1, .date), (-day - 1, .date)]
            as [(Int64, ReceiptError.Check?)]
        {
            let answer = try revenueCat.answer(
                body: CustomerInfo.of(time: saidAt.unixMilliseconds + apart, entitlements: [:]))
            var found: ReceiptError.Check?
            do throws(ReceiptError) {
                _ = try RevenueCatVerifier(revenueCat.settings).customerInfo(answer, mayBeUnsigned: false, at: saidAt)
            } catch {
                found = error.check
            }
            #expect(found == expected, "\(apart) ms apart")
        }
    }
}
