package import Crypto
import FoundationEssentials
package import GateGuardians
package import GateModel

/// The secret of a household: 32 random bytes, from which its id, its two keys and a password are derived. The device
/// that founded the household keeps it, and people keep it on paper as the recovery key. Anyone who has it can act as
/// the household.
package struct HouseholdSecret: Hashable, Sendable {
    private static let byteCount = 32
    private static let word = "GATE-RECOVERY"
    private let bytes: GateSecret

    package init() {
        bytes = GateSecret(SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) })
    }

    /// Reads a recovery key; `nil` if there is a mistake in it.
    package init?(recoveryKey: String) {
        guard var bytes = CheckedText.bytes(of: recoveryKey, after: Self.word), bytes.count == Self.byteCount else {
            return nil
        }
        self.bytes = GateSecret(wiping: &bytes)
    }

    /// The secret as text, for paper and for `household.key`.
    package var recoveryKey: String {
        CheckedText.text(of: bytes.withBytes { Array($0) }, after: Self.word)
    }

    package var household: HouseholdID {
        guard let id = HouseholdID(Hex.encoded(derived("household id", byteCount: 16))) else {
            preconditionFailure("16 bytes have 32 digits")
        }
        return id
    }

    /// The household's Ed25519 key, which signs the lists of devices and guardians, and the policies.
    package var signingKey: SigningKey {
        guard let key = SigningKey(GateSecret(derived("household key", byteCount: 32))) else {
            preconditionFailure("any 32 bytes are a seed of Ed25519")
        }
        return key
    }

    /// The P-256 key of the household's certificate authority.
    package var authorityKey: P256.Signing.PrivateKey {
        var number = 0
        while true {
            // One in four billion numbers of 256 bits is no key of P-256. Then the next number is tried.
            let bytes = derived("certificate authority \(number)", byteCount: 32)
            if let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes) { return key }
            number += 1
        }
    }

    /// The inviting device's password at the broker for devices that join.
    var joinPassword: String { Hex.encoded(derived("password for joining", byteCount: 32)) }

    /// The salt of that password's hash. It is the same each time, so that the file at the broker need not be renewed.
    var joinSalt: [UInt8] { derived("salt for joining", byteCount: 12) }

    private func derived(_ purpose: String, byteCount: Int) -> [UInt8] {
        bytes.withBytes { bytes in
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: bytes), info: Data("gate household 1: \(purpose)".utf8),
                outputByteCount: byteCount
            ).withUnsafeBytes { Array($0) }
        }
    }
}
