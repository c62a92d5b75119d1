import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("Whether providers are heard (F-50, K-11)")
struct ProviderHealthTests {
    private func device() throws -> Device {
        var configuration = Configuration.premium
        configuration.signIn.isRequired = false
        var device = Device(configuration: configuration)
        device.wallTime = WallTime(unixMilliseconds: 1_767_225_600_000)
        try device.register("anna")
        return device
    }

    @Test("one provider that is not heard leaves what it said, and the other, standing (F-50)")
    func providerDown() throws {
        var device = try device()
        try device.buy()
        let down = try device.apply(.reportProvider(.revenueCat, isReachable: false, detail: "no route"), as: .shop)
        #expect(down.audit.map(\.kind) == [.providerChanged] && device.state.entitlements.isSubscriptionActive)
        #expect(device.state.providers.map(\.provider) == [.revenueCat])
        #expect(device.state.providers.first?.health.isReachable == false)
        let since = device.state.providers.first?.health.since
        device.wallTime.unixMilliseconds += 5000
        let again = try device.apply(.reportProvider(.revenueCat, isReachable: false, detail: "no route"), as: .shop)
        #expect(!again.isChange)
        try device.apply(.reportProvider(.revenueCat, isReachable: false, detail: "no name"), as: .shop)
        #expect(device.state.providers.first?.health.since == since)
        try device.apply(.reportProvider(.revenueCat, isReachable: true, detail: ""), as: .shop)
        #expect(device.state.providers.first?.health.since == device.wallTime)
    }

    @Test(
        "a provider that repeats that it is reachable makes no change, but the time of its report is known (K-11)"
    )
    func lookedAgain() throws {
        var device = try device()
        try device.apply(.reportProvider(.revenueCat, isReachable: true, detail: ""), as: .shop)
        let first = try #require(device.state.providers.first?.health)
        #expect(first.lastReport == first.since)
        device.wallTime.unixMilliseconds += 5000
        let again = try device.apply(.reportProvider(.revenueCat, isReachable: true, detail: ""), as: .shop)
        #expect(!again.isChange && again.audit.isEmpty)
        let health = try #require(device.state.providers.first?.health)
        #expect(health.since == first.since && health.lastReport == device.wallTime)
        device.wallTime.unixMilliseconds += 5000
        try device.apply(.reportProvider(.revenueCat, isReachable: false, detail: "no route"), as: .shop)
        let down = try #require(device.state.providers.first?.health)
        #expect(down.since == device.wallTime && down.lastReport == device.wallTime)
    }
}
