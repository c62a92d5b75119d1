import GateModel
import GateScripting
import Testing

@testable import GateCore

/// Now is 1000.
private let now = WallTime.at(1000)

/// The status of a claim, and how it came to that.
private enum Stand: Int, CaseIterable {
    /// In the order of the table: each outweighs those below it.
    case forEver, longGrace, subscribed, shortGrace, billingRetry, expired, revoked

    func claim(_ provider: ClaimProvider, _ holder: Claim.Holder, name: String, saidAt: Int64) -> Claim {
        let item =
            switch provider {
            case .storeKit: "monthly"
            case .revenueCat: "pro"
            case .manual, .unrecognized: "premium"
            }
        let (end, renewal): (Int64?, SubscriptionRenewal?) =
            switch self {
            case .forEver: (nil, nil)
            case .longGrace: (900, .of(graceUntil: 3000))
            case .subscribed: (2000, nil)
            case .shortGrace: (900, .of(graceUntil: 1500))
            case .billingRetry: (900, .of(graceUntil: nil))
            case .expired: (900, .of(graceUntil: 950, retries: false))
            case .revoked: (2000, nil)
            }
        return Claim(
            id: Claim.ID(provider, name), holder: holder,
            purchase: .of(item, until: end, revokedAt: self == .revoked ? 800 : nil, saidAt: saidAt), renewal: renewal)
    }

    var status: Entitlement.Status {
        switch self {
        case .forEver, .subscribed: .subscribed
        case .longGrace, .shortGrace: .inGracePeriod
        case .billingRetry: .inBillingRetry
        case .expired: .expired
        case .revoked: .revoked
        }
    }

    var until: WallTime? {
        switch self {
        case .forEver, .billingRetry, .expired, .revoked: nil
        case .longGrace: .at(3000)
        case .subscribed: .at(2000)
        case .shortGrace: .at(1500)
        }
    }

    /// Which of two claims decides, if both count: the first, whose row it is and which was said later, or the second.
    ///
    ///     forEver  longGrace  subscribed  shortGrace  billingRetry  expired  revoked
    static let deciding: [[Int]] = [
        [1, 1, 1, 1, 1, 1, 1],  // forEver
        [2, 1, 1, 1, 1, 1, 1],  // longGrace
        [2, 2, 1, 1, 1, 1, 1],  // subscribed
        [2, 2, 2, 1, 1, 1, 1],  // shortGrace
        [2, 2, 2, 2, 1, 1, 1],  // billingRetry
        [2, 2, 2, 2, 2, 1, 1],  // expired
        [2, 2, 2, 2, 2, 2, 1],  // revoked
    ]
}

@Suite("What entitlements follow from claims")
struct EntitlementRulesTests {
    private let annas = EntitlementRules(configuration: .selling, account: "anna")

    private func premium(_ claims: [Claim], account: String? = "anna", at time: WallTime = now) -> Entitlement? {
        EntitlementRules(configuration: .selling, account: account).resolved(claims, at: time).entitlements
            .first { $0.id == "premium" }
    }

    // MARK: - One claim

