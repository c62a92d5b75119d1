/// Base32 of RFC 4648 without padding, as authenticators write their keys.
package enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    /// The digit for a value from 0 to 31. A larger value traps.
    package static func digit(_ value: UInt8) -> UInt8 { alphabet[Int(value)] }

    /// The value of a digit, from 0 to 31; `nil` if it is not a digit. Lower case is not accepted.
    package static func value(of digit: UInt8) -> UInt8? {
        alphabet.firstIndex(of: digit).map { UInt8($0) }
    }

    package static func encoded(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        var (buffer, bitCount) = (0, 0)
        for byte in bytes {
            buffer = buffer << 8 | Int(byte)
            bitCount += 8
            while bitCount >= 5 {
                bitCount -= 5
                text.append(alphabet[buffer >> bitCount & 31])
            }
            buffer &= 31
        }
        if bitCount > 0 { text.append(alphabet[buffer << (5 - bitCount) & 31]) }
        return text
    }

    /// Decodes a text; `nil` unless it is exactly as `encoded` writes it.
    package static func bytes(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (buffer, bitCount) = (0, 0)
        for digit in text {
            guard let value = alphabet.firstIndex(of: digit) else { return nil }
            buffer = buffer << 5 | value
            bitCount += 5
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> bitCount))
            }
            buffer &= 255
        }
        // The bits left over must be fewer than a digit and all zero, so that the same bytes have only one spelling.
        return bitCount < 5 && buffer & (1 << bitCount - 1) == 0 ? bytes : nil
    }
}
