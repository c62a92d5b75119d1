/// The check that a receipt failed, and why, for people. It contains nothing secret.
public struct ReceiptError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The checks that a receipt can fail. `gatectl receipt check` prints their raw values.
    public enum Check: String, Hashable, Sendable, CaseIterable {
        // The checks of receipts of both providers.

        /// It, or a part of it, is longer than Gate accepts.
        case size
        /// It is not written as its provider writes it.
        case malformed
        /// The signature is not the provider's over exactly these bytes.
        case signature
        /// It was signed more than a day in the future, or the times in it contradict each other.
        case date

        // Of StoreKit.

        /// No root is configured, or one is not a certificate in DER.
        case root
        /// It is signed with another algorithm than ES256, or has a header that Gate does not know.
        case algorithm
        /// It does not come with exactly three certificates.
        case certificateCount = "certificate-count"
        /// The certificates don't lead to a configured root.
        case certificateChain = "certificate-chain"
        /// A certificate lacks Apple's mark for its purpose.
        case certificateMarker = "certificate-marker"
        /// A certificate was not valid when it was used.
        case certificateValidity = "certificate-validity"
        /// It is from an app whose purchases don't count here.
        case bundleID = "bundle-id"
        /// It was made in an environment whose purchases don't count here.
        case environment
        /// It is for a kind of product that can't be an entitlement.
        case productType = "product-type"
        /// It has no app account token, or none that providers.yaml names.
        case appAccountToken = "app-account-token"
        /// It was made on another device, or does not say on which.
        case deviceVerification = "device-verification"
        /// A server notification and its contents don't belong together.
        case notification

        // Of RevenueCat.

        /// A signature is required, and there is none.
        case signatureMissing = "signature-missing"
        /// The root key does not vouch for the key that signed, or no root key is configured.
        case intermediateKey = "intermediate-key"
        /// The key that signed had expired.
        case intermediateExpiry = "intermediate-expiry"
        /// Its request has a path or a nonce that Gate does not accept, or it could be the answer to another request.
        case request
    }

    public var check: Check
    /// A sentence that says what is wrong, and what to do if something can be done.
    public var message: String

    public init(_ check: Check, _ message: String) {
        self.check = check
        self.message = message
    }

    public var description: String { "\(check.rawValue): \(message)" }
}