    @Test(
        "a claim of each provider in each status gives the entitlement that the table says",
        arguments: ClaimProvider.allCases)
    func oneClaim(provider: ClaimProvider) {
        for stand in Stand.allCases {
            let claim = stand.claim(provider, .device, name: "1", saidAt: 500)
            #expect(EntitlementRules.status(of: claim, at: now) == stand.status, "\(stand)")
            let state = annas.resolved([claim], at: now)
            #expect(
                state.entitlements == [
                    Entitlement(id: "family", title: "For all of us", source: nil),
                    Entitlement(
                        id: "premium", title: "Premium",
                        source: Entitlement.Source(
                            provider: provider, saidAt: .at(500), status: stand.status,
                            product: claim.purchase.product, holder: .device, until: stand.until)),
                ], "\(stand)")
            #expect(state.isSubscriptionActive == stand.status.isActive, "\(stand)")
            #expect(annas.nextChange(of: [claim], after: now) == stand.until, "\(stand)")
        }
    }

    /// The status of a claim just before, at and just after each time that it names.
    @Test(
        "a status begins exactly at its moment",
        arguments: [
            (
                ClaimedPurchase.of(until: 2000), nil,
                [(0, .subscribed), (1999, .subscribed), (2000, .expired), (2001, .expired)]
            ),
            (.of(until: nil), nil, [(.min, .subscribed), (.max, .subscribed)]),
            (
                .of(until: 2000), .of(graceUntil: 3000),
                [
                    (1999, .subscribed), (2000, .inGracePeriod), (2001, .inGracePeriod), (2999, .inGracePeriod),
                    (3000, .inBillingRetry), (3001, .inBillingRetry),
                ]
            ),
            (
                .of(until: 2000), .of(graceUntil: 3000, retries: false),
                [(1999, .subscribed), (2000, .inGracePeriod), (2999, .inGracePeriod), (3000, .expired)]
            ),
            (
                .of(until: 2000), .of(graceUntil: nil),
                [(1999, .subscribed), (2000, .inBillingRetry), (.max, .inBillingRetry)]
            ),
            (
                .of(until: 2000), .of(graceUntil: 1500),
                [(1499, .subscribed), (1500, .subscribed), (2000, .inBillingRetry)]
            ),
            (
                .of(until: 2000, revokedAt: 1200), .of(graceUntil: 3000),
                [(1199, .subscribed), (1200, .revoked), (1201, .revoked), (2000, .revoked), (3000, .revoked)]
            ),
            (
                .of(until: 2000, revokedAt: 2500), .of(graceUntil: 3000),
                [(2000, .inGracePeriod), (2499, .inGracePeriod), (2500, .revoked), (3000, .revoked)]
            ),
            (.of(until: 2000, revokedAt: 2000), nil, [(1999, .subscribed), (2000, .revoked)]),
            (.of(until: nil, revokedAt: 1200), nil, [(1199, .subscribed), (1200, .revoked)]),
        ] as [(ClaimedPurchase, SubscriptionRenewal?, [(Int64, Entitlement.Status)])])
    func moments(purchase: ClaimedPurchase, renewal: SubscriptionRenewal?, expected: [(Int64, Entitlement.Status)]) {
        let claim = Claim(id: Claim.ID(.storeKit, "1"), holder: .device, purchase: purchase, renewal: renewal)
        for (time, status) in expected {
            #expect(EntitlementRules.status(of: claim, at: .at(time)) == status, "at \(time)")
        }
    }

    @Test(
        "a claim that an administrator revoked stays revoked, whatever the clock and the provider say",
        arguments: Stand.allCases)
    fileprivate func revokedHere(stand: Stand) {
        var claim = stand.claim(.storeKit, .device, name: "1", saidAt: 500)
        claim.revokedHere = .at(5000)
        for time in [Int64.min, 0, 1000, 5000, .max] {
            #expect(EntitlementRules.status(of: claim, at: .at(time)) == .revoked)
            #expect(annas.nextChange(of: [claim], after: .at(time)) == nil)
        }
    }

    @Test("an entitlement's last word is the provider's newest one, about the purchase or its renewal")
    func saidAt() {
        var claim = Stand.shortGrace.claim(.storeKit, .device, name: "1", saidAt: 500)
        #expect(premium([claim])?.source?.saidAt == .at(500))
        claim.renewal?.saidAt = .at(700)
        #expect(premium([claim])?.source?.saidAt == .at(700))
    }

    // MARK: - Two claims

    /// 7 × 7 ways to stand, 3 × 3 holders, 3 ways to be signed in, for each pair of providers.
    @Test(
        "of two claims, the one that the table names decides", arguments: ClaimProvider.allCases, ClaimProvider.allCases
    )
    func twoClaims(first: ClaimProvider, second: ClaimProvider) {
        /// Whose claims count for whom.
        let counting: [(account: String?, holders: [Claim.Holder])] = [
            (nil, [.device]), ("anna", [.device, .anna]), ("ben", [.device, .ben]),
        ]
        for one in Stand.allCases {
            for two in Stand.allCases {
                for holderOfOne in [Claim.Holder.device, .anna, .ben] {
                    for holderOfTwo in [Claim.Holder.device, .anna, .ben] {
                        let claims = [
                            one.claim(first, holderOfOne, name: "1", saidAt: 600),
                            two.claim(second, holderOfTwo, name: "2", saidAt: 500),
                        ]
                        for (account, holders) in counting {
                            let expected: Int? =
                                switch (holders.contains(holderOfOne), holders.contains(holderOfTwo)) {
                                case (true, true): Stand.deciding[one.rawValue][two.rawValue]
                                case (true, false): 1
                                case (false, true): 2
                                case (false, false): nil
                                }
                            let stand = expected.map { $0 == 1 ? one : two }
                            let source = stand.map { stand in
                                Entitlement.Source(
                                    provider: expected == 1 ? first : second, saidAt: .at(expected == 1 ? 600 : 500),
                                    status: stand.status, product: claims[expected == 1 ? 0 : 1].purchase.product,
                                    holder: expected == 1 ? holderOfOne : holderOfTwo, until: stand.until)
                            }
                            let found = premium(claims, account: account)
                            guard found?.source != source || found != premium(claims.reversed(), account: account)
                            else {
                                continue
                            }
                            Issue.record(
                                "\(one) for \(holderOfOne) and \(two) for \(holderOfTwo), \(account ?? "nobody")")
                        }
                    }
                }
            }
        }
    }

    @Test("of two subscribed claims, the one that lasts longer with its grace period decides")
    func graceToCome() {
        var sooner = Stand.subscribed.claim(.storeKit, .device, name: "1", saidAt: 500)
        let later = Stand.subscribed.claim(.revenueCat, .device, name: "2", saidAt: 600)
        #expect(premium([sooner, later])?.source?.provider == .revenueCat)
        sooner.renewal = .of(graceUntil: 2500)
        #expect(premium([sooner, later])?.source?.provider == .storeKit)
        #expect(premium([sooner, later])?.source?.until == .at(2000))
        sooner.purchase.revokedAt = .at(1900)
        #expect(premium([sooner, later])?.source?.provider == .revenueCat)
    }

    @Test("a refund at one provider leaves the other provider's claim active")
    func fallback() {
        let taken = Stand.revoked.claim(.storeKit, .anna, name: "1", saidAt: 900)
        let paid = Stand.subscribed.claim(.revenueCat, .anna, name: "2", saidAt: 100)
        #expect(premium([taken, paid])?.source?.provider == .revenueCat)
        #expect(premium([taken, paid])?.isActive == true)
    }

    // MARK: - What a claim is about

    @Test("a claim for an unconfigured item, or for an entitlement that the policy does not define, gives nothing")
    func names() {
        for (provider, item, name) in [
            (.storeKit, "monthly", "premium"), (.storeKit, "household", "family"), (.storeKit, "pro", nil),
            (.storeKit, "premium", nil), (.revenueCat, "pro", "premium"), (.revenueCat, "monthly", nil),
            (.revenueCat, "undefined", nil), (.manual, "premium", "premium"), (.manual, "family", "family"),
            (.manual, "monthly", nil), (.manual, "gold", nil),
        ] as [(ClaimProvider, String, String?)] {
            let claim = Claim(id: Claim.ID(provider, "1"), holder: .device, purchase: .of(item))
            #expect(annas.entitlementName(of: claim) == name, "\(provider) \(item)")
            let active = annas.resolved([claim], at: now).entitlements.filter(\.isActive).map(\.id)
            #expect(active == [name].compactMap { $0 }, "\(provider) \(item)")
            #expect((annas.nextChange(of: [claim], after: now) == nil) == (name == nil), "\(provider) \(item)")
        }
    }

    @Test("the subscription is the entitlement that the paywall names, or else the only one there is")
    func subscription() {
        let claim = Stand.subscribed.claim(.storeKit, .device, name: "1", saidAt: 1)
        var configuration = Configuration.selling
        for (paywall, isAlone, expected) in [
            ("premium", false, true), ("family", false, false), (nil, false, false), (nil, true, true),
            ("family", true, false),
        ] {
            configuration.paywall.entitlement = paywall
            configuration.entitlements["family"] = isAlone ? nil : EntitlementDefinition(title: "For all of us")
            let state = EntitlementRules(configuration: configuration, account: nil).resolved([claim], at: now)
            #expect(state.isSubscriptionActive == expected, "\(paywall ?? "none"), \(isAlone)")
        }
    }

    // MARK: - What is always so

    private static func someClaims(_ random: inout SeededGenerator) -> [Claim] {
        (0..<Int.random(in: 0...5, using: &random)).map { number in
            func time(_ odds: Int) -> Int64? {
                Int.random(in: 0..<odds, using: &random) == 0 ? nil : Int64.random(in: 0...12, using: &random)
            }
            let items: [(ClaimProvider, String)] = [
                (.storeKit, "monthly"), (.storeKit, "household"), (.revenueCat, "pro"), (.manual, "premium"),
                (.revenueCat, "undefined"),
            ]
            let (provider, item) = items[Int.random(in: 0..<items.count, using: &random)]
            let isRevoked = Int.random(in: 0..<4, using: &random) == 0
            return Claim(
                id: Claim.ID(provider, "\(number)"),
                holder: [.device, .anna, .ben].randomElement(using: &random) ?? .device,
                purchase: .of(
                    item, until: time(4), revokedAt: isRevoked ? time(3) : nil,
                    saidAt: Int64.random(in: 0...2, using: &random)),
                renewal: Bool.random(using: &random)
                    ? nil
                    : .of(
                        graceUntil: time(2), retries: Bool.random(using: &random),
                        saidAt: Int64.random(in: 0...2, using: &random)))
        }
    }

    @Test("an additional inactive claim never takes an entitlement away, and the order of claims does not matter")
    func additions() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<3000 {
            let time = WallTime.at(Int64.random(in: 0...13, using: &random))
            let claims = Self.someClaims(&random)
            let state = annas.resolved(claims, at: time)
            #expect(annas.resolved(claims.shuffled(using: &random), at: time) == state)
            let inactive = Self.someClaims(&random).filter { !EntitlementRules.status(of: $0, at: time).isActive }
                .map { claim in
                    var claim = claim
                    claim.id.name += " more"
                    return claim
                }
            let more = annas.resolved(claims + inactive, at: time)
            #expect(more.entitlements.map(\.isActive) == state.entitlements.map(\.isActive))
            #expect(more.isSubscriptionActive == state.isSubscriptionActive)
            for (before, after) in zip(state.entitlements, more.entitlements) where before.isActive {
                #expect(before == after)
            }
        }
    }

    @Test("nothing changes before the computed next change, and at that moment a claim's status changes")
    func changes() {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<1500 {
            let claims = Self.someClaims(&random)
            let counting = claims.filter { $0.holder != .ben && annas.entitlementName(of: $0) != nil }
            for time in Int64(-1)...13 {
                let state = annas.resolved(claims, at: .at(time))
                let next = annas.nextChange(of: claims, after: .at(time))
                for later in time...(next?.unixMilliseconds ?? 20) - (next == nil ? 0 : 1) {
                    #expect(annas.resolved(claims, at: .at(later)) == state)
                }
                guard let next else { continue }
                #expect(next > .at(time))
                #expect(
                    counting.contains {
                        EntitlementRules.status(of: $0, at: next) != EntitlementRules.status(of: $0, at: .at(time))
                    })
            }
        }
    }
}
