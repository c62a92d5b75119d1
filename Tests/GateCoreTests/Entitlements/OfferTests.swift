import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("What can be bought, by command (S-08)")
struct OfferTests {
    private static let monthly = Offer(
        product: "monthly", titles: [Offer.Title(language: "en", text: "Every month")], period: Offer.Period(1, .month),
        price: "3,99 €", amount: Offer.Amount(micros: 3_990_000, currency: "EUR"), url: "https://shop.example/pay")

    private func device() throws -> Device {
        var configuration = Configuration.premium
        configuration.signIn.isRequired = false
        configuration.entitlements["family"] = EntitlementDefinition(title: "Family")
        var device = Device(configuration: configuration)
        device.wallTime = WallTime(unixMilliseconds: 1_767_225_600_000)
        try device.apply(.register(.everything), as: .mara)
        return device
    }

    private func report(
        _ offers: [Offer], of provider: ClaimProvider = .revenueCat, for entitlement: String = "premium"
    ) -> Command {
        .reportOffers(provider, entitlement: entitlement, offers)
    }

    private func refusal(of offers: [Offer], by device: inout Device) -> GateError? {
        #expect(throws: GateError.self) { try device.applied(report(offers), as: .shop) }
    }

    private func offers(of presentation: Presentation?) -> [Offer]? {
        guard case .paywall(let paywall)? = presentation?.content else { return nil }
        return paywall.offers
    }

