import Crypto
import GateModel
import GateReceipts

/// Which purchases count: those of these apps, made in these environments, for these people, on this device.
struct StoreKitScope: Sendable {
    var bundleIDs: Set<String>
    var environments: Set<StoreKitSettings.Environment>
    var accountTokens: [String: Claim.Holder]?
    var deviceVerificationID: String?

    /// - Throws: `bundle-id`.
    func bundleID(_ name: String?, of what: String) throws(ReceiptError) -> String {
        guard let name else { throw ReceiptError(.bundleID, "\(what) does not say of which app it is.") }
        guard bundleIDs.contains(name) else {
            throw ReceiptError(
                .bundleID, "\(what) is of an app whose purchases don't count here. Is its bundle id in providers.yaml?")
        }
        return name
    }

    /// - Throws: `environment`.
    func environment(
        _ name: String?, of what: String
    ) throws(ReceiptError) -> StoreKitSettings.Environment {
        guard let name else {
            throw ReceiptError(.environment, "\(what) does not say in which environment it was made.")
        }
        guard let environment = StoreKitSettings.Environment(rawValue: name) else {
            throw ReceiptError(.environment, "\(what) was made in an environment that Gate does not know.")
        }
        guard environments.contains(environment) else {
            throw ReceiptError(
                .environment, "\(what) was made in \(name), and that does not count here. Is it in providers.yaml?")
        }
        return environment
    }
}

extension StoreKitScope {
    /// Where a signed transaction comes from.
    enum Origin {
        /// An app on a device: the transaction says for which device it is valid.
        case device
        /// A notification of Apple's to a server, which knows no device.
        case server
    }

    /// The person and the device to which a transaction is bound, as far as the settings require that.
    ///
    /// - Throws: `app-account-token`, `device-verification`.
    func binding(_ payload: StoreKitTransactionPayload, from origin: Origin) throws(ReceiptError) -> PurchaseBinding {
        var binding = PurchaseBinding.unbound
        if let accountTokens {
            guard let token = payload.appAccountToken else {
                throw ReceiptError(
                    .appAccountToken,
                    "The purchase does not say for whom it was made. Only purchases with an app account token count here."
                )
            }
            guard let holder = accountTokens[token.lowercased()] else {
                throw ReceiptError(
                    .appAccountToken,
                    "The purchase was made for somebody who is not known here. Is its app account token in providers.yaml?"
                )
            }
            binding.holder = holder
        }
        if let deviceVerificationID {
            switch origin {
            case .device: try checkDevice(payload, deviceVerificationID)
            case .server: binding.mayBegin = false
            }
        }
        return binding
    }

    /// Compares the SHA-384 of nonce and device id, as Apple documents it.
    private func checkDevice(_ payload: StoreKitTransactionPayload, _ device: String) throws(ReceiptError) {
        guard let nonce = payload.deviceVerificationNonce,
            let stated = payload.deviceVerification.flatMap({ Base64.bytes($0.utf8) })
        else {
            throw ReceiptError(
                .deviceVerification,
                "The transaction does not say for which device it is good. Submit it as StoreKit gave it to the app on this one."
            )
        }
        guard SHA384.hash(data: Array((nonce.lowercased() + device).utf8)).elementsEqual(stated) else {
            throw ReceiptError(
                .deviceVerification,
                "The transaction is good for another device. Only what was bought or restored on this one counts here.")
        }
    }
}

/// The contents of a verified transaction.
struct StoreKitTransaction {
    let originalTransaction: String
    let bundleID: String
    let environment: StoreKitSettings.Environment
    let purchase: ClaimedPurchase
    let binding: PurchaseBinding

    /// - Throws: `bundle-id`, `environment`, `product-type`, `app-account-token`, `device-verification`, `malformed`.
    init(
        _ payload: StoreKitTransactionPayload, from origin: StoreKitScope.Origin, in scope: StoreKitScope
    ) throws(ReceiptError) {
        bundleID = try scope.bundleID(payload.bundleId, of: "The purchase")
        environment = try scope.environment(payload.environment, of: "The purchase")
        originalTransaction = try StoreKitText.id(payload.originalTransactionId, "originalTransactionId")
        let product = try StoreKitText.name(payload.productId, "productId")
        guard let purchasedAt = payload.purchaseDate?.time else {
            throw ReceiptError(.malformed, "The transaction has no purchaseDate.")
        }
        var expiresAt = payload.expiresDate?.time
        if try Kind(payload.type).expires, expiresAt == nil {
            throw ReceiptError(.malformed, "The transaction is of a subscription, and has no expiresDate.")
        }
        if payload.isUpgraded == true {
            // Another transaction has replaced this one, so it gives nothing from then on.
            expiresAt = min(expiresAt ?? payload.signedDate.time, payload.signedDate.time)
        }
        purchase = ClaimedPurchase(
            item: product, product: product, purchasedAt: purchasedAt, expiresAt: expiresAt,
            revokedAt: payload.revocationDate?.time, isForTesting: environment.isForTesting,
            saidAt: payload.signedDate.time)
        binding = try scope.binding(payload, from: origin)
    }

