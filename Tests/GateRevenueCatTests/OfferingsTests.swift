import GateClient
import GateModel
import Logging
import RevenueCatSupport
import Synchronization
import Testing

@testable import gate_revenuecat

@Suite("What RevenueCat says can be bought (S-08)", .timeLimit(.minutes(10)))
struct OfferingsTests {
    private static let json = """
        {"current_offering_id":"default","offerings":[{"identifier":"old","description":"Old","metadata":null,"packages":[
        {"identifier":"$rc_weekly","platform_product_identifier":"week"}]},{"identifier":"default","description":"All",
        "metadata":{"a":[1]},"web_checkout_url":"https://pay.example/x","packages":[
        {"identifier":"$rc_monthly","platform_product_identifier":"month","web_checkout_url":"https://pay.example/m"},
        {"identifier":"$rc_annual","platform_product_identifier":"year"},
        {"identifier":"again","platform_product_identifier":"year"},
        {"identifier":"$rc_lifetime","platform_product_identifier":"life"}]}],"placements":{"fallback_offering_id":"old"}}
        """
    private static let offers = [
        Offer(product: "month", period: Offer.Period(1, .month), url: "https://pay.example/m"),
        Offer(product: "year", period: Offer.Period(1, .year), url: "https://pay.example/x"),
        Offer(product: "life", url: "https://pay.example/x"),
    ]

    private func settings(
        users: [String] = ["anna"], entitlements: [String: String] = ["pro": "premium"],
        baseURL: String = RevenueCatSettings.defaultBaseURL
    ) -> RevenueCatSettings {
        RevenueCatSettings(
            publicKey: "appl_x", rootKey: nil, baseURL: baseURL,
            users: Dictionary(uniqueKeysWithValues: users.map { ($0, .device) }), entitlements: entitlements)
    }

    @Test("the only entitlement gets the current offering: each product once, with its period and page")
    func current() throws {
        let offerings = try Offerings(json: Array(Self.json.utf8))
        #expect(offerings.offers(settings()) == ["premium": Self.offers])
    }

    @Test("of several entitlements each gets the offering of its name, and no other")
    func named() throws {
        let offerings = try Offerings(json: Array(Self.json.utf8))
        let found = offerings.offers(settings(entitlements: ["pro": "premium", "old": "classic"]))
        #expect(found == ["premium": [], "classic": [Offer(product: "week", period: Offer.Period(1, .week))]])
    }

    @Test("with several users no page of one user's is shown")
    func pages() throws {
        let offerings = try Offerings(json: Array(Self.json.utf8))
        let found = offerings.offers(settings(users: ["anna", "ben"]))
        #expect(found["premium"]?.map(\.url) == [nil, nil, nil])
    }

    /// Runs a poller with these answers. Returns the reported offers and its pauses.
    private func polled(
        _ answers: [Result<HTTPAnswer, HTTPExchange.Failure>], returns: Int = 0, refusal: GateError? = nil,
        until count: Int
    ) async -> (told: [[Offer]], pauses: [Duration]) {
        let (happenings, feed) = AsyncStream.makeStream(of: Bool.self)
        let (daemon, returning) = AsyncStream.makeStream(of: Void.self)
        let rest = Mutex(answers)
        let told = Mutex<[[Offer]]>([])
        let pauses = Mutex<[Duration]>([])
        await withTaskGroup(of: Void.self) { group in
            let environment = OfferingsPoller.Environment(
                answer: { _ throws(HTTPExchange.Failure) in
                    try rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }.get()
                },
                offer: { _, offers throws(GateError) in
                    told.withLock { $0.append(offers) }
                    feed.yield(true)
                    if let refusal { throw refusal }
                }, daemonReturns: daemon,
                sleep: { pause in
                    pauses.withLock { $0.append(pause) }
                    feed.yield(true)
                    if pause == OfferingsPoller.interval { try? await Task.sleep(for: .seconds(3600)) }
                })
            let settings = settings()
            group.addTask {
                var logger = Logger(label: "test")
                logger.logLevel = .critical
                var poller = OfferingsPoller(settings, environment: environment, logger: logger)
                await poller.run()
            }
            var seen = 0
            for await _ in happenings {
                seen += 1
                // The offers were reported once, and the poller waits.
                if seen == 2 { for _ in 0..<returns { returning.yield() } }
                if seen == count { break }
            }
            group.cancelAll()
        }
        return (told.withLock { $0 }, pauses.withLock { $0 })
    }

    private func answer(_ status: Int, _ body: String = "") -> Result<HTTPAnswer, HTTPExchange.Failure> {
        .success(HTTPAnswer(status: status, headers: [:], body: Array(body.utf8)))
    }

    @Test("offers are reported, and again each time the daemon returns, even if it refused them")
    func reported() async {
        for refusal in [nil, GateError(.unavailable, .unspecified, "away")] {
            let (told, pauses) = await polled([answer(200, Self.json)], returns: 2, refusal: refusal, until: 4)
            #expect(told == [Self.offers, Self.offers, Self.offers])
            #expect(pauses == [OfferingsPoller.interval])
        }
    }

    @Test(
        "a key that may not ask for offerings is no failure, and is tried again after the interval",
        arguments: [401, 403, 404])
    func refused(status: Int) async {
        let (told, pauses) = await polled([answer(status)], until: 1)
        #expect(told.isEmpty && pauses == [OfferingsPoller.interval])
    }

    @Test("after a failure the offerings are asked for again soon, and then less and less often")
    func failed() async {
        let failures = [.failure(.init(detail: "offline")), answer(500), answer(429), answer(200, "{}")]
        let (told, pauses) = await polled(failures + [answer(200, Self.json)], until: 6)
        #expect(told == [Self.offers])
        #expect(pauses == [60, 120, 240, 480].map { .seconds($0) } + [OfferingsPoller.interval])
    }

    @Test("the request for offerings has the public key and the percent-encoded user, and is answered over HTTP")
    func question() async throws {
        let api = try DocumentedAPI([], offerings: .text(Self.json), now: { .now() })
        let exchange = HTTPExchange(deadline: .seconds(600))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await api.run() }
            let settings = try await api.settings(users: ["a/b"])
            let request = try #require(OfferingsRequest(settings, user: "a/b"))
            let answer = try await exchange.answer(to: request)
            #expect(answer.status == 200 && answer.body == Array(Self.json.utf8))
            group.cancelAll()
        }
        let question = try #require(api.questionsAboutOfferings.first)
        #expect(question.path == "/v1/subscribers/a%2Fb/offerings")
        #expect(question.header("Authorization")?.hasPrefix("Bearer ") == true && question.header("X-Nonce") == nil)
        #expect(OfferingsRequest(settings(), user: "..") == nil)
    }
}