    @Test("a provider's offers are on its own paywall, in its order, and on no other")
    func shown() throws {
        var device = try device()
        let yearly = Offer(product: "yearly")
        try device.apply(report([yearly, Self.monthly]), as: .shop)
        try device.apply(.requestPaywall(PaywallRequest(entitlement: "premium"), presenting: .elsewhere), as: .anna)
        #expect(offers(of: try device.claim(1, as: .mara)) == [yearly, Self.monthly])
        #expect(
            device.state.reportedOffers == [
                ReportedOffers(
                    provider: .revenueCat, entitlement: "premium", offers: [yearly, Self.monthly],
                    saidAt: device.wallTime)
            ])
        #expect(device.state.paywall(for: "premium", through: .storeKit).offers.isEmpty)
    }

    @Test("changed offers replace the open paywall; reporting the same offers again does not")
    func changed() throws {
        var device = try device()
        let wait = try device.apply(
            .requestPaywall(PaywallRequest(entitlement: "premium"), presenting: .elsewhere), as: .anna
        ).wait()
        let first = try device.claim(1, as: .mara)
        try device.apply(report([Self.monthly]), as: .shop)
        let second = try device.claim(2, as: .mara)
        #expect(offers(of: first) == [] && offers(of: second) == [Self.monthly])
        let closed = #expect(throws: GateError.self) { try device.applied(.dismiss(first.cookie), as: .mara) }
        #expect(closed?.reason == .closed)
        let before = device.state.revision
        try device.apply(report([Self.monthly]), as: .shop)
        try device.apply(report([Self.monthly], of: .storeKit), as: .shop)
        #expect(device.state.presentations(visibleTo: .root).map(\.id) == [2])
        #expect(device.state.revision.number == before.number + 1)
        try device.buy()
        #expect(device.reply(to: wait) == .entitled(.paid))
    }

    @Test("a program that shows the paywall itself gets the new one, even if it was not waiting yet")
    func ownScreen() throws {
        var device = try device()
        let shown = try device.apply(
            .requestPaywall(PaywallRequest(entitlement: "premium"), presenting: .here), as: .anna)
        guard case .presentation(let first) = shown.reply else { throw GateError(.internal, .unspecified, "none") }
        try device.apply(report([Self.monthly]), as: .shop)
        guard case .presentation(let second) = try device.apply(.awaitClosing(first.cookie), as: .anna).reply else {
            throw GateError(.internal, .unspecified, "none")
        }
        #expect(offers(of: second) == [Self.monthly])
        let wait = try device.apply(.awaitClosing(second.cookie), as: .anna).wait()
        try device.apply(report([]), as: .shop)
        guard case .presentation(let third)? = device.reply(to: wait) else {
            throw GateError(.internal, .unspecified, "none")
        }
        #expect(offers(of: third) == [])
    }

    @Test("only providers and administrators report offers, for a store and an entitlement that the policy defines")
    func permission() throws {
        var device = try device()
        for peer in [Peer.anna, .mara] {
            let refusal = #expect(throws: GateError.self) { try device.applied(report([]), as: peer) }
            #expect(refusal?.code == .permissionDenied)
        }
        try device.apply(report([Self.monthly]), as: .root)
        let manual = #expect(throws: GateError.self) { try device.applied(report([], of: .manual), as: .shop) }
        #expect(manual?.code == .invalidArgument && manual?.parameters["field"] == "provider")
        let unknown = #expect(throws: GateError.self) { try device.applied(report([], for: "gold"), as: .shop) }
        #expect(unknown?.code == .notFound)
    }

    @Test(
        "offers stay while their provider is unreachable or gone; removing the entitlement or a restart clears them")
    func lasting() throws {
        var device = try device()
        try device.apply(report([Self.monthly]), as: .shop)
        try device.apply(.reportProvider(.revenueCat, isReachable: false, detail: "offline"), as: .shop)
        try device.apply(.peerDisconnected, as: .shop)
        #expect(device.state.reportedOffers.count == 1)
        var configuration = device.state.configuration
        configuration.entitlements["premium"] = nil
        let before = device.state.configuration
        try device.apply(.configure(configuration, detail: "r"), as: .daemon)
        try device.apply(.configure(before, detail: "r"), as: .daemon)
        #expect(device.state.reportedOffers.isEmpty)
        try device.apply(report([Self.monthly]), as: .shop)
        #expect(GateState(restoring: device.state.records, configuration: before).reportedOffers.isEmpty)
    }

    @Test(
        "a payment page is an https address with a readable host and nothing hidden",
        arguments: [
            "http://shop.example/pay", "https:///pay", "https://", "https://anna@shop.example/", "javascript:alert(1)",
            "https://shop.example/\u{202E}yap", "https://shop.example/a b", "https://shop.example/\n",
            "https://bücher.de",
            "HTTPS://shop.example", "https://shop.example:0/", "https://shop.example:70000/", "https://shop..example/",
            "https://shop.example\\@evil.example/", "https://shop.example/\"><a", "https://shop.example:1:2/",
            "https://[::1]/", "https://shop.example/" + String(repeating: "a", count: 980),
        ])
    func oddPage(url: String) throws {
        var device = try device()
        var offer = Self.monthly
        offer.url = url
        let refusal = refusal(of: [offer], by: &device)
        #expect(refusal?.code == .invalidArgument && refusal?.parameters["field"] == "offers.url")
        #expect(device.state.reportedOffers.isEmpty)
    }

    @Test("offers with unreadable, multi-line or overlong texts, or with bad prices or periods, are refused")
    func texts() throws {
        var device = try device()
        let long = String(repeating: "a", count: 201)
        let wrong: [(field: String, change: (inout Offer) -> Void)] = [
            ("offers.product", { $0.product = "" }), ("offers.product", { $0.product = long }),
            ("offers.product", { $0.product = "a\u{1b}[2J" }),
            ("offers.titles.text", { $0.titles = [Offer.Title(language: "en", text: "")] }),
            ("offers.titles.text", { $0.titles[0].text = "free\u{202E}" }),
            ("offers.titles.text", { $0.titles[0].text = long }),
            ("offers.titles.language", { $0.titles[0].language = "e" }),
            ("offers.titles.language", { $0.titles[0].language = "en_GB" }),
            ("offers.titles.language", { $0.titles.append(Offer.Title(language: "EN", text: "Again")) }),
            (
                "offers.titles",
                { $0.titles = "abcdefghijklmnopq".map { Offer.Title(language: "x\($0)", text: "a") } }
            ),
            ("offers.period", { $0.period = Offer.Period(0, .day) }),
            ("offers.period", { $0.period = Offer.Period(1000, .year) }),
            ("offers.price", { $0.price = "3\n99" }), ("offers.price", { $0.price = String(long.prefix(101)) }),
            ("offers.price_micros", { $0.amount?.micros = -1 }),
            ("offers.currency", { $0.amount?.currency = "eur" }), ("offers.currency", { $0.amount?.currency = "EURO" }),
        ]
        for (index, wrong) in wrong.enumerated() {
            var offer = Self.monthly
            wrong.change(&offer)
            let refusal = refusal(of: [offer], by: &device)
            #expect(refusal?.parameters["field"] == wrong.field, "\(index)")
        }
        #expect(refusal(of: [Self.monthly, Self.monthly], by: &device)?.parameters["field"] == "offers.product")
    }

    @Test("a report has 50 offers at most, and an owner's offers take no more room than its share")
    func limits() throws {
        var device = try device()
        func many(_ count: Int, _ page: Int = 0) -> [Offer] {
            (0..<count).map {
                Offer(
                    product: "\($0)",
                    url: page == 0 ? nil : "https://shop.example/" + String(repeating: "a", count: page))
            }
        }
        #expect(refusal(of: many(51), by: &device)?.parameters["field"] == "offers")
        try device.apply(report(many(50, 900)), as: .shop)
        try device.apply(report(many(50, 900), of: .storeKit), as: .shop)
        // A new report in the same place takes no more room.
        try device.apply(report(many(50, 901)), as: .shop)
        let full = #expect(throws: GateError.self) {
            try device.applied(report(many(50, 900), for: "family"), as: .shop)
        }
        #expect(full?.code == .resourceExhausted && full?.reason == .limit)
        // Another provider still has room, until the common limit is reached.
        try device.apply(report(many(50, 900), for: "family"), as: .root)
        try device.apply(report([]), as: .shop)
        try device.apply(report(many(50, 900)), as: .shop)
    }

    @Test("periods are read as ISO 8601 writes them, with one number and one unit")
    func periods() {
        #expect(Offer.Period(iso8601: "P1M") == Offer.Period(1, .month))
        #expect(Offer.Period(iso8601: "P999D")?.iso8601 == "P999D")
        for text in ["", "P", "PM", "P0M", "P-1M", "P1000D", "1M", "P1H", "PT1M", "P1Y6M", "p1m", "P1M ", "P١M"] {
            #expect(Offer.Period(iso8601: text) == nil, "\(text)")
        }
    }
}
