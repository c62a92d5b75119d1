/// The syntax tree of a regular expression.
indirect enum TextPatternNode: Hashable, Sendable {
    case one(ScalarSet)
    case start
    case end
    /// These one after the other. An empty sequence reads nothing.
    case sequence([TextPatternNode])
    case choice([TextPatternNode])
    /// Repeats the node; `nil`: without an upper limit. `offset` is that of the repeat sign in the source.
    case repeated(TextPatternNode, atLeast: Int, atMost: Int?, offset: Int)
}

/// Makes the syntax tree of a regular expression, or says where its mistake is.
struct TextPatternParser {
    typealias Mistake = TextPattern.Mistake

    private let scalars: [Unicode.Scalar]
    private var place = 0
    private var depth = 0

    private static let maximumDepth = 100

    /// What `.` stands for.
    private let dot: ScalarSet

    init(_ source: String, dot: ScalarSet = .withinLine) {
        scalars = Array(source.unicodeScalars)
        self.dot = dot
    }

    mutating func pattern() throws(Mistake) -> TextPatternNode {
        guard scalars.count <= TextPattern.maximumScalarCount else {
            throw mistake(
                "This regular expression is too long: \(TextPattern.maximumScalarCount) characters are the most.",
                at: TextPattern.maximumScalarCount)
        }
        let pattern = try choice()
        guard place == scalars.count else { throw mistake("This ) closes nothing. Write \\) for the character.") }
        return pattern
    }

    private mutating func choice() throws(Mistake) -> TextPatternNode {
        var alternatives = [try sequence()]
        while skip("|") { alternatives.append(try sequence()) }
        return alternatives.count == 1 ? alternatives[0] : .choice(alternatives)
    }

    private mutating func sequence() throws(Mistake) -> TextPatternNode {
        var parts: [TextPatternNode] = []
        while let next = peek, next != "|", next != ")" {
            parts.append(try repeatedPart())
        }
        return parts.count == 1 ? parts[0] : .sequence(parts)
    }

    // MARK: Repeats

    private mutating func repeatedPart() throws(Mistake) -> TextPatternNode {
        let part = try part()
        let offset = place
        guard let (least, most) = try repeatSign() else { return part }
        switch part {
        case .start, .end: throw mistake("^ and $ can't be repeated.", at: offset)
        case .one, .sequence, .choice, .repeated: break
        }
        // A lazy repeat matches the same texts, since the whole text has to match.
        _ = skip("?")
        if peek == "+" {
            throw mistake("Gate has no possessive repeats. Leave out this +: nothing is ever tried twice anyway.")
        }
        let another = place
        if try repeatSign() != nil {
            throw mistake("Two repeats follow each other. Put the first one into a group: (?:…)", at: another)
        }
        return .repeated(part, atLeast: least, atMost: most, offset: offset)
    }

    /// `nil` if no repeat sign follows.
    private mutating func repeatSign() throws(Mistake) -> (atLeast: Int, atMost: Int?)? {
        if skip("*") { return (0, nil) }
        if skip("+") { return (1, nil) }
        if skip("?") { return (0, 1) }
        let offset = place
        guard skip("{") else { return nil }
        guard let least = number() else {
            throw mistake("After { goes how often, like {2}, {2,} or {2,5}. Write \\{ for the character.", at: offset)
        }
        var most: Int? = least
        if skip(",") { most = number() }
        guard skip("}") else { throw mistake("This { has no }.", at: offset) }
        if let most, most < least {
            throw mistake("It can't repeat at least \(least) and at most \(most) times. Exchange them.", at: offset)
        }
        return (least, most)
    }

    /// Reads a number; `nil` if no digits follow. A number above `maximumStateCount` becomes `maximumStateCount + 1`: a
    /// program with so many repeats is refused anyway.
    private mutating func number() -> Int? {
        var number: Int?
        while let digit = peek, ("0"..."9").contains(digit) {
            place += 1
            number = min((number ?? 0) * 10 + Int(digit.value - 0x30), TextPattern.maximumStateCount + 1)
        }
        return number
    }

    // MARK: What can be repeated

    private mutating func part() throws(Mistake) -> TextPatternNode {
        let offset = place
        guard let scalar = next() else { return .sequence([]) }
        switch scalar {
        case "(":
            try groupOpened(at: offset)
            depth += 1
            guard depth <= Self.maximumDepth else {
                throw mistake("Groups stand in groups more than \(Self.maximumDepth) deep.", at: offset)
            }
            let group = try choice()
            guard skip(")") else { throw mistake("This ( has no ). Write \\( for the character.", at: offset) }
            depth -= 1
            return group
        case "[":
            var parser = TextPatternClassParser(scalars, from: place)
            let set = try parser.set(openedAt: offset)
            place = parser.place
            return .one(set)
        case ".": return .one(dot)
        case "^": return .start
        case "$": return .end
        case "\\":
            var parser = TextPatternEscape(scalars, from: place)
            let set = try parser.read(at: offset).set
            place = parser.place
            return .one(set)
        case "*", "+", "?":
            throw mistake("Before \(scalar) goes what is repeated. Write \\\(scalar) for the character.", at: offset)
        case "{", "}", "]":
            throw mistake("This \(scalar) belongs to nothing. Write \\\(scalar) for the character.", at: offset)
        case _: return .one(ScalarSet([scalar]))
        }
    }

    private mutating func groupOpened(at offset: Int) throws(Mistake) {
        guard skip("?") else { return }
        if skip(":") { return }
        let behind = String(String.UnicodeScalarView(scalars[place...].prefix(2)))
        let what: String
        if behind.hasPrefix("=") || behind.hasPrefix("!") {
            what = "Gate has no look-ahead: it can't be matched in a time that grows with the text alone."
        } else if behind == "<=" || behind == "<!" {
            what = "Gate has no look-behind: it can't be matched in a time that grows with the text alone."
        } else if behind.hasPrefix("<") || behind.hasPrefix("P") || behind.hasPrefix("'") {
            what = "Groups have no names here. Write ( alone."
        } else if behind.hasPrefix(">") {
            what = "Gate has no atomic groups. Write (?: instead: nothing is ever tried twice anyway."
        } else {
            what = "Gate has no flags and no other groups with ?. Write ( or (?: instead."
        }
        throw mistake(what, at: offset)
    }

    // MARK: Scalars

    private var peek: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

    private mutating func next() -> Unicode.Scalar? {
        guard let scalar = peek else { return nil }
        place += 1
        return scalar
    }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == scalar else { return false }
        place += 1
        return true
    }

    private func mistake(_ message: String, at offset: Int? = nil) -> Mistake {
        Mistake(message: message, offset: offset ?? place)
    }
}
