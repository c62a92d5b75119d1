import Crypto
import FoundationEssentials
package import GateModel

/// Seals a child's question to a guardian's device (HPKE, RFC 9180, base mode: X25519, HKDF-SHA256, ChaCha20-Poly1305),
/// so that neither the broker nor the programs that carry it can read the words. They are signed before.
package enum SealedWords {
    /// The most bytes of a sealed question, with the encapsulated key.
    package static let maximumByteCount = 32 << 10

    private static let suite = HPKE.Ciphersuite.Curve25519_SHA256_ChachaPoly
    private static let info = Data("gate request 1".utf8)
    private static let keyByteCount = 32

    /// Seals bytes to a device's X25519 key (32 bytes): the encapsulated key, then the ciphertext; `nil` if `reader` is
    /// no key. `open` has to get the same device.
    package static func seal(_ words: [UInt8], to reader: [UInt8], of device: HouseholdID) -> [UInt8]? {
        guard let key = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: reader),
            var sender = try? HPKE.Sender(recipientKey: key, ciphersuite: suite, info: info),
            let sealed = try? sender.seal(words, authenticating: Data(device.description.utf8))
        else { return nil }
        return Array(sender.encapsulatedKey) + Array(sealed)
    }

    /// Opens what was sealed to this device; `nil` if it was sealed to another, was changed since, or is too long.
    package static func open(_ sealed: [UInt8], with key: SealingKey, of device: HouseholdID) -> [UInt8]? {
        guard sealed.count > keyByteCount, sealed.count <= maximumByteCount,
            var recipient = try? HPKE.Recipient(
                privateKey: key.key, ciphersuite: suite, info: info,
                encapsulatedKey: Data(sealed.prefix(keyByteCount))),
            let words = try? recipient.open(
                Data(sealed.dropFirst(keyByteCount)), authenticating: Data(device.description.utf8))
        else { return nil }
        return Array(words)
    }

    /// The SHA-256 of signed words, 32 bytes. A guardian's answer names the question by it.
    package static func digest(_ payload: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(data: payload))
    }
}

/// A device's X25519 key, derived from its Ed25519 key.
package struct SealingKey: Sendable {
    fileprivate let key: Curve25519.KeyAgreement.PrivateKey

    /// Takes the private half of the device's Ed25519 key, 32 bytes; `nil` if it is no key.
    package init?(_ secret: GateSecret) {
        let seed = secret.withBytes { bytes in
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: bytes), info: Data("gate household sealing".utf8),
                outputByteCount: 32)
        }
        guard let key = seed.withUnsafeBytes({ try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: $0) }) else {
            return nil
        }
        self.key = key
    }

    /// The public half, 32 bytes.
    package var publicKey: [UInt8] { Array(key.publicKey.rawRepresentation) }
}
