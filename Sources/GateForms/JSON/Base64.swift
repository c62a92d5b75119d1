/// Bytes as text, strictly as RFC 4648 has it: padded, with nothing left over in the last digit. FHIR allows white
/// space.
enum Base64 {
    /// `nil`: this is not base64.
    static func bytes(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 4 * 3)
        let isWhole = decode(text) { bytes.append($0) }
        return isWhole ? bytes : nil
    }

    static func isWellFormed(_ text: String) -> Bool { decode(text) { _ in } }

    private static func decode(_ text: String, _ take: (UInt8) -> Void) -> Bool {
        var bits: UInt32 = 0
        var digits = 0
        var padding = 0
        for byte in text.utf8 {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: continue
            case UInt8(ascii: "="):
                padding += 1
                continue
            default: break
            }
            guard padding == 0, let digit = digit(byte) else { return false }
            bits = bits << 6 | digit
            digits += 1
            if digits == 4 {
                take(UInt8(truncatingIfNeeded: bits >> 16))
                take(UInt8(truncatingIfNeeded: bits >> 8))
                take(UInt8(truncatingIfNeeded: bits))
                (bits, digits) = (0, 0)
            }
        }
        switch (digits, padding) {
        case (0, 0): return true
        case (2, 2) where bits & 0xF == 0:
            take(UInt8(truncatingIfNeeded: bits >> 4))
            return true
        case (3, 1) where bits & 0x3 == 0:
            take(UInt8(truncatingIfNeeded: bits >> 10))
            take(UInt8(truncatingIfNeeded: bits >> 2))
            return true
        default: return false
        }
    }

    private static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
