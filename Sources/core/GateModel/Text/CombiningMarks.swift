/// Counts the combining marks in a row in a text, such as accents.
///
/// Swift sorts them whenever it compares or hashes the text, in a time that grows with the square of their number: 60
/// KB of marks take most of a second each time. No language writes more than a few in a row. So a text from outside may
/// have `maximumCount` and no more, and so may a text that is put together from others. `ProtobufScan` has the same
/// limit for the strings of messages.
package struct CombiningMarks {
    package static let maximumCount = 128

    private var count = 0

    /// Returns whether this scalar is one mark too many.
    private mutating func isTooManyWith(_ scalar: Unicode.Scalar) -> Bool {
        count = Self.isMark(scalar) ? count + 1 : 0
        return count > Self.maximumCount
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x300: false  // The first combining mark is U+0300.
        case 0xF73, 0xF75, 0xF81: true  // These Tibetan vowels have no class, but are decomposed into marks.
        default: scalar.properties.canonicalCombiningClass != .notReordered
        }
    }

    package static func areTooMany(in text: String) -> Bool {
        guard text.utf8.count > maximumCount else { return false }
        var marks = CombiningMarks()
        return text.unicodeScalars.contains { marks.isTooManyWith($0) }
    }

    /// Whether there are too many where the two texts meet if one follows the other. Neither may have too many itself.
    package static func areTooMany(where left: String, meets right: String) -> Bool {
        func count(_ scalars: some Sequence<Unicode.Scalar>) -> Int {
            var count = 0
            for scalar in scalars {
                guard count <= maximumCount, isMark(scalar) else { break }
                count += 1
            }
            return count
        }
        let following = count(right.unicodeScalars)
        return following > 0 && following + count(left.unicodeScalars.reversed()) > maximumCount
    }

    /// Whether JSON has too many in one of its texts, as they are or as escapes. Says nothing about other mistakes.
    package static func areTooMany(inJSON bytes: [UInt8]) -> Bool {
        guard bytes.contains(where: { $0 >= 0xCC || $0 == UInt8(ascii: "\\") }) else { return false }
        var marks = CombiningMarks()
        var scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars.makeIterator()
        var firstHalf: UInt32?
        while let scalar = scalars.next() {
            var scalar: Unicode.Scalar? = scalar
            if scalar == "\\" {
                scalar = scalars.next()
                if scalar == "u" {
                    let unit = (0..<4).reduce(UInt32(0)) { value, _ in
                        value << 4 | UInt32(scalars.next().flatMap { Character($0).hexDigitValue } ?? 0)
                    }
                    if (0xD800..<0xDC00).contains(unit) {
                        firstHalf = unit
                        continue
                    }
                    let isSecondHalf = (0xDC00..<0xE000).contains(unit)
                    scalar = Unicode.Scalar(
                        isSecondHalf ? firstHalf.map { 0x1_0000 + ($0 - 0xD800) << 10 + unit - 0xDC00 } ?? unit : unit)
                }
            }
            firstHalf = nil
            if marks.isTooManyWith(scalar ?? " ") { return true }
        }
        return false
    }
}
