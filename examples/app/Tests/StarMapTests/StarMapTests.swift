import GateClientTesting
import StarMap
import Testing

/// What the app counts on. A real device's policy may say it otherwise.
private let policy = """
    gated-actions:
      link.open: {title: Open a web page, requires: {challenge: arithmetic-choice}}
    entitlements: {premium: {title: Premium}}
    """

@MainActor
@Suite("The star map at the gate")
struct StarMapTests {
    @Test("a page opens once the grown-up has answered, and not before or after a wrong answer")
    func links() async throws {
        try await TestingDevice.with(policy: policy) { device in
            let map = StarMap(gate: device.client())
            await map.open("https://example.org/mars")
            #expect(map.pages == ["https://example.org/mars"])

            await device.person.answers(.wrong)
            await map.open("https://example.org/venus")
            #expect(map.pages == ["https://example.org/mars"] && map.hint != nil)

            await device.person.answers(.dismissal)
            await map.open("https://example.org/venus")
            #expect(map.pages == ["https://example.org/mars"] && map.hint == nil)
        }
    }

    @Test("the nebulae show at once for the one who has premium")
    func active() async throws {
        try await TestingDevice.with(policy: policy) { device in
            try await device.subscribe("premium")
            await device.person.answers(.nobodyThere)
            let map = StarMap(gate: device.client())
            await map.showNebulae()
            #expect(map.layer == .nebulae && device.person.shown.isEmpty)
        }
    }

    @Test("at the paywall: paid, the nebulae show; dismissed, or with no screen to show it, they don't")
    func paywall() async throws {
        try await TestingDevice.with(policy: policy) { device in
            let map = StarMap(gate: device.client())
            await device.person.answers(.dismissal)
            await map.showNebulae()
            #expect(map.layer == .stars && map.hint == nil)

            await device.person.answers(.nobodyThere)
            await map.showNebulae()
            #expect(map.layer == .stars && map.hint != nil)

            await device.person.answers(.right)
            await map.showNebulae()
            #expect(map.layer == .nebulae)
        }
    }

    @Test(
        "premium that ends takes the nebulae away, however it ends",
        arguments: ["runs out", "refunded", "billing retry", "no daemon"])
    func ends(how: String) async throws {
        try await TestingDevice.with(policy: policy) { device in
            try await device.subscribe("premium", for: .seconds(3600))
            let map = StarMap(gate: device.client())
            await map.showNebulae()
            #expect(map.layer == .nebulae)
            let following = Task { await map.followEntitlements() }
            switch how {
            case "runs out": await device.advance(by: .seconds(3600))
            case "refunded": try await device.refund("premium")
            case "billing retry": try await device.startBillingRetry("premium")
            case _: await device.stopDaemon()
            }
            while map.layer == .nebulae { await Task.yield() }
            following.cancel()
        }
    }

    @Test("in the grace period the nebulae stay")
    func gracePeriod() async throws {
        try await TestingDevice.with(policy: policy) { device in
            try await device.startGracePeriod("premium", for: .seconds(3600))
            let map = StarMap(gate: device.client())
            await map.showNebulae()
            #expect(map.layer == .nebulae)
        }
    }

    @Test("a child's premium is hers: signed out, it is asked for again")
    func accounts() async throws {
        try await TestingDevice.with(policy: policy) { device in
            try await device.register("anna")
            try await device.signIn("anna")
            try await device.subscribe("premium")
            await device.person.answers(.dismissal)
            let map = StarMap(gate: device.client())
            await map.showNebulae()
            #expect(map.layer == .nebulae)
            try await device.expireSession()
            let next = StarMap(gate: device.client())
            await next.showNebulae()
            #expect(next.layer == .stars)
        }
    }
}
