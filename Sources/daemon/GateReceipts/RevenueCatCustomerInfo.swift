import FoundationEssentials
import GateModel

/// The body of an answer: every entitlement that a user has or had, by its name at RevenueCat, and the purchases in
/// stores that it comes from (`GET /v1/subscribers/{id}`, version 1 of the API). The user is the one in the path;
/// `original_app_user_id` is another name of the same user.
struct RevenueCatCustomerInfo {
    static let maximumEntitlementCount = 256

    /// When the API handled the request.
    let requestedAt: WallTime
    private let subscriber: Subscriber

    /// - Throws: `malformed`, `size`.
    init(json: [UInt8]) throws(ReceiptError) {
        // JSON may also be in UTF-16. Then the bytes that were signed before the body could be taken for its beginning.
        guard String(validating: json, as: UTF8.self) != nil, !json.contains(0) else {
            throw ReceiptError(.malformed, "The body is not UTF-8.")
        }
        guard !CombiningMarks.areTooMany(inJSON: json) else {
            throw ReceiptError(.malformed, "The body is not customer info in JSON.")
        }
        let document: Document
        do {
            document = try JSONDecoder().decode(Document.self, from: Data(json))
        } catch {
            throw ReceiptError(.malformed, "The body is not customer info in JSON\(Self.place(of: error)).")
        }
        requestedAt = WallTime(unixMilliseconds: document.request_date_ms)
        subscriber = document.subscriber
        guard subscriber.entitlements?.count ?? 0 <= Self.maximumEntitlementCount else {
            throw ReceiptError(.size, "The user has more than \(Self.maximumEntitlementCount) entitlements.")
        }
    }

    /// - Throws: `malformed`.
    func entitlements(saidAt: WallTime) throws(ReceiptError) -> [ProviderStatement.CustomerEntitlement] {
        var result: [ProviderStatement.CustomerEntitlement] = []
        for (name, entitlement) in (subscriber.entitlements ?? [:]).sorted(by: { $0.key < $1.key }) {
            result.append(try read(entitlement, name: name, saidAt: saidAt))
        }
        return result
    }

    private func read(
        _ entitlement: Entitlement, name: String, saidAt: WallTime
    ) throws(ReceiptError) -> ProviderStatement.CustomerEntitlement {
        guard name.isRevenueCatName, entitlement.product_identifier.isRevenueCatName else {
            throw ReceiptError(
                .malformed, "The name of an entitlement, or of its product, is not one line of 1 to 128 bytes.")
        }
        let product = entitlement.product_identifier
        let subscription = subscriber.subscriptions?[product]
        let bought = subscriber.non_subscriptions?[product] ?? []
        let oneOff = bought.last { $0.purchase_date == entitlement.purchase_date } ?? bought.last
        let source = subscription ?? oneOff

        guard let purchasedAt = try date(entitlement.purchase_date ?? source?.purchase_date, "purchase_date", of: name)
        else {
            throw ReceiptError(.malformed, "The entitlement \(name) has no purchase_date.")
        }
        let purchase = ClaimedPurchase(
            item: name, product: product, purchasedAt: purchasedAt,
            expiresAt: try date(entitlement.expires_date, "expires_date", of: name),
            revokedAt: try date(source?.refunded_at, "refunded_at", of: name),
            isForTesting: source?.is_sandbox ?? false, saidAt: saidAt)

        var renewal: SubscriptionRenewal?
        let graceEndsAt = try date(
            entitlement.grace_period_expires_date ?? subscription?.grace_period_expires_date,
            "grace_period_expires_date", of: name)
        let issueAt = try date(subscription?.billing_issues_detected_at, "billing_issues_detected_at", of: name)
        if subscription != nil || graceEndsAt != nil {
            renewal = SubscriptionRenewal(
                isInBillingRetry: issueAt != nil, gracePeriodEndsAt: graceEndsAt, saidAt: saidAt)
        }
        return ProviderStatement.CustomerEntitlement(purchase: purchase, renewal: renewal)
    }

    private func date(_ text: String?, _ field: String, of name: String) throws(ReceiptError) -> WallTime? {
        guard let text else { return nil }
        guard let time = WallTime(revenueCat: text) else {
            throw ReceiptError(
                .malformed, "The \(field) of the entitlement \(name) is not a date like 2026-03-01T12:00:00Z.")
        }
        return time
    }

    /// Where decoding stopped, for people: ", at subscriber.entitlements". It contains no values.
    private static func place(of error: any Error) -> String {
        let path: [any CodingKey]
        switch error as? DecodingError {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            path = context.codingPath
        case .keyNotFound(let key, let context): path = context.codingPath + [key]
        case _: path = []
        }
        let keys = path.map(\.stringValue)
        return keys.isEmpty || !keys.allSatisfy(\.isRevenueCatName) ? "" : ", at \(keys.joined(separator: "."))"
    }
}

// MARK: - As it is written. The names are the API's.

// swift-format-ignore: AlwaysUseLowerCamelCase
private struct Document: Decodable {
    var request_date_ms: Int64
    var subscriber: Subscriber
}

// swift-format-ignore: AlwaysUseLowerCamelCase
private struct Subscriber: Decodable {
    var entitlements: [String: Entitlement]?
    var subscriptions: [String: Origin]?
    var non_subscriptions: [String: [Origin]]?
}

// swift-format-ignore: AlwaysUseLowerCamelCase
private struct Entitlement: Decodable {
    var expires_date: String?
    var grace_period_expires_date: String?
    var product_identifier: String
    var purchase_date: String?
}

/// A purchase in a store: a subscription, or something that is bought once.
// swift-format-ignore: AlwaysUseLowerCamelCase
private struct Origin: Decodable {
    var purchase_date: String?
    var billing_issues_detected_at: String?
    var grace_period_expires_date: String?
    var refunded_at: String?
    var is_sandbox: Bool?
}
