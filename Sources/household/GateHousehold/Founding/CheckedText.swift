import Crypto
import GateModel

/// Bytes that people write down and type again: base32 in groups, after a word that says what it is, with a checksum
/// that finds mistakes: `GATE-ABCDE-FGHIJ-…`.
enum CheckedText {
    private static let groupLength = 5
    private static let checksumByteCount = 3

    static func text(of bytes: [UInt8], after word: String) -> String {
        let digits = Base32.encoded(bytes + checksum(of: bytes, word))
        let groups = stride(from: 0, to: digits.count, by: groupLength).map {
            String(decoding: digits[$0..<min($0 + groupLength, digits.count)], as: UTF8.self)
        }
        return ([word] + groups).joined(separator: "-")
    }

    /// The bytes of a text; `nil` if there is a mistake in it. Case, spaces and hyphens don't matter, and 0, 1 and 8
    /// are read as the letters that look like them.
    static func bytes(of text: String, after word: String) -> [UInt8]? {
        let digits = text.utf8.compactMap(digit)
        let prefix = word.utf8.compactMap(digit)
        guard digits.starts(with: prefix), let bytes = Base32.bytes(digits.dropFirst(prefix.count)),
            bytes.count > checksumByteCount
        else { return nil }
        let content = Array(bytes.dropLast(checksumByteCount))
        return checksum(of: content, word) == Array(bytes.suffix(checksumByteCount)) ? content : nil
    }

    /// The digit that a typed byte stands for; `nil` if the byte only separates groups.
    static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): nil
        case UInt8(ascii: "0"): UInt8(ascii: "O")
        case UInt8(ascii: "1"): UInt8(ascii: "I")
        case UInt8(ascii: "8"): UInt8(ascii: "B")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 32
        case _: byte
        }
    }

    private static func checksum(of bytes: [UInt8], _ word: String) -> [UInt8] {
        Array(SHA256.hash(data: Array(word.utf8) + bytes).prefix(checksumByteCount))
    }
}
