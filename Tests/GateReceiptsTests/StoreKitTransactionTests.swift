import Foundation
import GateModel
import GateReceipts
import GateStoreKit
import ReceiptSupport
import Testing

@Suite("StoreKit: what a transaction says")
struct StoreKitTransactionTests {
    let store: SignedTransactions
    let verifier: StoreKitVerifier
    let now = SignedTransactions.now
    let monthLater = SignedTransactions.monthLater

    init() throws {
        store = try SignedTransactions()
        verifier = try StoreKitVerifier(store.settings)
    }

    /// The purchase of the sample with these fields changed; nil removes a field.
    func purchase(_ changes: [String: (any Sendable)?] = [:]) async throws -> ClaimedPurchase? {
        var payload = store.transactionPayload
        for (field, value) in changes { payload[field] = value }
        let jws = Array(try store.chain.sign(payload).utf8)
        guard
            case .storeKit("2000000000000001", let purchase, nil, nil, _) = try await verifier.transaction(jws, at: now)
        else { return nil }
        return purchase
    }

    /// The check that refuses the sample with these fields changed.
    func refusal(_ changes: [String: (any Sendable)?], at moment: WallTime? = nil) async throws -> ReceiptError.Check? {
        var payload = store.transactionPayload
        for (field, value) in changes { payload[field] = value }
        return try await verifier.refusal(of: store.chain.sign(payload), at: moment ?? now)
    }

