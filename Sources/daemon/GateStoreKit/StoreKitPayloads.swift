import FoundationEssentials
import GateModel
import GateReceipts

// The fields of Apple's payloads that Gate reads, with Apple's names.

/// The only field that is read before the signature is verified: the certificates had to be valid at that time.
struct StoreKitSigning: Decodable {
    var signedDate: StoreKitDate
}

/// JWSTransactionDecodedPayload.
struct StoreKitTransactionPayload: Decodable {
    var originalTransactionId: String?
    var transactionId: String?
    var productId: String?
    var bundleId: String?
    var environment: String?
    var type: String?
    var purchaseDate: StoreKitDate?
    var originalPurchaseDate: StoreKitDate?
    var expiresDate: StoreKitDate?
    var revocationDate: StoreKitDate?
    var isUpgraded: Bool?
    /// The UUID that the app gave StoreKit for the buyer.
    var appAccountToken: String?
    /// A hash in base64, if StoreKit gave the transaction to an app on a device.
    var deviceVerification: String?
    var deviceVerificationNonce: String?
    var signedDate: StoreKitDate
}

/// JWSRenewalInfoDecodedPayload. It contains no bundle id.
struct StoreKitRenewalPayload: Decodable {
    var originalTransactionId: String?
    /// A field of transactions. A renewal info never has it.
    var transactionId: String?
    var environment: String?
    var isInBillingRetryPeriod: Bool?
    var gracePeriodExpiresDate: StoreKitDate?
    var signedDate: StoreKitDate
}

/// ResponseBodyV2DecodedPayload. A notification has exactly one of the four subjects.
struct StoreKitNotificationPayload: Decodable {
    struct Subject: Decodable {
        var bundleId: String?
        var environment: String?
        var signedTransactionInfo: String?
        var signedRenewalInfo: String?
        /// A field of external purchases, which tell the environment only by how this begins.
        var externalPurchaseId: String?

        var statedEnvironment: String? {
            guard let externalPurchaseId else { return environment }
            let stated: StoreKitSettings.Environment =
                externalPurchaseId.hasPrefix("SANDBOX") ? .sandbox : .production
            return stated.rawValue
        }
    }

    var notificationUUID: String?
    var data: Subject?
    var summary: Subject?
    var externalPurchaseToken: Subject?
    var appData: Subject?
}

/// The body of the request that delivers a notification, version 2.
struct StoreKitNotificationBody: Decodable {
    var signedPayload: String

    /// The JWS, which may be alone or in JSON.
    /// - Throws: `size`, `malformed`.
    static func jws(in bytes: [UInt8]) throws(ReceiptError) -> [UInt8] {
        let text = Array(try StoreKitSignedData.trimmed(bytes))
        guard text.first == UInt8(ascii: "{") else { return text }
        return Array(try StoreKitJSON.decode(Self.self, from: text, as: "The notification").signedPayload.utf8)
    }
}

/// Milliseconds since 1970-01-01T00:00:00Z: a whole number up to the end of the year 9999, the last one that
/// certificates can have.
struct StoreKitDate: Decodable {
    static let range: ClosedRange<Int64> = 0...253_402_300_799_999

    var time: WallTime

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        let milliseconds = try value.decode(Int64.self)
        guard Self.range.contains(milliseconds) else {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "out of range")
        }
        time = WallTime(unixMilliseconds: milliseconds)
    }
}

enum StoreKitJSON {
    /// Decodes JSON. Foundation's decoder itself refuses what is nested too deeply.
    /// - Parameter what: the name for errors, with a capital letter.
    /// - Throws: `malformed`, with the name of the field.
    static func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: [UInt8], as what: String
    ) throws(ReceiptError) -> Value {
        // Headers are read before anything is verified.
        guard !CombiningMarks.areTooMany(inJSON: bytes) else {
            throw ReceiptError(.malformed, "\(what) is not JSON as Apple writes it.")
        }
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch let error as DecodingError {
            guard let field = field(of: error) else {
                throw ReceiptError(.malformed, "\(what) is not JSON as Apple writes it.")
            }
            throw ReceiptError(.malformed, "\(what) has no \(field), or not as Apple writes it.")
        } catch {
            throw ReceiptError(.malformed, "\(what) is not JSON as Apple writes it.")
        }
    }

    private static func field(of error: DecodingError) -> String? {
        switch error {
        case .keyNotFound(let key, _): key.stringValue
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.codingPath.last { $0.intValue == nil }?.stringValue
        @unknown default: nil
        }
    }
}
