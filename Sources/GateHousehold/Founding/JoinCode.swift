import Crypto
import FoundationEssentials
import GateModel

/// A code to type or to scan, with everything that a newcomer needs to join a household: where the broker is, a fingerprint of the household's
/// certificate authority, and 128 random bits that only the two devices know. Good once, and for ten minutes.
package struct JoinCode: Hashable, Sendable {
    /// How long a code is good.
    package static let life = Duration.seconds(600)
    private static let word = "GATE"
    /// The forms of codes that are read; new ones have the last.
    private static let versions: ClosedRange<UInt8> = 1...2
    private static let fingerprintByteCount = 16
    private static let secretByteCount = 16

    /// The broker's name or address.
    package let host: String
    /// The port where those may connect that have no certificate yet.
    package let port: UInt16
    /// The first 16 bytes of the SHA-256 of the authority's certificate. Nobody can make another certificate with the same ones.
    package let fingerprint: [UInt8]
    private let secret: GateSecret
    private let version: UInt8

    /// Makes a new one.
    ///
    /// - Parameters:
    ///   - authority: the certificate in DER.
    ///   - seed: a new one.
    package init(host: String, port: UInt16, authority: [UInt8], seed: JoinSeed) {
        (self.host, self.port) = (host, port)
        version = Self.versions.upperBound
        fingerprint = Self.fingerprint(of: authority)
        secret = seed.codeSecret(byteCount: Self.secretByteCount)
    }

    /// Reads a code as it was typed; `nil`: there is a mistake in it.
    package init?(_ text: String) {
        let headByteCount = 1 + Self.fingerprintByteCount + Self.secretByteCount + 2
        guard let bytes = CheckedText.bytes(of: text, after: Self.word), let version = bytes.first,
            Self.versions.contains(version), (1...255).contains(bytes.count - headByteCount)
        else { return nil }
        self.version = version
        var rest = bytes.dropFirst()
        fingerprint = Array(rest.prefix(Self.fingerprintByteCount))
        rest = rest.dropFirst(Self.fingerprintByteCount)
        secret = GateSecret(rest.prefix(Self.secretByteCount))
        rest = rest.dropFirst(Self.secretByteCount)
        port = rest.prefix(2).reduce(0) { $0 << 8 | UInt16($1) }
        guard port > 0, let host = BrokerAddress.host(String(decoding: rest.dropFirst(2), as: UTF8.self)) else {
            return nil
        }
        self.host = host
    }

    /// The code as people type it.
    package var text: String {
        let port = [UInt8(truncatingIfNeeded: port >> 8), UInt8(truncatingIfNeeded: port)]
        return CheckedText.text(
            of: [version] + fingerprint + secret.withBytes { Array($0) } + port + Array(host.utf8),
            after: Self.word)
    }

    /// Whether this certificate, in DER, is the authority's.
    package func isOfAuthority(_ certificate: [UInt8]) -> Bool {
        Self.fingerprint(of: certificate) == fingerprint
    }

    /// Whether the code follows from this seed.
    func isOfSeed(_ seed: JoinSeed) -> Bool {
        seed.codeSecret(byteCount: Self.secretByteCount) == secret
    }

    /// The place on the broker where the two devices meet. It is the same for all codes, so that strangers can leave one message there and no more:
    /// what is not sealed with the code's keys is ignored. A code of the first form has a place of its own.
    package var place: String { version == 1 ? slot : JoinTopic.place }

    /// Names the code; nothing else of it can be told from that.
    package var slot: String {
        let bytes = key("slot").withUnsafeBytes { Array($0.prefix(16)) }
        return String(decoding: Base32.encoded(bytes), as: UTF8.self).lowercased()
    }

    func key(_ purpose: String) -> SymmetricKey {
        secret.withBytes { bytes in
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: bytes), salt: fingerprint,
                info: Data("gate join 1: \(purpose)".utf8),
                outputByteCount: 32)
        }
    }

    private static func fingerprint(of authority: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(data: authority).prefix(fingerprintByteCount))
    }
}
