import GateModel
import Testing

@testable import GateCore

/// The time that matters in tests of claims, in milliseconds.
extension WallTime {
    static func at(_ milliseconds: Int64) -> WallTime { WallTime(unixMilliseconds: milliseconds) }
}

extension Configuration {
    /// Premium and a family's, both sold by both stores.
    static let selling = {
        var configuration = Configuration.builtIn
        configuration.entitlements = [
            "premium": EntitlementDefinition(title: "Premium"), "family": EntitlementDefinition(title: "For all of us"),
        ]
        configuration.paywall.entitlement = "premium"
        configuration.items = [
            ProviderItem(.storeKit, "monthly"): "premium", ProviderItem(.storeKit, "yearly"): "premium",
            ProviderItem(.storeKit, "household"): "family", ProviderItem(.revenueCat, "pro"): "premium",
            ProviderItem(.revenueCat, "all"): "family", ProviderItem(.revenueCat, "a/b"): "premium",
            ProviderItem(.revenueCat, "undefined"): "gold",
        ]
        configuration.customers = [
            "anna-17": .account("anna"), "$device": .device, "anna-17/a": .device, "gone": .account("nobody"),
        ]
        return configuration
    }()
}

extension Claim.Holder {
    static let anna = Claim.Holder.account("anna")
    static let ben = Claim.Holder.account("ben")
}

extension ClaimedPurchase {
    static func of(
        _ item: String = "monthly", until end: Int64? = 2000, revokedAt: Int64? = nil, saidAt: Int64 = 100
    ) -> ClaimedPurchase {
        ClaimedPurchase(
            item: item, product: "product of \(item)", purchasedAt: .at(50), expiresAt: end.map(WallTime.at),
            revokedAt: revokedAt.map(WallTime.at), saidAt: .at(saidAt))
    }
}

extension SubscriptionRenewal {
    static func of(graceUntil end: Int64?, retries: Bool = true, saidAt: Int64 = 100) -> SubscriptionRenewal {
        SubscriptionRenewal(isInBillingRetry: retries, gracePeriodEndsAt: end.map(WallTime.at), saidAt: .at(saidAt))
    }
}

extension ProviderStatement {
    static func storeKit(
        _ purchase: ClaimedPurchase?, _ renewal: SubscriptionRenewal? = nil,
        transaction: String = ClaimBook.transaction.name,
        notification: String? = nil
    ) -> ProviderStatement {
        .storeKit(originalTransaction: transaction, purchase: purchase, renewal: renewal, notificationID: notification)
    }

    static func customer(
        _ user: String, _ items: [String], until end: Int64? = 2000, at time: Int64
    ) -> ProviderStatement {
        .revenueCat(
            appUser: user,
            items.map { CustomerEntitlement(purchase: .of($0, until: end, saidAt: time), renewal: nil) },
            saidAt: .at(time))
    }
}

/// The records of a device where Anna and Ben have accounts, and what statements make of them.
struct ClaimBook {
    /// The transaction of StoreKit's statements, unless a test names another.
    static let transaction = Claim.ID(.storeKit, "1000")

    var records = DurableRecords(revision: Revision(epoch: 1, number: 0))

    init() {
        records.people = ["anna": Self.account("anna"), "ben": Self.account("ben")]
    }

    private static func account(_ name: String) -> PersonRecord {
        PersonRecord(GatePerson(name: name, kind: .grownUp), passwordHash: "$y$x")
    }

    func result(
        _ statement: ProviderStatement, for holder: Claim.Holder? = nil, signedIn: String? = nil
    ) -> ClaimRules.Result {
        ClaimRules(records: records, configuration: .selling, signedInAccount: signedIn)
            .result(of: statement, for: holder)
    }

    /// Applies a statement's changes. Returns the reason if it was refused.
    @discardableResult
    mutating func submit(
        _ statement: ProviderStatement, for holder: Claim.Holder? = nil, signedIn: String? = nil
    ) -> GateError? {
        switch result(statement, for: holder, signedIn: signedIn) {
        case .refused(let error):
            return error
        case .changes(let changes):
            for change in changes { records.apply(change) }
            return nil
        }
    }
}

/// Expects a refusal with a sentence for people.
func expectRefusal(
    _ error: GateError?, _ code: GateError.Code, _ reason: GateError.Reason,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(error?.code == code, sourceLocation: sourceLocation)
    #expect(error?.reason == reason, sourceLocation: sourceLocation)
    #expect(error?.message.hasSuffix(".") == true, sourceLocation: sourceLocation)
}
