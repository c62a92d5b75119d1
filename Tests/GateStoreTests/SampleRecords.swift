import GateCore
import GateModel

extension GatePerson {
    static let anna = GatePerson(name: "anna", kind: .grownUp)
    static let ben = CivilDate(year: 2016, month: 2, day: 29).map { GatePerson(name: "ben", kind: .child(born: $0)) }
}

extension Claim {
    static let annasSubscription = Claim(
        id: Claim.ID(.storeKit, "2000000123456789"), holder: .account("anna"),
        purchase: ClaimedPurchase(
            item: "org.example.monthly", product: "org.example.monthly",
            purchasedAt: WallTime(unixMilliseconds: 1_767_225_600_000),
            expiresAt: WallTime(unixMilliseconds: 1_769_904_000_000),
            saidAt: WallTime(unixMilliseconds: 1_767_225_601_000)),
        renewal: SubscriptionRenewal(
            isInBillingRetry: true, gracePeriodEndsAt: WallTime(unixMilliseconds: 1_770_508_800_000),
            saidAt: WallTime(unixMilliseconds: 1_769_904_001_000)),
        revokedHere: WallTime(unixMilliseconds: 1_769_999_999_999))

    static let devicesPresent = Claim(
        id: Claim.ID(.manual, "1"), holder: .device,
        purchase: ClaimedPurchase(
            item: "premium", product: "", purchasedAt: WallTime(unixMilliseconds: 0), expiresAt: nil,
            saidAt: WallTime(unixMilliseconds: 0)))
}

/// Random records and changes of them: few names, so that they meet again, some of them in two spellings.
struct RecordChanges {
    var random: SplitMix

    private static let names = ["anna", "ben", "zoë", "zoe\u{308}", "K", "\u{212A}", "o'hara; --", "家族", "🔑"]

    /// One person in four has no password.
    private mutating func hash() -> String? {
        let number = random.next()
        return number % 4 == 0 ? nil : "$y$j9T$\(number)"
    }

    mutating func next() -> RecordChange {
        switch random.number(below: 11) {
        case 0: .personSet(account(), passwordHash: hash())
        case 1: .personRemoved(name: name())
        case 2, 3: .claimSet(claim())
        case 4: .claimRemoved(claimID())
        case 5: .nextManualClaimSet(UInt64(1 + random.number(below: 1000)))
        case 6 where random.number(below: 3) > 0: .customerHeard(appUser: name(), at: time())
        case 6: .customerForgotten(appUser: name())
        case 7: .notificationTaken(id: name(), order: UInt64(1 + random.number(below: 100)))
        case 8:
            .gateChoiceSet(
                gatedAction: name(), notation: "{requires: {mode: parent}, keep: \(1 + random.number(below: 9))m}")
        case 9: .gateChoiceRemoved(gatedAction: name())
        case _: .notificationForgotten(id: name())
        }
    }

    mutating func name() -> String { Self.names[random.number(below: Self.names.count)] }

    mutating func time() -> WallTime {
        let edges: [Int64] = [.min, -1, 0, 1, 1_767_225_600_000, .max]
        return WallTime(unixMilliseconds: edges[random.number(below: edges.count)])
    }

    private mutating func perhaps<Value>(_ make: (inout RecordChanges) -> Value) -> Value? {
        random.number(below: 2) == 0 ? nil : make(&self)
    }

    private mutating func account() -> GatePerson {
        let born = CivilDate(year: random.number(below: 10_000), month: 1 + random.number(below: 12), day: 28)
        return GatePerson(name: name(), kind: perhaps { _ in born }?.map { .child(born: $0) } ?? .grownUp)
    }

    private mutating func claimID() -> Claim.ID {
        Claim.ID(ClaimProvider.allCases[random.number(below: ClaimProvider.allCases.count)], name())
    }

    private mutating func claim() -> Claim {
        Claim(
            id: claimID(), holder: perhaps { .account($0.name()) } ?? .device,
            purchase: ClaimedPurchase(
                item: name(), product: perhaps { $0.name() } ?? "", purchasedAt: time(),
                expiresAt: perhaps { $0.time() }, revokedAt: perhaps { $0.time() },
                isForTesting: random.number(below: 2) == 0, saidAt: time()),
            renewal: perhaps {
                SubscriptionRenewal(
                    isInBillingRetry: $0.random.number(below: 2) == 0, gracePeriodEndsAt: $0.perhaps { $0.time() },
                    saidAt: $0.time())
            },
            revokedHere: perhaps { $0.time() })
    }
}

/// The same numbers in every run (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func number(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}
