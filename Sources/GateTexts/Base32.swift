/// RFC 4648, as authenticators write their keys.
package enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    /// Without padding.
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
}
