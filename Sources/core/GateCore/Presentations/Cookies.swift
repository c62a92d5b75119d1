import GateModel

/// Why a cookie is refused.
enum CookieRefusal: Hashable, Sendable {
    /// The cookie is made up, or belongs to another peer.
    case forged
    /// Its presentation was answered, dismissed or withdrawn; or the cookie is that of the presenter which last had to
    /// give the presentation up.
    case closed
    /// Its presentation is still there, but its deadline has passed.
    case expired
}

extension PresentationCookie {
    /// Makes a cookie that nobody can guess, of two random numbers.
    init(presentation id: UInt64, using random: inout some RandomNumberGenerator) {
        self.init(bytes: secretBytes(id, using: &random))
    }

    /// The id in its bytes, to be trusted only after `matches`; `nil` if the length is wrong.
    var presentationID: UInt64? { leadingID(of: bytes, expecting: PresentationCookie.byteCount) }

    func matches(_ other: PresentationCookie) -> Bool { isSame(bytes, other.bytes) }
}

extension Grant.Proof {
    init(grant id: UInt64, using random: inout some RandomNumberGenerator) {
        self.init(bytes: secretBytes(id, using: &random))
    }

    /// The id in its bytes, to be trusted only after `matches`; `nil` if the length is wrong.
    var grantID: UInt64? { leadingID(of: bytes, expecting: Grant.Proof.byteCount) }

    func matches(_ other: Grant.Proof) -> Bool { isSame(bytes, other.bytes) }
}

/// The id and 16 random bytes, as three big-endian words.
private func secretBytes(_ id: UInt64, using random: inout some RandomNumberGenerator) -> [UInt8] {
    let words = [id, random.next() as UInt64, random.next() as UInt64]
    return words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
}

private func leadingID(of bytes: [UInt8], expecting count: Int) -> UInt64? {
    guard bytes.count == count else { return nil }
    return bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
}

/// Compares in a time that does not depend on where the bytes differ.
private func isSame(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
}
