import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("Paywalls and entitlements, by command (F-15, F-50 … F-54)")
struct PaywallTests {
    private func device(_ presenters: Peer...) throws -> Device {
        var configuration = Configuration.premium
        configuration.signIn.isRequired = false
        var device = Device(configuration: configuration)
        device.wallTime = WallTime(unixMilliseconds: 1_767_225_600_000)
        try device.register("anna")
        for presenter in presenters { try device.apply(.register(.everything), as: presenter) }
        return device
    }

    private func ask(_ request: PaywallRequest = PaywallRequest(), itself: Bool = false) -> Command {
        .requestPaywall(request, presenting: itself ? .here : .elsewhere)
    }

    @Test("a paywall opens only for an inactive entitlement, in the policy's or the requested style (F-51, F-52)")
    func shown() throws {
        var device = try device(.mara)
        let refusal = #expect(throws: GateError.self) {
            try device.applied(ask(PaywallRequest(entitlement: "gold")), as: .anna)
        }
        #expect(refusal?.code == .notFound)
        try device.apply(ask(), as: .anna)
        let first = try device.claim(1, as: .mara)
        #expect(first.summary.style == .sheet && first.summary.purpose == .pay && first.summary.isDismissible)
        #expect(
            first.content
                == .paywall(Paywall(entitlement: "premium", title: "Premium", provider: .revenueCat, products: ["pro"]))
        )
        try device.apply(.dismiss(first.cookie), as: .mara)
        try device.apply(ask(PaywallRequest(provider: .storeKit, style: .fullScreenCover)), as: .anna)
        let second = try device.claim(2, as: .mara)
        #expect(second.summary.style == .fullScreenCover)
        #expect(
            second.content
                == .paywall(
                    Paywall(
                        entitlement: "premium", title: "Premium", provider: .storeKit, products: ["monthly", "yearly"]))
        )
        try device.buy()
        #expect(try device.apply(ask(), as: .anna).reply == .entitled(.activeAlready))
    }

    @Test("the policy's titles reach presenters in all their languages, and the journal in one (L-03, L-06)")
    func languages() throws {
        let german: [LocalizedText.Translation] = [.init(language: "de", text: "Prämie")]
        var configuration = Configuration.premium
        configuration.signIn.isRequired = false
        configuration.entitlements["premium"]?.titles = LocalizedText("Premium", german)
        var device = Device(configuration: configuration)
        device.wallTime = WallTime(unixMilliseconds: 1_767_225_600_000)
        try device.apply(.register(.everything), as: .mara)
        try device.apply(ask(), as: .anna)
        let shown = try device.claim(1, as: .mara)
        #expect(shown.summary.asked.details == "Premium" && shown.summary.asked.translatedDetails == german)
        guard case .paywall(let paywall) = shown.content else {
            Issue.record("It is no paywall.")
            return
        }
        #expect(paywall.titles == LocalizedText("Premium", german))
        #expect(device.state.entitlements.entitlements.first { $0.id == "premium" }?.titles.translations == german)
        #expect(!device.journal.contains { $0.detail.contains("Prämie") })
    }

    @Test(
        "a list of presentations has room for 64 texts in several languages; those behind have the default one (L-03)")
    func roomForTexts() throws {
        let languages = "abcdefghijklmnop".map { LocalizedText.Translation(language: "x\($0)", text: "Prämie") }
        var configuration = Configuration.premium
        configuration.signIn.isRequired = false
        configuration.entitlements["premium"]?.titles = LocalizedText("Premium", languages)
        var device = Device(configuration: configuration)
        device.wallTime = WallTime(unixMilliseconds: 1_767_225_600_000)
        try device.apply(.register(.everything), as: .mara)
        for peer in [Peer.anna, .anna, .anna, .ben, .ben] { try device.apply(ask(), as: peer) }
        let asked = device.state.presentations(visibleTo: .root).map(\.asked)
        #expect(asked.map(\.translatedDetails.count) == [16, 16, 16, 16, 0])
        #expect(asked.allSatisfy { $0.details == "Premium" })
    }

    @Test("somebody who has paid already has providers look again, every ten seconds at most (S-08)")
    func restored() throws {
        var device = try device(.mara)
        try device.apply(ask(), as: .anna)
        let paywall = try device.claim(1, as: .mara)
        func count(_ device: Device) -> UInt32? {
            device.state.presentations(visibleTo: .root).first { $0.id == 1 }?.restoreCount
        }
        #expect(count(device) == 0)
        let transition = try device.apply(.report(paywall.cookie, .restore), as: .mara)
        #expect(transition.reply == .done && count(device) == 1)
        try device.turn(by: .seconds(9))
        let refusal = #expect(throws: GateError.self) {
            try device.applied(.report(paywall.cookie, .restore), as: .mara)
        }
        #expect(refusal?.code == .resourceExhausted && refusal?.retryAfter == .seconds(1) && count(device) == 1)
        try device.turn(by: .seconds(1))
        try device.apply(.report(paywall.cookie, .restore), as: .mara)
        #expect(count(device) == 2)
        #expect(throws: GateError.self, "another's cookie") {
            try device.applied(.report(PresentationCookie(bytes: [1]), .restore), as: .anna)
        }
    }

    @Test("asking to restore a purchase is refused for anything but a paywall")
    func restoredQuestion() throws {
        var device = try device(.mara)
        try device.apply(.toggle(presenting: .elsewhere), as: .anna)
        let question = try device.claim(1, as: .mara)
        let refusal = #expect(throws: GateError.self) {
            try device.applied(.report(question.cookie, .restore), as: .mara)
        }
        #expect(refusal?.code == .invalidArgument)
    }

    @Test("a purchase made while a paywall is open closes it with success, for everybody who waits (F-54)")
    func paid() throws {
        var device = try device(.mara)
        let wait = try device.apply(ask(), as: .anna).wait()
        let other = try device.apply(ask(), as: .ben).wait()
        _ = try device.claim(1, as: .mara)
        try device.buy()
        #expect(device.reply(to: wait) == .entitled(.paid) && device.reply(to: other) == .entitled(.paid))
        #expect(device.state.presentations(visibleTo: .root).isEmpty && device.state.entitlements.isSubscriptionActive)
        #expect(device.kinds().filter { $0 == .paid }.count == 2)
    }

    @Test("a paywall without a presenter is refused at once, and an open one expires (F-53)")
    func unpaid() throws {
        var device = try device()
        #expect(#expect(throws: GateError.self) { try device.applied(ask(), as: .anna) }?.reason == .noPresenter)
        try device.apply(.register(.everything), as: .mara)
        for _ in 0..<2 {
            let wait = try device.apply(ask(), as: .anna).wait()
            let open = try #require(device.state.presentation(forPresenter: Peer.mara.connection))
            try device.apply(.dismiss(device.claim(open.id, as: .mara).cookie), as: .mara)
            #expect(device.refusal(of: wait)?.reason == .dismissed)
        }
        let late = try device.apply(ask(), as: .anna).wait()
        try device.pass(Limits.paywallTime)
        #expect(device.refusal(of: late)?.code == .deadlineExceeded)
        let lost = try device.apply(ask(), as: .anna).wait()
        try device.apply(.unregister, as: .mara)
        #expect(device.refusal(of: lost)?.reason == .noPresenter)
    }

    @Test("a program that shows the paywall itself learns of a payment by waiting, even if it came first (F-54)")
    func presentsItself() throws {
        var device = try device()
        let open = try device.apply(ask(itself: true), as: .anna).presentation()
        let wait = try device.apply(.awaitClosing(open.cookie), as: .anna).wait()
        try device.buy(for: .seconds(60))
        #expect(device.reply(to: wait) == .entitled(.paid))
        try device.pass(.seconds(60))
        let second = try device.apply(ask(itself: true), as: .anna).presentation()
        try device.buy("yearly", transaction: "2")
        #expect(device.state.presentations(visibleTo: .anna).count == 1)
        #expect(try device.apply(.awaitClosing(second.cookie), as: .anna).reply == .entitled(.paid))
        #expect(device.state.presentations(visibleTo: .anna).isEmpty)
    }

    @Test(
        "a wait for a paywall ends with its dismissal, its deadline or a new wait, and belongs to its requester alone")
    func awaiting() throws {
        var device = try device()
        let open = try device.apply(ask(itself: true), as: .anna).presentation()
        #expect(throws: GateError.self) { try device.applied(.awaitClosing(open.cookie), as: .ben) }
        let first = try device.apply(.awaitClosing(open.cookie), as: .anna).wait()
        let second = try device.apply(.awaitClosing(open.cookie), as: .anna).wait()
        #expect(device.refusal(of: first)?.reason == .closed && device.settled[second] == nil)
        // Cancelling a wait leaves the paywall on the screen.
        try device.apply(.callEnded(second), as: .anna)
        #expect(device.state.presentations(visibleTo: .anna).count == 1)
        let third = try device.apply(.awaitClosing(open.cookie), as: .anna).wait()
        try device.apply(.dismiss(open.cookie), as: .anna)
        #expect(device.refusal(of: third)?.reason == .dismissed)
        let question = try device.authorize("link.open", as: .anna).presentation()
        #expect(throws: GateError.self) { try device.applied(.awaitClosing(question.cookie), as: .anna) }
    }

    @Test("a gated action asks for a sign-in, then for payment, and is granted when both are there (F-15)")
    func steps() throws {
        var device = try device(.olga)
        let wait = try device.waitFor("premium.filters", as: .ben)
        #expect(device.state.presentation(forPresenter: Peer.olga.connection)?.kind == .signIn)
        #expect(device.state.outlook(of: "premium.filters", for: .ben, at: device.now).outcome == .personNeeded)
        _ = try device.claim(1, as: .olga)
        try device.logIn("anna", as: .olga)
        let paywall = try #require(device.state.presentation(forPresenter: Peer.olga.connection))
        #expect(paywall.kind == .paywall && paywall.purpose == .authorize && device.settled[wait] == nil)
        try device.buy()
        guard case .granted(let grant)? = device.reply(to: wait) else {
            Issue.record("it is paid for")
            return
        }
        #expect(grant.gatedAction == "premium.filters" && device.state.presentations(visibleTo: .root).isEmpty)
        // After a log-out it asks for the sign-in again; and the other way round.
        try device.apply(.logOut, as: .anna)
        _ = try device.waitFor("premium.filters", as: .ben)
        #expect(device.state.presentation(forPresenter: Peer.olga.connection)?.kind == .signIn)
    }

    @Test("a requester that shows the steps itself gets each next step as the reply to its wait (F-15)")
    func stepsOfRequester() throws {
        var device = try device()
        let signIn = try device.authorize("premium.filters", as: .ben).presentation()
        #expect(signIn.content == .signIn)
        let wait = try device.apply(.awaitClosing(signIn.cookie), as: .ben).wait()
        try device.logIn("anna", as: .ben)
        guard case .presentation(let paywall)? = device.reply(to: wait) else {
            Issue.record("there is one more")
            return
        }
        #expect(paywall.content.kind == .paywall)
        let late = #expect(throws: GateError.self) { try device.applied(.awaitClosing(signIn.cookie), as: .ben) }
        #expect(late?.reason == .closed)
        try device.buy(holder: .device)
        guard case .granted = try device.apply(.awaitClosing(paywall.cookie), as: .ben).reply else {
            Issue.record("both are there")
            return
        }
    }

    @Test("the end of what was paid for is a deadline that pushes by itself (F-50)")
    func expiry() throws {
        var device = try device()
        try device.buy(for: .seconds(600))
        #expect(device.state.nextDeadline == device.now.advanced(by: .seconds(600)))
        try device.pass(.seconds(599))
        #expect(device.state.entitlements.isSubscriptionActive)
        device.wallTime.unixMilliseconds += 1000
        device.now = device.now.advanced(by: .seconds(1))
        let expired = try device.apply(.deadlineReached, as: .daemon)
        #expect(expired.isChange && expired.audit.map(\.kind) == [.entitlementChanged])
        #expect(!device.state.entitlements.isSubscriptionActive && device.state.nextDeadline == nil)
        #expect(device.state.entitlements.entitlements.first?.source?.status == .expired)
    }

    @Test("a jump of the wall clock, forwards or backwards, is noticed at the next command")
    func clockJumps() throws {
        var device = try device()
        try device.buy(for: .seconds(600))
        device.wallTime.unixMilliseconds += 3_600_000
        try device.apply(.deadlineReached, as: .daemon)
        #expect(!device.state.entitlements.isSubscriptionActive)
        device.wallTime.unixMilliseconds -= 3_600_000
        try device.apply(.deadlineReached, as: .daemon)
        #expect(device.state.entitlements.isSubscriptionActive)
    }

    @Test("claims of an account count while it is signed in, and those of the device always (F-50)")
    func holders() throws {
        var device = try device()
        try device.buy(holder: .account("anna"))
        #expect(!device.state.entitlements.isSubscriptionActive)
        try device.logIn("anna", as: .anna)
        #expect(device.state.entitlements.isSubscriptionActive)
        try device.apply(.logOut, as: .anna)
        #expect(!device.state.entitlements.isSubscriptionActive)
        try device.apply(.addClaim(entitlement: "premium", .device, until: nil), as: .root)
        #expect(device.state.entitlements.isSubscriptionActive)
    }

    @Test("an administrator gives and revokes entitlements, and a revoked one stays so, whatever the store says (F-50)")
    func byHand() throws {
        var device = try device()
        let given = try device.apply(.addClaim(entitlement: "premium", .device, until: nil), as: .root).reply
        #expect(given == .claimed(Claim.ID(.manual, "1")))
        try device.apply(.revokeClaim(Claim.ID(.manual, "1")), as: .root)
        #expect(device.state.claims(at: device.wallTime).isEmpty)
        #expect(
            try device.apply(.addClaim(entitlement: "premium", .account("anna"), until: nil), as: .root).reply
                == .claimed(Claim.ID(.manual, "2")))
        try device.buy()
        try device.apply(.revokeClaim(Claim.ID(.storeKit, "1")), as: .root)
        device.wallTime.unixMilliseconds += 1000
        try device.buy()
        #expect(!device.state.entitlements.isSubscriptionActive)
        #expect(device.state.claims(at: device.wallTime).map(\.status).contains(.revoked))
        for command in [
            Command.revokeClaim(Claim.ID(.manual, "9")), .addClaim(entitlement: "gold", .device, until: nil),
            .addClaim(entitlement: "premium", .account("nobody"), until: nil),
        ] {
            #expect(#expect(throws: GateError.self) { try device.applied(command, as: .root) }?.code == .notFound)
        }
        let past = Command.addClaim(entitlement: "premium", .device, until: device.wallTime)
        #expect(#expect(throws: GateError.self) { try device.applied(past, as: .root) }?.code == .invalidArgument)
        for command in [
            Command.revokeClaim(Claim.ID(.storeKit, "1")), .addClaim(entitlement: "premium", .device, until: nil),
            .reportProvider(.revenueCat, isReachable: false, detail: ""),
        ] {
            #expect(
                #expect(throws: GateError.self) { try device.applied(command, as: .anna) }?.code == .permissionDenied)
        }
    }

    @Test("an administrator can give a revoked purchase to another holder, by naming the holder")
    func rebound() throws {
        var device = try device()
        try device.buy()
        let purchase = try #require(device.stored.claims[Claim.ID(.storeKit, "1")]).purchase
        let again = Command.submit(
            .storeKit(originalTransaction: "1", purchase: purchase, renewal: nil, notificationID: nil),
            for: .account("anna"))
        #expect(#expect(throws: GateError.self) { try device.applied(again, as: .root) }?.reason == .othersPurchase)
        try device.apply(.revokeClaim(Claim.ID(.storeKit, "1")), as: .root)
        #expect(#expect(throws: GateError.self) { try device.applied(again, as: .shop) }?.reason == .othersPurchase)
        try device.apply(again, as: .root)
        let claim = try #require(device.stored.claims[Claim.ID(.storeKit, "1")])
        #expect(claim.holder == .account("anna") && claim.revokedHere == nil)
    }

    @Test("a customer that the configuration no longer names has no entitlement here")
    func customerGone() throws {
        var device = try device()
        let pro = ProviderStatement.CustomerEntitlement(
            purchase: ClaimedPurchase(
                item: "pro", product: "pro", purchasedAt: device.wallTime, expiresAt: nil, saidAt: device.wallTime),
            renewal: nil)
        try device.apply(.submit(.revenueCat(appUser: "tablet", [pro], saidAt: device.wallTime), for: nil), as: .shop)
        #expect(device.state.entitlements.isSubscriptionActive)
        var configuration = device.state.configuration
        configuration.customers = [:]
        try device.apply(.configure(configuration, detail: ""), as: .daemon)
        #expect(!device.state.entitlements.isSubscriptionActive)
    }

    @Test("a kept grant does not replace the entitlement that a gate requires (F-15)")
    func keptGrant() throws {
        var device = try device()
        var configuration = device.state.configuration
        configuration.gatedActions["premium.filters"] = GatedAction(
            title: "Premium filters",
            requirement: .all([.entitlement("premium"), .challenge(ChallengeRule(.arithmeticEntry))]),
            keep: .seconds(10_000))
        try device.apply(.configure(configuration, detail: ""), as: .daemon)
        try device.buy(for: .seconds(600))
        let question = try device.authorize("premium.filters", as: .anna).presentation()
        try device.answerRight(question, as: .anna)
        _ = try device.authorize("premium.filters", as: .anna).grant()
        try device.pass(.seconds(600))
        #expect(try device.authorize("premium.filters", as: .anna).presentation().content.kind == .paywall)
    }

    @Test("providers hear of open paywalls, and of nothing else of other people's")
    func seenByProviders() throws {
        var device = try device(.mara)
        try device.apply(ask(), as: .anna)
        _ = try device.waitFor("link.open", as: .ben)
        #expect(device.state.presentations(visibleTo: .shop).map(\.kind) == [.paywall])
        #expect(device.state.mayReadClaims(.shop) && !device.state.mayReadClaims(.anna))
    }

    @Test("while the store is closed for damage nothing is paid for")
    func damaged() throws {
        var device = try device()
        try device.buy()
        try device.apply(.closeForDamage(quarantinedFile: "x"), as: .daemon)
        #expect(!device.state.entitlements.isSubscriptionActive)
        #expect(#expect(throws: GateError.self) { try device.applied(ask(), as: .anna) }?.reason == .storeDamaged)
    }

    @Test("entitlements are active after a restart, without an entry in the journal")
    func start() throws {
        var device = try device()
        try device.buy()
        var again = Device(device.stored, configuration: device.state.configuration)
        again.wallTime = device.wallTime
        try again.apply(.start, as: .daemon)
        #expect(again.state.entitlements.isSubscriptionActive && again.kinds() == [.started])
    }
}
