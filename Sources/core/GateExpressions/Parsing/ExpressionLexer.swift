import GateModel

struct ExpressionToken: Sendable {
    enum Kind: Hashable, Sendable {
        /// A delimited name stands in backticks, and may contain any characters.
        case name(String, isDelimited: Bool)
        case string(String)
        case number(String)
        /// A date or time as it was written, without `@`.
        case date(String)
        /// `this` or `index`, without `$`.
        case special(String)
        case symbol(String)
        case end
    }

    let kind: Kind
    let place: ExpressionError.Place

    /// For error messages.
    var found: String {
        switch kind {
        case .name(let text, _), .number(let text), .symbol(let text): "'\(text)'"
        case .string: "a text"
        case .date(let text): "'@\(text)'"
        case .special(let text): "'$\(text)'"
        case .end: "the end"
        }
    }
}

struct ExpressionLexer {
    private let scalars: [Unicode.Scalar]
    private var offset = 0
    private var line = 1
    private var lineStart = 0

    init(_ source: String) {
        scalars = Array(source.unicodeScalars)
    }

    mutating func tokens() throws(ExpressionError) -> [ExpressionToken] {
        guard scalars.count <= ExpressionLimits.sourceLength else {
            throw wrong(.tooLarge, "This is longer than \(ExpressionLimits.sourceLength) characters. Write less.")
        }
        var tokens: [ExpressionToken] = []
        while true {
            try skipSpace()
            let place = place
            guard let scalar = peek else {
                tokens.append(ExpressionToken(kind: .end, place: place))
                return tokens
            }
            tokens.append(ExpressionToken(kind: try token(scalar), place: place))
        }
    }

    private mutating func token(_ scalar: Unicode.Scalar) throws(ExpressionError) -> ExpressionToken.Kind {
        switch scalar {
        case "'": return .string(try quoted("'"))
        case "`": return .name(try quoted("`"), isDelimited: true)
        case "@": return .date(try date())
        case "$":
            offset += 1
            return .special(word())
        case "0"..."9": return .number(try number())
        case _ where Self.beginsName(scalar): return .name(word(), isDelimited: false)
        case _: return .symbol(try symbol())
        }
    }

    private mutating func symbol() throws(ExpressionError) -> String {
        let place = place
        let pair = String(String.UnicodeScalarView(scalars[offset...].prefix(2)))
        if ["<=", ">=", "!=", "!~"].contains(pair) {
            offset += 2
            return pair
        }
        let one = String(pair.unicodeScalars.prefix(1))
        guard ".,()[]{}+-*/&|=~<>%:".contains(one) else {
            throw ExpressionError(
                .syntax, at: place, "'\(one)' means nothing in an expression. Write texts in single quotes.")
        }
        offset += 1
        return one
    }

    private mutating func number() throws(ExpressionError) -> String {
        let start = offset
        skipDigits()
        if peek == ".", offset + 1 < scalars.count, Self.isDigit(scalars[offset + 1]) {
            offset += 1
            skipDigits()
        }
        let text = String(String.UnicodeScalarView(scalars[start..<offset]))
        guard peek != "L" else {
            throw wrong(.outsideSubset, "Gate does not know numbers with L. Leave out the L.")
        }
        return text
    }

    /// Reads all characters behind `@` that a date or time can contain. The parser checks whether it is one.
    private mutating func date() throws(ExpressionError) -> String {
        offset += 1
        let start = offset
        var hasTime = false
        while let scalar = peek {
            let isFraction = scalar == "." && hasTime && offset + 1 < scalars.count && Self.isDigit(scalars[offset + 1])
            let isPart = hasTime ? ":Z+-".unicodeScalars.contains(scalar) : scalar == "-" || scalar == "T"
            guard Self.isDigit(scalar) || isPart || isFraction else { break }
            if scalar == "T" { hasTime = true }
            offset += 1
        }
        return String(String.UnicodeScalarView(scalars[start..<offset]))
    }

    // MARK: Texts

    private mutating func quoted(_ quote: Unicode.Scalar) throws(ExpressionError) -> String {
        let opened = place
        offset += 1
        var text = String.UnicodeScalarView()
        while let scalar = peek {
            if scalar == "\\" {
                text.append(try escape())
                continue
            }
            next()
            if scalar == quote {
                let text = String(text)
                // The reader of the form has counted the combining marks in the expression's source. It did not see the
                // marks that are written as escapes, like \u0301: they become marks only here.
                guard !CombiningMarks.areTooMany(in: text) else {
                    throw ExpressionError(
                        .tooLarge, at: opened,
                        "This text has more than \(CombiningMarks.maximumCount) accents or other marks in a row.")
                }
                return text
            }
            text.append(scalar)
        }
        throw ExpressionError(.syntax, at: opened, "This \(quote) is not closed. Put another one after the text.")
    }

    private mutating func escape() throws(ExpressionError) -> Unicode.Scalar {
        let place = place
        offset += 1
        let scalar = peek
        offset += 1
        switch scalar {
        case "'", "\"", "`", "\\", "/": return scalar ?? "\\"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "f": return "\u{C}"
        case "u":
            guard let first = hexadecimal() else { break }
            if let scalar = Unicode.Scalar(first) { return scalar }
            guard scalars[min(offset, scalars.count)...].starts(with: ["\\", "u"]) else { break }
            offset += 2
            guard first < 0xDC00, let second = hexadecimal(), (0xDC00...0xDFFF).contains(second),
                let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
            else { break }
            return scalar
        case _: break
        }
        throw ExpressionError(
            .syntax, at: place,
            "This \\ begins nothing. Write \\\\ for the character, and \\\\d for a digit of a pattern.")
    }

    private mutating func hexadecimal() -> UInt32? {
        let digits = scalars[min(offset, scalars.count)...].prefix(4)
        guard digits.count == 4, digits.allSatisfy(\.properties.isASCIIHexDigit) else { return nil }
        offset += 4
        return UInt32(String(String.UnicodeScalarView(digits)), radix: 16)
    }

    // MARK: Scalars

    private var peek: Unicode.Scalar? { offset < scalars.count ? scalars[offset] : nil }

    private var place: ExpressionError.Place {
        ExpressionError.Place(line: line, column: offset - lineStart + 1)
    }

    private mutating func next() {
        if peek == "\n" { (line, lineStart) = (line + 1, offset + 1) }
        offset += 1
    }

    private mutating func skipSpace() throws(ExpressionError) {
        while let scalar = peek {
            if [" ", "\t", "\r", "\n"].contains(scalar) {
                next()
            } else if scalars[offset...].starts(with: ["/", "/"]) {
                while let scalar = peek, scalar != "\n" { next() }
            } else if scalars[offset...].starts(with: ["/", "*"]) {
                let opened = place
                offset += 2
                while !scalars[offset...].starts(with: ["*", "/"]) {
                    guard peek != nil else {
                        throw ExpressionError(.syntax, at: opened, "This comment is not closed. Put */ after it.")
                    }
                    next()
                }
                offset += 2
            } else {
                return
            }
        }
    }

    private mutating func skipDigits() {
        while let scalar = peek, Self.isDigit(scalar) { offset += 1 }
    }

    private mutating func word() -> String {
        let start = offset
        while let scalar = peek, Self.beginsName(scalar) || Self.isDigit(scalar) { offset += 1 }
        return String(String.UnicodeScalarView(scalars[start..<offset]))
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    private static func beginsName(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_"
    }

    private func wrong(_ kind: ExpressionError.Kind, _ message: String) -> ExpressionError {
        ExpressionError(kind, at: place, message)
    }
}
