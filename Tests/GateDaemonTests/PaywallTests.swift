import GateModel
import GateProtocol
import Testing

@testable import GateDaemon

@Suite("Paywalls over the wire", .timeLimit(.minutes(10)))
struct PaywallTests {
    private static let policy = LiveGate.signInPolicy.replacing("required: true", with: "required: false")

    private func pay(_ root: Connected) async throws {
        _ = try await root.call(
            Methods.Entitlements.addClaim, AddClaimRequest(entitlement: "premium", holder: .device, expiresAt: nil))
    }

    @Test("a purchase that lands while the paywall is open closes it as paid")
    func paid() async throws {
        try await LiveGate.with(policy: Self.policy) { gate, _ in
            let (root, anna, screen) = (
                try await gate.connect("root"), try await gate.connect("anna"), try await gate.connect("screen")
            )
            var stream = try await screen.register()
            async let outcome = anna.call(
                Methods.Entitlements.requestPaywall, RequestPaywallRequest(paywall: PaywallRequest()))
            let shown = try await screen.claim(from: &stream)
            guard case .paywall(let paywall) = shown.content else {
                Issue.record("no paywall: \(shown)")
                return
            }
            #expect(paywall.entitlement == "premium")
            try await pay(root)
            #expect(try await outcome.outcome == .paid)
            while try await stream.next()?.presentation != nil {}
            let again = try await anna.call(
                Methods.Entitlements.requirePremium,
                RequirePremiumRequest(paywall: PaywallRequest(), presenting: .here))
            #expect(again.result == .outcome(.activeAlready))
        }
    }

    @Test("a provider is asked to restore a purchase; without a provider the person is told so (K-11)")
    func restoring() async throws {
        try await LiveGate.with(policy: Self.policy) { gate, _ in
            let (anna, screen, shop) = (
                try await gate.connect("anna"), try await gate.connect("screen"), try await gate.connect("shop")
            )
            var stream = try await screen.register()
            async let refusal = anna.refusal(
                of: Methods.Entitlements.requestPaywall, RequestPaywallRequest(paywall: PaywallRequest()))
            let shown = try await screen.claim(from: &stream)
            let restore = ReportRequest(cookie: shown.cookie, input: .restore)
            let refused = await screen.refusal(of: Methods.Presentations.report, restore)
            #expect(refused?.reason == .notSetUp && refused?.parameters["what"] == "provider")
            var watch = try await shop.open(Methods.Watch.watch, WatchRequest(topics: [.presentations]))
            _ = try await watch.next()
            _ = try await screen.call(Methods.Presentations.report, restore)
            while try await watch.next()?.presentations?.first?.restoreCount != 1 {}
            _ = try await screen.call(Methods.Presentations.dismiss, DismissRequest(cookie: shown.cookie))
            #expect(await refusal?.reason == .dismissed)
        }
    }

    @Test("a dismissed paywall is refused as dismissed, and one without a presenter at once")
    func dismissed() async throws {
        try await LiveGate.with(policy: Self.policy) { gate, _ in
            let (anna, screen) = (try await gate.connect("anna"), try await gate.connect("screen"))
            let request = RequestPaywallRequest(paywall: PaywallRequest())
            #expect(await anna.refusal(of: Methods.Entitlements.requestPaywall, request)?.reason == .noPresenter)
            var stream = try await screen.register()
            async let refusal = anna.refusal(of: Methods.Entitlements.requestPaywall, request)
            let shown = try await screen.claim(from: &stream)
            _ = try await screen.call(Methods.Presentations.dismiss, DismissRequest(cookie: shown.cookie))
            #expect(await refusal?.reason == .dismissed)
            let unknown = await anna.refusal(
                of: Methods.Entitlements.requestPaywall,
                RequestPaywallRequest(paywall: PaywallRequest(entitlement: "premum")))
            #expect(unknown?.code == .notFound)
        }
    }

