import Crypto
import FoundationEssentials
import GateModel

/// The random number from which a code's random bits are derived. The inviting device keeps it secret until a newcomer
/// has asked. So an attacker who has only seen the code does not have it, can't choose another one, and can't search
/// for a request with the check number of the real newcomer.
package struct JoinSeed: Hashable, Sendable {
    private static let byteCount = 32
    private let secret: GateSecret

    package init() {
        secret = GateSecret(SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) })
    }

    /// Takes the seed that the inviting device has sent; `nil` if the code is not derived from it.
    package init?(_ bytes: [UInt8], of code: JoinCode) {
        guard bytes.count == Self.byteCount else { return nil }
        secret = GateSecret(bytes)
        guard code.isOfSeed(self) else { return nil }
    }

    /// The seed's 32 bytes. They stay secret until a newcomer has asked.
    package var bytes: [UInt8] { secret.withBytes { Array($0) } }

    func codeSecret(byteCount: Int) -> GateSecret {
        GateSecret(Array(SHA256.hash(data: Array("gate join 1: code ".utf8) + bytes).prefix(byteCount)))
    }
}

/// Six digits that both devices show while one joins: the same only for the same newcomer, with the same keys.
package struct CheckNumber: Hashable, Sendable {
    /// The digits, in two groups of three.
    package let text: String

    package init(_ request: JoinRequest, _ seed: JoinSeed) {
        let digest = HMAC<SHA256>.authenticationCode(
            for: Array("gate join 1: check ".utf8) + request.bytes, using: SymmetricKey(data: seed.bytes))
        let number = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 1_000_000
        let digits = String(repeating: "0", count: 6 - String(number).count) + String(number)
        text = "\(digits.prefix(3)) \(digits.suffix(3))"
    }
}
