/// RFC 4648, as authenticators write their keys, without padding.
package enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    /// The digit of a value from 0 to 31.
    package static func digit(_ value: UInt8) -> UInt8 { alphabet[Int(value)] }

    /// The value of a digit, from 0 to 31; `nil`: it is none.
    package static func value(of digit: UInt8) -> UInt8? {
        alphabet.firstIndex(of: digit).map { UInt8($0) }
    }

    /// The text of these bytes.
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

    /// The bytes of a text; `nil`: it is none that `encoded` writes.
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
        // What is left over of the last digit is nothing: there is one spelling of each.
        return bitCount < 5 && buffer & (1 << bitCount - 1) == 0 ? bytes : nil
    }
}
