import Crypto
package import GateModel
package import GateReceipts

// Where each check is made:
//
//   size, three segments, strict base64url, ES256, no `crit`, three certificates   StoreKitSignedData
//   chain to a configured root, valid when signed, Apple's marks, P-256            StoreKitCertificates
//   not signed in the future, the signature                                        here, `payload(of:at:)`
//   bundle id, environment, for whom and on which device it was made               StoreKitScope
//   what is sold, dates, numbers in range                                          StoreKitPayloads, StoreKitStatements
//   a notification and its contents belong together                                here, `notification(_:at:)`
//
// Until the signature is verified, only the time of signing is read from a payload. The core checks what needs a
// memory: that a notification is not repeated, and that an original transaction is not used for a second account.

/// Verifies what the App Store has signed, without a network, and returns what it says.
///
/// The functions take a compact JWS as Apple writes it, and ignore white space around it. They throw a
/// `ReceiptError` with the first check that failed.
public struct StoreKitVerifier: Sendable {
    /// How far Apple's clock may be ahead of this device's. Clocks are often wrong by a time zone, seldom by more.
    static let clockToleranceMilliseconds: Int64 = 24 * 60 * 60 * 1000
    /// 2001-01-01T00:00:00Z. A clock before this time was never set, so it can't tell what is in the future.
    static let firstSetClock = WallTime(unixMilliseconds: 978_307_200_000)

    private let certificates: StoreKitCertificates
    private let scope: StoreKitScope

    /// - Throws: `root` if there is no root, or if one is not a certificate in DER.
    package init(_ settings: StoreKitSettings) throws(ReceiptError) {
        certificates = try StoreKitCertificates(roots: settings.roots)
        scope = StoreKitScope(
            bundleIDs: settings.bundleIDs, environments: settings.environments, accountTokens: settings.accountTokens,
            deviceVerificationID: settings.deviceVerificationID)
    }

    /// The statement in a receipt of this kind.
    package func statement(
        of kind: StoreReceipt.Kind, _ bytes: [UInt8], at now: WallTime
    ) async throws(ReceiptError) -> ProviderStatement {
        switch kind {
        case .transaction: try await transaction(bytes, at: now)
        case .renewal: try await renewalInfo(bytes, at: now)
        case .notification: try await notification(bytes, at: now)
        }
    }

    /// A signed transaction (JWSTransaction): what was bought, and until when it is valid.
    package func transaction(_ jws: [UInt8], at now: WallTime) async throws(ReceiptError) -> ProviderStatement {
        let transaction = try await verifiedTransaction(jws, from: .device, at: now)
        return .storeKit(
            originalTransaction: transaction.originalTransaction, purchase: transaction.purchase, renewal: nil,
            notificationID: nil, binding: transaction.binding)
    }

    /// A signed renewal info (JWSRenewalInfo): the state of a subscription's renewal. It names no app, so it can only
    /// change what a transaction said before.
    package func renewalInfo(_ jws: [UInt8], at now: WallTime) async throws(ReceiptError) -> ProviderStatement {
        let renewal = try await verifiedRenewal(jws, at: now)
        return .storeKit(
            originalTransaction: renewal.originalTransaction, purchase: nil, renewal: renewal.renewal,
            notificationID: nil)
    }

    /// A server notification, version 2, as the JWS or as `{"signedPayload": "…"}`. Its contents are verified, too.
    package func notification(
        _ signedPayload: [UInt8], at now: WallTime
    ) async throws(ReceiptError) -> ProviderStatement {
        let jws = try StoreKitNotificationBody.jws(in: signedPayload)
        let payload = try await payload(of: jws, at: now)
        let notification = try StoreKitJSON.decode(
            StoreKitNotificationPayload.self, from: payload, as: "The notification")
        let id = try notification.checkedID()
        let subject = try notification.checkedSubject()
        let bundleID = try scope.bundleID(subject.bundleId, of: "The notification")
        let environment = try scope.environment(subject.statedEnvironment, of: "The notification")

        var transaction: StoreKitTransaction?
        if let signed = subject.signedTransactionInfo {
            transaction = try await verifiedTransaction(Array(signed.utf8), from: .server, at: now)
        }
        var renewal: StoreKitRenewal?
        if let signed = subject.signedRenewalInfo {
            renewal = try await verifiedRenewal(Array(signed.utf8), at: now)
        }
        guard let original = transaction?.originalTransaction ?? renewal?.originalTransaction else {
            return .storeKitNothing(notificationID: id)
        }
        guard renewal.map({ $0.originalTransaction == original }) ?? true else {
            throw ReceiptError(
                .notification, "The notification carries a transaction and the renewal of another. Don't submit it.")
        }
        guard transaction.map({ $0.bundleID == bundleID }) ?? true else {
            throw ReceiptError(.notification, "The notification and its transaction are of two apps. Don't submit it.")
        }
        guard [transaction?.environment, renewal?.environment].allSatisfy({ $0 == nil || $0 == environment }) else {
            throw ReceiptError(
                .notification, "The notification and what it carries are of two environments. Don't submit it.")
        }
        return .storeKit(
            originalTransaction: original, purchase: transaction?.purchase, renewal: renewal?.renewal,
            notificationID: id, binding: transaction?.binding ?? .unbound)
    }
}

extension StoreKitVerifier {
    private func verifiedTransaction(
        _ jws: [UInt8], from origin: StoreKitScope.Origin, at now: WallTime
    ) async throws(ReceiptError) -> StoreKitTransaction {
        let payload = try await payload(of: jws, at: now)
        return try StoreKitTransaction(
            StoreKitJSON.decode(StoreKitTransactionPayload.self, from: payload, as: "The transaction"), from: origin,
            in: scope)
    }

    private func verifiedRenewal(_ jws: [UInt8], at now: WallTime) async throws(ReceiptError) -> StoreKitRenewal {
        let payload = try await payload(of: jws, at: now)
        return try StoreKitRenewal(
            StoreKitJSON.decode(StoreKitRenewalPayload.self, from: payload, as: "The renewal info"), in: scope)
    }

    /// The payload, after the signature was verified.
    private func payload(of jws: [UInt8], at now: WallTime) async throws(ReceiptError) -> [UInt8] {
        let signed = try StoreKitSignedData(jws)
        let signedAt = try StoreKitJSON.decode(StoreKitSigning.self, from: signed.payload, as: "The signed data")
            .signedDate.time
        if now >= Self.firstSetClock, signedAt.isLater(than: now, by: Self.clockToleranceMilliseconds) {
            throw ReceiptError(
                .date,
                "It was signed more than a day in the future. Set the clock of this device, then submit it again.")
        }
        let key = try await certificates.signingKey(of: signed, at: signedAt)
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signed.signature),
            key.isValidSignature(signature, for: signed.signedBytes)
        else {
            throw ReceiptError(
                .signature, "The signature is not Apple's over these bytes. Submit them exactly as Apple sent them.")
        }
        return signed.payload
    }
}

extension WallTime {
    fileprivate func isLater(than other: WallTime, by milliseconds: Int64) -> Bool {
        let (difference, overflow) = unixMilliseconds.subtractingReportingOverflow(other.unixMilliseconds)
        return overflow ? unixMilliseconds > other.unixMilliseconds : difference > milliseconds
    }
}
