import Foundation
import GateModel
import GateReceipts
import Testing

@Suite("A checked receipt as JSON")
struct StatementJSONTests {
    private let time = WallTime(unixMilliseconds: 1_767_225_600_000)

    @Test("JSON about StoreKit has the known fields, and leaves out the others")
    func storeKit() {
        let purchase = ClaimedPurchase(
            item: "monthly", product: "monthly \"x\"", purchasedAt: time, expiresAt: nil, isForTesting: true,
            saidAt: time)
        let statement = ProviderStatement.storeKit(
            originalTransaction: "2000", purchase: purchase, renewal: nil, notificationID: nil)
        let day = #""2026-01-01T00:00:00Z""#
        #expect(
            StatementJSON.text(of: statement)
                == #"{"provider":"storekit","originalTransaction":"2000","purchase":{"item":"monthly","#
                + #""product":"monthly \"x\"","purchasedAt":\#(day),"isForTesting":true,"saidAt":\#(day)}}"#)
        #expect(
            StatementJSON.text(of: .storeKitNothing(notificationID: "u"))
                == #"{"provider":"storekit","notification":"u"}"#)
    }

    @Test("JSON about RevenueCat has the user and all entitlements with their renewals")
    func revenueCat() throws {
        let purchase = ClaimedPurchase(
            item: "pro", product: "monthly", purchasedAt: time, expiresAt: time, revokedAt: time, saidAt: time)
        let renewal = SubscriptionRenewal(isInBillingRetry: true, gracePeriodEndsAt: time, saidAt: time)
        let text = StatementJSON.text(
            of: .revenueCat(
                appUser: "anna", [ProviderStatement.CustomerEntitlement(purchase: purchase, renewal: renewal)],
                saidAt: time))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(object["appUser"] as? String == "anna" && object["saidAt"] as? String == "2026-01-01T00:00:00Z")
        let first = try #require((object["entitlements"] as? [[String: Any]])?.first)
        #expect((first["purchase"] as? [String: Any])?["revokedAt"] != nil)
        #expect((first["renewal"] as? [String: Any])?["isInBillingRetry"] as? Bool == true)
    }
}
