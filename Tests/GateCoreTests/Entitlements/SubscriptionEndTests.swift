import CommandSupport
import GateModel
import GateScripting
import Testing

@testable import GateCore

@Suite("Until when a subscription is active")
struct SubscriptionEndTests {
    /// A device where up to three purchases were made, each by the device or by Anna, who may be signed in.
    private func device(_ chance: inout SeededGenerator) throws -> Device {
        var device = Device(configuration: .premium)
        device.wallTime = WallTime(unixMilliseconds: 1_767_225_600_000)
        try device.register("anna")
        try device.apply(.register(.everything), as: .mara)
        if Bool.random(using: &chance) { try device.logIn("anna", as: .anna) }
        func moment(_ seconds: [Int64?]) -> WallTime? {
            seconds.randomElement(using: &chance).flatMap { $0 }.map {
                WallTime(unixMilliseconds: device.wallTime.unixMilliseconds + $0 * 1000)
            }
        }
        for transaction in 1...Int.random(in: 1...3, using: &chance) {
            let purchase = ClaimedPurchase(
                item: "monthly", product: "monthly", purchasedAt: device.wallTime,
                expiresAt: moment([nil, nil, -5, 60, 600, 1800, 3600, 5000]),
                revokedAt: moment([nil, nil, nil, -1, 300, 4000]), saidAt: device.wallTime)
            let renewal = SubscriptionRenewal(
                isInBillingRetry: Bool.random(using: &chance), gracePeriodEndsAt: moment([nil, 30, 700, 6000]),
                saidAt: device.wallTime)
            try device.apply(
                .submit(
                    .storeKit(
                        originalTransaction: "\(transaction)", purchase: purchase, renewal: renewal,
                        notificationID: nil), for: Bool.random(using: &chance) ? .device : .account("anna")),
                as: .shop)
        }
        return device
    }

    @Test("the subscription ends exactly when its last purchase, its grace period or the session does")
    func endsWithTime() throws {
        var (endings, neverEnding) = (0, 0)
        for seed in UInt64(1)...50 {
            var chance = SeededGenerator(seed: seed)
            let device = try device(&chance)
            let end = device.state.subscriptionEnd
            #expect((end != nil) == device.state.entitlements.isSubscriptionActive)
            if end == .never { neverEnding += 1 } else if end != nil { endings += 1 }
            var moments: [Duration] = [59, 60, 300, 1800, 3600, 4000, 7000].map { .seconds($0) }
            if let end, end != .never {
                let left = device.now.duration(to: end)
                moments += [left - .milliseconds(1), left, left + .milliseconds(1)]
            }
            for moment in moments {
                var later = device
                try later.pass(moment)
                let isActive = later.state.entitlements.isSubscriptionActive
                #expect(isActive == (later.now < end ?? later.now), "seed \(seed), after \(moment)")
            }
        }
        #expect(endings > 10 && neverEnding > 1)
    }

    @Test("the end is a moment of the boot clock, and follows when the wall clock is set")
    func wallClockIsSet() throws {
        var device = Device(configuration: .premium)
        device.wallTime = WallTime(unixMilliseconds: 1_767_225_600_000)
        try device.buy(holder: .device)
        #expect(device.state.subscriptionEnd == device.now.advanced(by: .seconds(3600)))
        device.wallTime.unixMilliseconds += 1_000_000
        try device.apply(.deadlineReached, as: .daemon)
        #expect(device.state.subscriptionEnd == device.now.advanced(by: .seconds(2600)))
        device.wallTime.unixMilliseconds -= 3_000_000
        try device.apply(.deadlineReached, as: .daemon)
        #expect(device.state.subscriptionEnd == device.now.advanced(by: .seconds(5600)))
        device.wallTime.unixMilliseconds += 100_000_000
        try device.apply(.deadlineReached, as: .daemon)
        #expect(device.state.subscriptionEnd == nil)
    }

    @Test("without an entitlement behind the paywall, or with a damaged store, there is no end")
    func none() throws {
        var device = Device(configuration: .premium)
        device.wallTime = WallTime(unixMilliseconds: 1_767_225_600_000)
        try device.buy(holder: .device)
        try device.apply(.closeForDamage(quarantinedFile: "damaged-1"), as: .daemon)
        #expect(device.state.subscriptionEnd == nil)
        #expect(Device(configuration: .builtIn).state.subscriptionEnd == nil)
    }

    @Test("what ended by its time while the daemon was stopped is journalled at the next start, and once (F-50)")
    func endedWhileStopped() throws {
        var configuration = Configuration.premium
        configuration.signIn.isRequired = false
        var device = Device(configuration: configuration)
        device.wallTime = WallTime(unixMilliseconds: 1_767_225_600_000)
        try device.buy(for: .seconds(600))
        let last = try #require(device.journal.last?.time)

        func started(after seconds: Int64, lastEntry: WallTime?) throws -> Device {
            var again = Device(device.stored, configuration: configuration)
            again.wallTime.unixMilliseconds = device.wallTime.unixMilliseconds + seconds * 1000
            try again.apply(.daemon(.start(lastEntry: lastEntry)), as: .daemon)
            return again
        }
        let late = try started(after: 600, lastEntry: last)
        #expect(late.kinds() == [.started, .entitlementChanged] && !late.state.entitlements.isSubscriptionActive)
        #expect(late.journal.last?.detail == "premium: subscribed → expired")
        let later = try started(after: 700, lastEntry: late.journal.last?.time)
        #expect(later.kinds() == [.started] && !later.state.entitlements.isSubscriptionActive)

        #expect(try started(after: 599, lastEntry: last).kinds() == [.started])
        #expect(try started(after: 600, lastEntry: nil).kinds() == [.started], "the journal was empty")
        // The clock was set back meanwhile: what is active by it is so without an entry.
        let early = try started(after: 0, lastEntry: late.journal.last?.time)
        #expect(early.kinds() == [.started] && early.state.entitlements.isSubscriptionActive)
    }
}