    @Test("a subscription gives its product, purchase date, expiry and signing date")
    func subscription() async throws {
        let said = WallTime(unixMilliseconds: now.unixMilliseconds + 5000)
        let purchase = try await purchase(["signedDate": said.unixMilliseconds])
        #expect(
            purchase
                == ClaimedPurchase(
                    item: "gate.premium", product: "gate.premium", purchasedAt: now, expiresAt: monthLater, saidAt: said
                ))
    }

    @Test("the transactions of the test support are accepted")
    func samples() async throws {
        let revoked = WallTime(unixMilliseconds: now.unixMilliseconds + 1)
        let jws = try store.transaction(
            product: "gate.lifetime", original: "77", purchasedAt: now, expiresAt: nil, revokedAt: revoked)
        let statement = try await verifier.transaction(Array(jws.utf8), at: now)
        let purchase = ClaimedPurchase(
            item: "gate.lifetime", product: "gate.lifetime", purchasedAt: now, expiresAt: nil, revokedAt: revoked,
            saidAt: now)
        #expect(
            statement == .storeKit(originalTransaction: "77", purchase: purchase, renewal: nil, notificationID: nil))
    }

    @Test("a product that is bought once never expires")
    func nonConsumable() async throws {
        let purchase = try await purchase(["type": "Non-Consumable", "expiresDate": nil])
        #expect(purchase?.expiresAt == nil)
        #expect(purchase?.item == "gate.premium")
    }

    @Test("a subscription without an end is refused")
    func noEnd() async throws {
        #expect(try await refusal(["expiresDate": nil]) == .malformed)
        #expect(try await refusal(["expiresDate": NSNull()]) == .malformed)
    }

    @Test("a refund says when, whatever the reason, and keeps the rest")
    func revoked() async throws {
        let at = WallTime(unixMilliseconds: now.unixMilliseconds - 1)
        let purchase = try await purchase(["revocationDate": at.unixMilliseconds, "revocationReason": 0])
        #expect(purchase?.revokedAt == at)
        #expect(purchase?.expiresAt == monthLater)
    }

    @Test("a subscription that was upgraded to another ends at once, and not later than before")
    func upgraded() async throws {
        #expect(try await purchase(["isUpgraded": true])?.expiresAt == now)
        let before = now.unixMilliseconds - 1000
        #expect(
            try await purchase(["isUpgraded": true, "expiresDate": before])?.expiresAt
                == WallTime(unixMilliseconds: before))
        #expect(
            try await purchase(["isUpgraded": true, "type": "Non-Consumable", "expiresDate": nil])?.expiresAt == now)
        #expect(try await purchase(["isUpgraded": nil])?.expiresAt == monthLater)
    }

    @Test("a purchase shared in the family counts like one's own")
    func familyShared() async throws {
        #expect(try await purchase(["inAppOwnershipType": "FAMILY_SHARED"])?.expiresAt == monthLater)
    }

    @Test(
        "a product of a type that can't be an entitlement is refused with a check of its own",
        arguments: ["Consumable", "Non-Renewing Subscription", "auto-renewable subscription", "", nil])
    func productType(_ type: String?) async throws {
        #expect(try await refusal(["type": type]) == .productType)
    }

    @Test("another app's purchase is refused, and so is one without an app")
    func bundle() async throws {
        for other in ["com.example.other", "com.example.gate ", "COM.EXAMPLE.GATE", "com.example", "", nil] {
            #expect(try await refusal(["bundleId": other]) == .bundleID)
        }
    }

    @Test("transactions of several apps are accepted if their bundle ids are configured")
    func bundles() async throws {
        var settings = try store.settings
        settings.bundleIDs.insert("com.example.other")
        let verifier = try StoreKitVerifier(settings)
        var payload = store.transactionPayload
        for (bundle, refusal) in [("com.example.other", nil), ("com.example.third", ReceiptError.Check.bundleID)] {
            payload["bundleId"] = bundle
            #expect(try await verifier.refusal(of: store.chain.sign(payload)) == refusal)
        }
    }

    @Test("only transactions of configured environments are accepted, and all but production's are for testing")
    func environments() async throws {
        var store = store
        for made in StoreKitSettings.Environment.allCases {
            for taken in StoreKitSettings.Environment.allCases {
                store.environment = taken
                let verifier = try StoreKitVerifier(store.settings)
                store.environment = made
                let jws = try store.chain.sign(store.transactionPayload)
                #expect(await verifier.refusal(of: jws) == (made == taken ? nil : .environment))
                guard made == taken,
                    case .storeKit(_, let purchase, _, _, _) = try await verifier.transaction(Array(jws.utf8), at: now)
                else { continue }
                #expect(purchase?.isForTesting == (made != .production))
            }
        }
        for unknown in ["production", "Simulator", "", nil] {
            #expect(try await refusal(["environment": unknown]) == .environment)
        }
    }

    @Test("a transaction that another Xcode signed is refused even if the environment of Xcode is configured")
    func xcode() async throws {
        var store = store
        store.environment = .xcode
        let settings = try store.settings
        #expect(try await StoreKitVerifier(settings).refusal(of: store.chain.sign(store.transactionPayload)) == nil)
        let other = try StoreKitChain()
        let foreign = try other.sign(store.transactionPayload)
        #expect(try await StoreKitVerifier(settings).refusal(of: foreign) == .certificateChain)
        let header: [String: any Sendable] = ["alg": "ES256", "x5c": [try other.leaf.base64]]
        let alone = try other.sign(store.transactionPayload, header: header)
        #expect(try await StoreKitVerifier(settings).refusal(of: alone) == .certificateCount)
    }

    @Test("a transaction may be a day ahead of this device's clock; a clock that was never set refuses none")
    func future() async throws {
        let day: Int64 = 86_400_000
        let signed = now.unixMilliseconds
        func moment(_ milliseconds: Int64) -> WallTime { WallTime(unixMilliseconds: milliseconds) }
        #expect(try await refusal([:], at: moment(signed - day)) == nil)
        #expect(try await refusal([:], at: moment(signed - day - 1)) == .date)
        #expect(try await refusal([:], at: StoreKitTransactionTests.year2001) == .date)
        #expect(try await refusal([:], at: moment(Self.year2001.unixMilliseconds - 1)) == nil)
        #expect(try await refusal([:], at: moment(0)) == nil)
        #expect(try await refusal([:], at: moment(.min)) == nil)
        #expect(try await refusal([:], at: moment(.max)) == nil)
    }

    static let year2001 = WallTime(unixMilliseconds: 978_307_200_000)

    @Test("a forged transaction is refused for its signature, before its contents are looked at")
    func order() async throws {
        var payload = store.transactionPayload
        payload["bundleId"] = "com.example.other"
        payload["type"] = "Consumable"
        #expect(try await verifier.refusal(of: StoreKitChain().sign(payload)) == .certificateChain)
    }
}