    /// The kinds of product that can be an entitlement.
    private enum Kind {
        case autoRenewable
        case nonConsumable

        var expires: Bool {
            switch self {
            case .autoRenewable: true
            case .nonConsumable: false
            }
        }

        /// - Throws: `product-type`.
        init(_ type: String?) throws(ReceiptError) {
            switch type {
            case "Auto-Renewable Subscription": self = .autoRenewable
            case "Non-Consumable": self = .nonConsumable
            case "Consumable":
                throw ReceiptError(.productType, "A consumable is used up by its app, and can't be an entitlement.")
            case "Non-Renewing Subscription":
                throw ReceiptError(
                    .productType,
                    "Of a non-renewing subscription Apple does not say when it ends, so that it can't be "
                        + "an entitlement. An administrator can add one by hand, until a date.")
            case .some, .none:
                throw ReceiptError(.productType, "The product is of a kind that Gate does not know.")
            }
        }
    }
}

/// The contents of a verified renewal info.
struct StoreKitRenewal {
    let originalTransaction: String
    let environment: StoreKitSettings.Environment
    let renewal: SubscriptionRenewal

    /// - Throws: `environment`, `malformed`.
    init(_ payload: StoreKitRenewalPayload, in scope: StoreKitScope) throws(ReceiptError) {
        // Read as a renewal info, a transaction would say that no payment is missing and no grace period runs.
        guard payload.transactionId == nil else {
            throw ReceiptError(.malformed, "This is a transaction, and no renewal info. Submit it as a transaction.")
        }
        environment = try scope.environment(payload.environment, of: "The renewal")
        originalTransaction = try StoreKitText.id(payload.originalTransactionId, "originalTransactionId")
        renewal = SubscriptionRenewal(
            isInBillingRetry: payload.isInBillingRetryPeriod ?? false,
            gracePeriodEndsAt: payload.gracePeriodExpiresDate?.time, saidAt: payload.signedDate.time)
    }
}

extension StoreKitNotificationPayload {
    /// The UUID by which a repeated notification is recognized.
    /// - Throws: `malformed`.
    func checkedID() throws(ReceiptError) -> String {
        let groups = (notificationUUID ?? "").utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let hexadecimal = Set("0123456789abcdefABCDEF".utf8)
        guard let notificationUUID, groups.map(\.count) == [8, 4, 4, 4, 12],
            groups.allSatisfy({ $0.allSatisfy(hexadecimal.contains) })
        else {
            throw ReceiptError(.malformed, "The notification has no notificationUUID that is a UUID.")
        }
        return notificationUUID
    }

    /// - Throws: `malformed` if it has no subject or more than one.
    func checkedSubject() throws(ReceiptError) -> Subject {
        let subjects = [data, summary, externalPurchaseToken, appData].compactMap(\.self)
        guard let subject = subjects.first, subjects.count == 1 else {
            throw ReceiptError(.malformed, "The notification does not have exactly one subject.")
        }
        return subject
    }
}

/// Checks texts of a payload: not empty, not too long, and without control characters.
enum StoreKitText {
    static let maximumByteCount = 256

    /// An id: printable ASCII without spaces. (Apple's are digits.)
    /// - Throws: `malformed`.
    static func id(_ text: String?, _ field: String) throws(ReceiptError) -> String {
        let text = try name(text, field)
        guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw ReceiptError(.malformed, "The \(field) is not as Apple writes it.")
        }
        return text
    }

    /// - Throws: `malformed`.
    static func name(_ text: String?, _ field: String) throws(ReceiptError) -> String {
        guard let text, !text.isEmpty, text.utf8.count <= maximumByteCount,
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw ReceiptError(.malformed, "The \(field) is missing, or not as Apple writes it.")
        }
        return text
    }
}
