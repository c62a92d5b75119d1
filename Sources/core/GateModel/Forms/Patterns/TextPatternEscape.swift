/// Reads what follows a backslash in a regular expression, inside or outside a class of characters.
struct TextPatternEscape {
    typealias Mistake = TextPattern.Mistake

    enum Meaning {
        case scalar(Unicode.Scalar)
        case any(ScalarSet)

        var set: ScalarSet {
            switch self {
            case .scalar(let scalar): ScalarSet([scalar])
            case .any(let set): set
            }
        }
    }

    private let scalars: [Unicode.Scalar]
    private(set) var place: Int

    init(_ scalars: [Unicode.Scalar], from place: Int) {
        self.scalars = scalars
        self.place = place
    }

    /// - Parameter offset: the offset of the backslash, for messages.
    mutating func read(at offset: Int) throws(Mistake) -> Meaning {
        guard place < scalars.count else {
            throw Mistake(message: "Nothing follows this \\. Write \\\\ for the character.", offset: offset)
        }
        let scalar = scalars[place]
        place += 1
        switch scalar {
        case "d": return .any(.digits)
        case "D": return .any(.digits.inverted)
        case "w": return .any(.wordCharacters)
        case "W": return .any(.wordCharacters.inverted)
        case "s": return .any(.space)
        case "S": return .any(.space.inverted)
        case "t": return .scalar("\t")
        case "n": return .scalar("\n")
        case "r": return .scalar("\r")
        case "f": return .scalar("\u{0C}")
        case "v": return .scalar("\u{0B}")
        case "x": return .scalar(try codePoint(digitCount: 2, at: offset))
        case "u": return .scalar(try codePoint(digitCount: 4, at: offset))
        case "1"..."9", "k": throw Mistake(message: "Gate has no back-references.", offset: offset)
        case "b", "B":
            throw Mistake(message: "Gate does not know where words end: it has no \\\(scalar).", offset: offset)
        case "p", "P":
            throw Mistake(message: "Gate has no \\\(scalar). Write the characters out: [A-Z]", offset: offset)
        case "0", "a"..."z", "A"..."Z":
            throw Mistake(message: "Gate has no \\\(scalar).", offset: offset)
        case _: return .scalar(scalar)
        }
    }

    private mutating func codePoint(digitCount: Int, at offset: Int) throws(Mistake) -> Unicode.Scalar {
        let first = try hexadecimal(digitCount: digitCount, at: offset)
        if let scalar = Unicode.Scalar(first) { return scalar }
        // A character beyond U+FFFF is written as two halves, as in UTF-16.
        guard (0xD800...0xDBFF).contains(first), scalars[place...].starts(with: ["\\", "u"]) else {
            throw Mistake(message: "This is half a character. Write the other half behind it.", offset: offset)
        }
        place += 2
        let second = try hexadecimal(digitCount: 4, at: offset)
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw Mistake(message: "These are not the two halves of a character.", offset: offset) }
        return scalar
    }

    private mutating func hexadecimal(digitCount: Int, at offset: Int) throws(Mistake) -> UInt32 {
        let digits = String(String.UnicodeScalarView(scalars[place...].prefix(digitCount)))
        guard digits.utf8.count == digitCount, digits.allSatisfy(\.isHexDigit), let value = UInt32(digits, radix: 16)
        else {
            throw Mistake(
                message: "\(digitCount) hexadecimal digits go here: \(digitCount == 2 ? "\\x7E" : "\\u00E9")",
                offset: offset)
        }
        place += digitCount
        return value
    }
}
