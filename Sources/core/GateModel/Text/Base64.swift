/// Base64 of RFC 4648. Only the spelling that an encoder writes is accepted, so two texts never mean the same bytes.
/// Options allow white space and missing padding.
package enum Base64 {
    package struct Leniency: OptionSet, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        /// Accepts spaces, tabs and line ends anywhere.
        package static let whiteSpace = Leniency(rawValue: 1)
        /// Accepts too few `=` at the end, or none.
        package static let missingPadding = Leniency(rawValue: 2)
    }

    package enum Alphabet: Sendable {
        /// With `+` and `/` (section 4).
        case standard
        /// With `-` and `_`, and without padding (section 5).
        case url
        /// With `+` and `-` for 62, `/` and `_` for 63, and with padding.
        case either
    }

    /// `nil` if the text is not base64.
    package static func bytes(
        _ text: some Collection<UInt8>, _ alphabet: Alphabet = .standard, allowing leniency: Leniency = []
    ) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        return decode(text, alphabet, leniency) { bytes.append($0) } ? bytes : nil
    }

    /// Whether `bytes` would decode the text. Needs no memory for the result.
    package static func isWellFormed(
        _ text: some Collection<UInt8>, _ alphabet: Alphabet = .standard, allowing leniency: Leniency = []
    ) -> Bool {
        decode(text, alphabet, leniency) { _ in }
    }

    private static func decode(
        _ text: some Collection<UInt8>, _ alphabet: Alphabet, _ leniency: Leniency, _ take: (UInt8) -> Void
    ) -> Bool {
        var bits: UInt32 = 0
        var digits = 0
        var padding = 0
        for byte in text {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D:
                guard leniency.contains(.whiteSpace) else { return false }
                continue
            case UInt8(ascii: "="):
                padding += 1
                continue
            default: break
            }
            guard padding == 0, let digit = digit(byte, alphabet) else { return false }
            bits = bits << 6 | digit
            digits += 1
            if digits == 4 {
                take(UInt8(truncatingIfNeeded: bits >> 16))
                take(UInt8(truncatingIfNeeded: bits >> 8))
                take(UInt8(truncatingIfNeeded: bits))
                (bits, digits) = (0, 0)
            }
        }
        let due = alphabet == .url ? 0 : (4 - digits) % 4
        guard padding == due || (leniency.contains(.missingPadding) && padding < due) else { return false }
        switch digits {
        case 0: return true
        case 2 where bits & 0xF == 0:
            take(UInt8(truncatingIfNeeded: bits >> 4))
            return true
        case 3 where bits & 0x3 == 0:
            take(UInt8(truncatingIfNeeded: bits >> 10))
            take(UInt8(truncatingIfNeeded: bits >> 2))
            return true
        default: return false
        }
    }

    private static func digit(_ byte: UInt8, _ alphabet: Alphabet) -> UInt32? {
        switch (byte, alphabet) {
        case (UInt8(ascii: "A")...UInt8(ascii: "Z"), _): UInt32(byte - UInt8(ascii: "A"))
        case (UInt8(ascii: "a")...UInt8(ascii: "z"), _): UInt32(byte - UInt8(ascii: "a")) + 26
        case (UInt8(ascii: "0")...UInt8(ascii: "9"), _): UInt32(byte - UInt8(ascii: "0")) + 52
        case (UInt8(ascii: "+"), .standard), (UInt8(ascii: "+"), .either): 62
        case (UInt8(ascii: "/"), .standard), (UInt8(ascii: "/"), .either): 63
        case (UInt8(ascii: "-"), .url), (UInt8(ascii: "-"), .either): 62
        case (UInt8(ascii: "_"), .url), (UInt8(ascii: "_"), .either): 63
        default: nil
        }
    }
}
