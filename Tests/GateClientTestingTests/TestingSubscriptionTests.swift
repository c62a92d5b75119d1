import GateClient
import GateClientTesting
import Testing

private let policy = """
    entitlements: {premium: {title: Premium}}
    paywall: {provider: storekit}
    """

/// A state of F-59, reported by one of the providers.
private struct Said: Hashable, CustomStringConvertible {
    let provider: ClaimProvider
    let status: Entitlement.Status

    var description: String { "\(provider) \(status)" }

    static let all = [ClaimProvider.storeKit, .revenueCat].flatMap { provider in
        Entitlement.Status.allCases.map { Said(provider: provider, status: $0) }
    }
}

@Suite("Subscriptions on a device for tests")
struct TestingSubscriptionTests {
    @Test(
        "an app sees each state that a store can report, for the device and for an account (F-59)",
        arguments: Said.all)
    private func states(said: Said) async throws {
        try await TestingDevice.with(policy: policy) { device in
            let gate = device.client()
            try await device.register("anna")
            for holder in [Claim.Holder.device, .account("anna")] {
                try await device.subscribe("premium", through: said.provider, of: holder)
                try await device.setSubscription("premium", to: said.status, through: said.provider, of: holder)
                if holder == .account("anna") {
                    // Her entitlement is nobody else's.
                    try await device.expire("premium", through: said.provider, of: .device)
                    #expect(try await !gate.entitlements.isSubscriptionActive())
                    try await device.signIn("anna")
                }
                let state = try await gate.entitlements.state()
                let source = state.entitlements.first?.source
                #expect(state.isSubscriptionActive == said.status.isActive)
                #expect(source?.provider == said.provider)
                if said.status.isActive || holder == .device { #expect(source?.status == said.status) }
            }
        }
    }

    @Test("subscriptions, grace periods and an administrator's gift expire by themselves, and watchers are told")
    func runsOut() async throws {
        try await TestingDevice.with(policy: policy) { device in
            let gate = device.client()
            var changes = gate.entitlementUpdates.makeAsyncIterator()
            #expect(await changes.next()?.isSubscriptionActive == false)
            for provider in ClaimProvider.allCases {
                try await device.subscribe("premium", for: .seconds(60), through: provider)
                #expect(await changes.next()?.isSubscriptionActive == true, "\(provider)")
                await device.advance(by: .seconds(59))
                #expect(try await gate.entitlements.isSubscriptionActive())
                await device.advance(by: .seconds(1))
                #expect(await changes.next()?.isSubscriptionActive == false, "\(provider)")
            }
            try await device.startGracePeriod("premium", for: .seconds(60))
            #expect(await changes.next()?.entitlements.first?.source?.status == .inGracePeriod)
            await device.advance(by: .seconds(60))
            #expect(await changes.next()?.isSubscriptionActive == false)
        }
    }

    @Test(
        "paywalls of both styles can be paid for and dismissed, and need somebody to show them (F-52, F-59)",
        arguments: Presentation.Style.allCases)
    func paywalls(style: Presentation.Style) async throws {
        try await TestingDevice.with(policy: policy) { device in
            let gate = device.client()
            await device.person.answers(.dismissal)
            #expect(await gate.reason { try await $0.goPaywall(style: style) {} } == .dismissed)
            await device.person.answers(.nobodyThere)
            #expect(await gate.reason { try await $0.goPaywall(style: style) {} } == .noPresenter)
            for provider in [ClaimProvider.storeKit, .revenueCat] {
                await device.person.answers(.right)
                #expect(try await gate.goPaywall(provider: provider, style: style) {} == .paid)
                await device.person.answers(.nobodyThere)
                #expect(try await gate.goPaywall(provider: provider, style: style) {} == .activeAlready)
                try await device.refund("premium", through: provider)
            }
            #expect(device.person.shown.map(\.kind) == [.paywall, .paywall, .paywall])
        }
    }

    @Test(
        "an app's own paywall closes when somebody pays elsewhere; without a screen premium is refused (F-54)"
    )
    func elsewhere() async throws {
        try await TestingDevice.with(policy: policy) { device in
            let gate = device.client()
            await device.person.answers(.nobodyThere)
            let (shown, show) = AsyncStream.makeStream(of: Void.self)
            async let outcome = gate.requirePremium(
                presenting: { _ in
                    show.yield()
                    try? await Task.sleep(for: .seconds(3600))
                    return .closedByState
                }
            ) {}
            for await _ in shown { break }
            try await device.subscribe("premium")
            #expect(try await outcome == .paid)
        }
    }

    @Test("the test's person buys the product that the test names, as the providers' file knows it")
    func products() async throws {
        let providers = """
            revenuecat:
              public-key: appl_test
              unsigned: accepted
              entitlements: {pro: premium, gold: premium}
            """
        try await TestingDevice.with(policy: policy, providers: providers) { device in
            let gate = device.client()
            await device.person.answers(.paysAtPaywall(product: "pro"))
            let outcome = try await gate.goPaywall(provider: .revenueCat) {}
            #expect(outcome == .paid)
            #expect(try await gate.entitlements.state().entitlements.first?.source?.product == "pro")
        }
    }

    @Test("a status that the provider can't report, or an undefined entitlement, is refused")
    func impossible() async throws {
        try await TestingDevice.with(policy: policy) { device in
            await #expect(throws: GateError.self) {
                try await device.setSubscription("premium", to: .inBillingRetry, through: .manual)
            }
            await #expect(throws: GateError.self) { try await device.subscribe("platinum") }
        }
    }
}
