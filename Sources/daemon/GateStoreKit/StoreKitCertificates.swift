import Crypto
import FoundationEssentials
import GateModel
import GateReceipts
import SwiftASN1
// For checking whether certificates were valid when something was signed, not whether they are today.
@_spi(FixedExpiryValidationTime) @_spi(DisableValidityCheck) import X509

/// Verifies the certificates that come with signed data: from the leaf, whose key signed it, up to a configured root.
/// The root that comes along is ignored.
struct StoreKitCertificates: Sendable {
    private let roots: CertificateStore

    /// - Throws: `root`.
    init(roots: [[UInt8]]) throws(ReceiptError) {
        guard !roots.isEmpty else {
            throw ReceiptError(.root, "No root certificate is configured. Give Apple's (Apple Root CA - G3).")
        }
        var parsed: [Certificate] = []
        for (index, root) in roots.enumerated() {
            guard let certificate = try? Certificate(derEncoded: root) else {
                throw ReceiptError(
                    .root,
                    "Root \(index + 1) of \(roots.count) is not a certificate in DER. Give Apple's file, unchanged.")
            }
            parsed.append(certificate)
        }
        self.roots = CertificateStore(parsed)
    }

    /// Verifies the certificates and returns the leaf's key.
    /// - Throws: `malformed`, `certificate-chain`, `certificate-validity`, `certificate-marker`, `algorithm`.
    func signingKey(
        of signed: StoreKitSignedData, at signing: WallTime
    ) async throws(ReceiptError) -> P256.Signing.PublicKey {
        let leaf = try Self.certificate(signed.leaf, "first")
        let intermediate = try Self.certificate(signed.intermediate, "second")
        let time = Date(timeIntervalSince1970: Double(signing.unixMilliseconds / 1000))

        guard await isTrusted(leaf, by: intermediate, under: RFC5280Policy(fixedExpiryValidationTime: time)) else {
            // A second look tells whether only the time was wrong, so that the error says how to fix it.
            guard await isTrusted(leaf, by: intermediate, under: .withValidityCheckDisabled()) else {
                throw ReceiptError(
                    .certificateChain,
                    "The certificates don't lead to a configured root. If this came from Apple, "
                        + "configure Apple's root (Apple Root CA - G3); if not, don't submit it.")
            }
            throw ReceiptError(
                .certificateValidity, "A certificate was not valid when this was signed. Don't submit it.")
        }
        guard leaf.extensions[oid: StoreKitMarkers.leaf] != nil else {
            throw ReceiptError(
                .certificateMarker, "The certificate that signed this is not Apple's for signing receipts.")
        }
        guard intermediate.extensions[oid: StoreKitMarkers.intermediate] != nil else {
            throw ReceiptError(
                .certificateMarker, "The authority that vouches for this is not Apple's for developer relations.")
        }
        guard let key = P256.Signing.PublicKey(leaf.publicKey) else {
            throw ReceiptError(.algorithm, "The key that signed this is not for ES256 (P-256). Don't submit it.")
        }
        return key
    }

    private func isTrusted(_ leaf: Certificate, by intermediate: Certificate, under policy: RFC5280Policy) async -> Bool
    {
        var verifier = Verifier(rootCertificates: roots) {
            policy
            ThreeCertificatesPolicy()
        }
        switch await verifier.validate(leaf: leaf, intermediates: CertificateStore([intermediate])) {
        case .validCertificate: return true
        case .couldNotValidate: return false
        }
    }

    private static func certificate(_ encoded: String, _ which: String) throws(ReceiptError) -> Certificate {
        guard let bytes = Base64.bytes(encoded.utf8),
            let certificate = try? Certificate(derEncoded: bytes)
        else {
            throw ReceiptError(
                .malformed, "The \(which) certificate is not one. Submit the bytes exactly as Apple sent them.")
        }
        return certificate
    }
}

/// Extensions that mark the purpose of Apple's certificates. Only their presence counts: their content is NULL.
enum StoreKitMarkers {
    /// The mark of the intermediate authority, Worldwide Developer Relations.
    static let intermediate: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 2, 1]
    /// The mark of the certificate that signs receipts of the App Store.
    static let leaf: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 11, 1]
}

/// Accepts only leaf, intermediate and root. The marks may be critical extensions, because Gate checks them.
private struct ThreeCertificatesPolicy: VerifierPolicy {
    let verifyingCriticalExtensions = [StoreKitMarkers.intermediate, StoreKitMarkers.leaf]

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
        chain.count == StoreKitSignedData.certificateCount
            ? .meetsPolicy : .failsToMeetPolicy(reason: "\(chain.count) certificates instead of three")
    }
}
