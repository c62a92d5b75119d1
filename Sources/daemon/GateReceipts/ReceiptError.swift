/// Which check a receipt failed, and how, for people (G-07). Nothing secret is in it.
public struct ReceiptError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The checks that a receipt can fail, by the names that `gatectl receipt check` prints.
    public enum Check: String, Hashable, Sendable, CaseIterable {
        // Of either provider.

        /// It, or a part of it, is longer than what is taken.
        case size
        /// It does not have the form that its provider writes.
        case malformed
        /// The signature is not the provider's over exactly these bytes.
        case signature
        /// It was said, or bought, at a time that can't be.
        case date

        // Of StoreKit.

        /// The configured root is not a certificate of an authority.
        case root
        /// Signed by another algorithm than ES256, or with a header that Gate does not know.
        case algorithm
        /// Not exactly three certificates.
        case certificateCount = "certificate-count"
        /// The certificates don't lead to a configured root.
        case certificateChain = "certificate-chain"
        /// A certificate lacks Apple's mark for its purpose.
        case certificateMarker = "certificate-marker"
        /// A certificate was not yet, or no longer, valid when it was used.
        case certificateValidity = "certificate-validity"
        /// It is of an app whose purchases don't count here.
        case bundleID = "bundle-id"
        /// Made in an environment whose purchases don't count here.
        case environment
        /// It is of a kind of product that can't be an entitlement.
        case productType = "product-type"
        /// Made for nobody whom providers.yaml names.
        case appAccountToken = "app-account-token"
        /// Made on another device, or it does not say on which.
        case deviceVerification = "device-verification"
        /// A server notification and what it carries don't belong together.
        case notification

        // Of RevenueCat.

        /// There is no signature where one is needed.
        case signatureMissing = "signature-missing"
        /// The key that signed is not one that the root key vouches for.
        case intermediateKey = "intermediate-key"
        /// The key that signed was no longer valid.
        case intermediateExpiry = "intermediate-expiry"
        /// The answer to another request than the one that was made.
        case request
    }

    public var check: Check
    /// A sentence that says what is wrong, and what to do where something can be done.
    public var message: String

    public init(_ check: Check, _ message: String) {
        self.check = check
        self.message = message
    }

    public var description: String { "\(check.rawValue): \(message)" }
}
