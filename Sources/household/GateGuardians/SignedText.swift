import Crypto
import FoundationEssentials
package import GateModel

/// A JWS in compact form (RFC 7515, section 7.1) with an Ed25519 key (RFC 8037), in the one spelling that Gate writes.
/// Its header names the kind, so that a text of one kind can't pass for another. Believe nothing in it before `verify`.
package struct SignedText: Hashable, Sendable {
    /// What was signed, by the `typ` of the header.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case command = "gate-command"
        case result = "gate-result"
        case list = "gate-household"
        /// The words of a question for guardians.
        case request = "gate-request"
        case policy = "gate-policy"
        /// A purchase on a device, for the other devices.
        case receipt = "gate-receipt"
        /// How much time people have used on a device, for the other devices.
        case usage = "gate-usage"

        /// The most bytes of a text of this kind, as it travels.
        package var maximumByteCount: Int {
            switch self {
            case .command, .result, .request, .usage: SignedText.maximumByteCount
            case .list: SignedText.maximumListByteCount
            case .policy: SignedText.maximumPolicyByteCount
            case .receipt: SignedText.maximumReceiptByteCount
            }
        }
    }

    /// The most bytes of a command, a result, a question or a report of use, as it travels.
    package static let maximumByteCount = 64 * 1024
    /// The most bytes of a household's list, as it travels: it may have 10,000 devices.
    package static let maximumListByteCount = 3 << 20

    package static let maximumPolicyByteCount = 1 << 20
    /// The longest receipt that devices share, in base64, and the payload's other fields.
    package static let maximumReceiptByteCount = 96 << 10

    /// The bytes that were signed. Believe them only after `verify`.
    package let payload: [UInt8]
    private let signature: [UInt8]
    private let signedBytes: [UInt8]

    /// - Throws: `size`, `malformed` or `algorithm`.
    package init(_ bytes: [UInt8], as kind: Kind) throws(GuardianError) {
        let limit = kind.maximumByteCount
        guard bytes.count <= limit else {
            throw GuardianError(.size, "It has \(bytes.count) bytes. At most \(limit) are taken.")
        }
        let segments = bytes.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard segments.count == 3, let header = Base64.bytes(segments[0], .url),
            let payload = Base64.bytes(segments[1], .url), let signature = Base64.bytes(segments[2], .url)
        else {
            throw GuardianError(.malformed, "It is no JWS: three segments in base64url, with dots between them.")
        }
        // Only one spelling of each header is accepted, so that nothing can be added to it that is then ignored.
        guard header == Self.header(kind) else {
            throw GuardianError(
                .algorithm, "It is not signed as a \(kind.rawValue) with EdDSA. Only Gate's own header is taken.")
        }
        // Who has signed it is known only after the payload was read.
        guard !CombiningMarks.areTooMany(inJSON: payload) else {
            throw GuardianError(.malformed, "It has too many accents or other marks in a row.")
        }
        self.payload = payload
        self.signature = signature
        signedBytes = Array(bytes[..<segments[1].endIndex])
    }

    /// Checks that the owner of this Ed25519 key (32 bytes) has signed exactly these bytes.
    /// - Throws: `signature`.
    package func verify(with key: [UInt8]) throws(GuardianError) {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: key),
            key.isValidSignature(signature, for: signedBytes)
        else {
            throw GuardianError(.signature, "It was not signed with that key, or was changed since.")
        }
    }

    /// Signs a payload, and returns the JWS in compact form.
    package static func sign(_ payload: [UInt8], as kind: Kind, with key: SigningKey) -> [UInt8] {
        let signed = header(kind).base64URL + "." + payload.base64URL
        return Array((signed + "." + key.signature(for: Array(signed.utf8)).base64URL).utf8)
    }

    private static func header(_ kind: Kind) -> [UInt8] {
        Array(#"{"alg":"EdDSA","typ":"\#(kind.rawValue)"}"#.utf8)
    }
}

package struct SigningKey: Sendable {
    private let key: Curve25519.Signing.PrivateKey

    package init() {
        key = Curve25519.Signing.PrivateKey()
    }

    /// Takes the private half, 32 bytes; `nil` if it is no key.
    package init?(_ secret: GateSecret) {
        guard let key = secret.withBytes({ try? Curve25519.Signing.PrivateKey(rawRepresentation: $0) }) else {
            return nil
        }
        self.key = key
    }

    /// The private half, 32 bytes.
    package var secret: GateSecret { GateSecret(key.rawRepresentation) }

    /// The public half, 32 bytes.
    package var publicKey: [UInt8] { Array(key.publicKey.rawRepresentation) }

    fileprivate func signature(for bytes: [UInt8]) -> [UInt8] {
        guard let signature = try? key.signature(for: bytes) else {
            preconditionFailure("Ed25519 signs any bytes")
        }
        return Array(signature)
    }
}

extension [UInt8] {
    /// These bytes in base64url without padding (RFC 4648, section 5).
    package var base64URL: String {
        String(
            decoding: Data(self).base64EncodedString().utf8.compactMap { byte -> UInt8? in
                switch byte {
                case UInt8(ascii: "+"): UInt8(ascii: "-")
                case UInt8(ascii: "/"): UInt8(ascii: "_")
                case UInt8(ascii: "="): nil
                default: byte
                }
            }, as: UTF8.self)
    }
}
