import Crypto
import FoundationEssentials
import GateModel

/// A code to type or to scan, with everything that a newcomer needs to join a household: 80 random bits that only the
/// two devices know, a fingerprint of the household's certificate authority, and the broker's address. It is valid
/// once, and for ten minutes.
///
/// The keys of all messages are derived from the random bits. So these have to withstand, for ten minutes, an attacker
/// who has recorded messages and guesses. The fingerprint keeps out an attacker between the newcomer and the broker who
/// has read the code: another certificate with the same fingerprint would be needed. The fingerprint depends on the
/// random bits, so nobody can search for such a certificate before the code exists, and 60 bits are enough.
package struct JoinCode: Hashable, Sendable {
    package static let life = Duration.seconds(600)
    private static let word = "GATE"
    private static let secretByteCount = 10
    private static let secretDigitCount = 16
    private static let fingerprintDigitCount = 12
    private static let groupCount = (secretDigitCount + fingerprintDigitCount) / (CheckedGroups.length - 1)

    package let host: String
    /// The port for devices without a certificate.
    package let port: UInt16
    /// The first 60 bits of a SHA-256 of the random bits and the authority's certificate, as digits of base32.
    package let fingerprint: [UInt8]
    private let secret: GateSecret

    /// The authority's certificate is in DER.
    package init(host: String, port: UInt16, authority: [UInt8], seed: JoinSeed) {
        (self.host, self.port) = (host.lowercased(), port)
        secret = seed.codeSecret(byteCount: Self.secretByteCount)
        fingerprint = Self.fingerprint(of: authority, secret)
    }

    /// Reads a code as it was typed; `nil` if there is a mistake in it.
    package init?(_ text: String) {
        try? self.init(typed: text)
    }

    /// Case and spaces don't matter, hyphens and the word before the groups may be missing, and 0, 1 and 8 are read as
    /// the letters that look like them.
    /// - Throws: `badCode` or `badCodeGroup`.
    package init(typed text: String) throws(FoundingError) {
        guard text.utf8.count <= 1000, let (groups, place) = text.cut(atFirst: "@"),
            let broker = BrokerAddress(
                place.filter { !$0.isWhitespace }.lowercased(), defaultPort: MosquittoConfiguration.defaultJoinPort)
        else { throw .badCode }
        let typed = try Self.groups(of: groups)
        let (digits, wrong) = CheckedGroups.digits(of: typed)
        if let wrong { throw .badCodeGroup(wrong + 1, text: String(decoding: typed[wrong], as: UTF8.self)) }
        guard let secret = Base32.bytes(digits.prefix(Self.secretDigitCount)) else { throw .badCode }
        (host, port) = (broker.host, broker.port)
        self.secret = GateSecret(secret)
        fingerprint = Array(digits.dropFirst(Self.secretDigitCount))
    }

    /// The groups as they were typed; if their number is wrong, the characters in groups of five.
    private static func groups(of text: String) throws(FoundingError) -> [[UInt8]] {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F || CheckedText.digit($0) == nil }) else { throw .badCode }
        var groups = text.utf8.split { CheckedText.digit($0) == nil }.map { $0.compactMap(CheckedText.digit) }
        if groups.first == Array(word.utf8) { groups.removeFirst() }
        if groups.count == groupCount { return groups }
        let length = groupCount * CheckedGroups.length
        var digits = groups.flatMap(\.self)
        if digits.count > length, digits.starts(with: word.utf8) { digits.removeFirst(word.utf8.count) }
        guard digits.count == length else { throw .badCode }
        return stride(from: 0, to: length, by: CheckedGroups.length).map {
            Array(digits[$0..<$0 + CheckedGroups.length])
        }
    }

    /// The code as people type it.
    package var text: String {
        let digits = secret.withBytes { Base32.encoded($0) } + fingerprint
        let place = BrokerAddress(host: host, port: port).text(defaultPort: MosquittoConfiguration.defaultJoinPort)
        return "\(Self.word)-\(CheckedGroups.text(of: digits))@\(place)"
    }

    /// Whether this certificate, in DER, has the code's fingerprint.
    package func isOfAuthority(_ certificate: [UInt8]) -> Bool {
        Self.fingerprint(of: certificate, secret) == fingerprint
    }

    func isOfSeed(_ seed: JoinSeed) -> Bool {
        seed.codeSecret(byteCount: Self.secretByteCount) == secret
    }

    /// The level of the topics where the two devices meet. It is the same for all codes, so that a stranger can leave
    /// only one message there. What is not sealed with the code's keys is ignored.
    package var place: String { JoinTopic.place }

    /// An identifier of the code that tells nothing else about it.
    package var slot: String {
        let bytes = key("slot").withUnsafeBytes { Array($0.prefix(16)) }
        return String(decoding: Base32.encoded(bytes), as: UTF8.self).lowercased()
    }

    func key(_ purpose: String) -> SymmetricKey {
        secret.withBytes { bytes in
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: bytes), salt: fingerprint,
                info: Data("gate join 2: \(purpose)".utf8),
                outputByteCount: 32)
        }
    }

    private static func fingerprint(of authority: [UInt8], _ secret: GateSecret) -> [UInt8] {
        let hash = secret.withBytes { SHA256.hash(data: Array("gate join 2: authority ".utf8) + $0 + authority) }
        return Array(Base32.encoded(hash).prefix(fingerprintDigitCount))
    }
}