    @Test("a program that shows its own paywall waits until it is paid for")
    func awaited() async throws {
        try await LiveGate.with(policy: Self.policy) { gate, _ in
            let (root, anna) = (try await gate.connect("root"), try await gate.connect("anna"))
            let opened = try await anna.call(
                Methods.Entitlements.requirePremium,
                RequirePremiumRequest(paywall: PaywallRequest(), presenting: .here))
            guard case .presentation(let shown) = opened.result else {
                Issue.record("nothing to show: \(opened)")
                return
            }
            async let closed = anna.call(Methods.Presentations.awaitClosing, AwaitClosingRequest(cookie: shown.cookie))
            try await pay(root)
            #expect(try await closed.result == .done)
        }
    }

    @Test("signing in and paying are steps of an authorization, one after the other, up to the grant")
    func steps() async throws {
        try await LiveGate.with(policy: Self.policy) { gate, _ in
            let (root, anna) = (try await gate.connect("root"), try await gate.connect("anna"))
            try await root.register("Anna", "open sesame")
            let opened = try await anna.call(
                Methods.Authorization.authorize, AuthorizeRequest("filters", presenting: .here))
            let first = try #require(opened.presentation)
            #expect(first.summary.kind == .signIn)
            async let second = anna.call(Methods.Presentations.awaitClosing, AwaitClosingRequest(cookie: first.cookie))
            _ = try await anna.logIn("Anna", "open sesame")
            guard case .next(let paywall) = try await second.result else {
                Issue.record("nothing follows the sign-in")
                return
            }
            #expect(paywall.summary.kind == .paywall)
            async let last = anna.call(Methods.Presentations.awaitClosing, AwaitClosingRequest(cookie: paywall.cookie))
            try await pay(root)
            guard case .grant(let grant) = try await last.result else {
                Issue.record("no grant")
                return
            }
            #expect(grant.gatedAction == "filters")
        }
    }

    @Test("a provider hears of paywalls and of nothing else that others ask for")
    func providers() async throws {
        try await LiveGate.with(policy: Self.policy) { gate, _ in
            let (anna, ben, shop) = (
                try await gate.connect("anna"), try await gate.connect("ben"), try await gate.connect("shop")
            )
            var (theirs, his) = (
                try await shop.open(Methods.Watch.watch, WatchRequest(topics: [.presentations])),
                try await ben.open(Methods.Watch.watch, WatchRequest(topics: [.presentations]))
            )
            #expect(try await theirs.next()?.presentations == [])
            #expect(try await his.next()?.presentations == [])
            // A connection may have one question.
            let other = try await gate.connect("anna")
            _ = try await other.call(
                Methods.Authorization.authorize, AuthorizeRequest("link.open", presenting: .here))
            _ = try await anna.call(
                Methods.Entitlements.requirePremium,
                RequirePremiumRequest(paywall: PaywallRequest(), presenting: .here))
            let told = try await theirs.next()?.presentations
            #expect(told?.map(\.kind) == [.paywall])
            // The next question that Ben is told of is his own.
            _ = try await ben.call(
                Methods.Authorization.authorize, AuthorizeRequest("link.open", presenting: .here))
            #expect(try await his.next()?.presentations?.map(\.asked.uid) == [1002])
        }
    }

    @Test("a user who becomes a provider is told of the open paywalls")
    func roleChanges() async throws {
        try await LiveGate.with(policy: Self.policy) { gate, _ in
            let (root, anna, ben) = (
                try await gate.connect("root"), try await gate.connect("anna"), try await gate.connect("ben")
            )
            _ = try await anna.call(
                Methods.Entitlements.requirePremium,
                RequirePremiumRequest(paywall: PaywallRequest(), presenting: .here))
            var his = try await ben.open(Methods.Watch.watch, WatchRequest(topics: [.presentations]))
            #expect(try await his.next()?.presentations == [])
            gate.policyText.value = Self.policy.replacing("users: [shop]", with: "users: [shop, ben]")
            _ = try await root.call(Methods.Control.reload, ReloadRequest())
            #expect(try await his.next()?.presentations?.map(\.kind) == [.paywall])
        }
    }
}
