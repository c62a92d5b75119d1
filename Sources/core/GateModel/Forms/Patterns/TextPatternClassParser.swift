/// Reads a class of a regular expression, which is what stands between [ and ].
struct TextPatternClassParser {
    typealias Mistake = TextPattern.Mistake

    private let scalars: [Unicode.Scalar]
    private(set) var place: Int

    init(_ scalars: [Unicode.Scalar], from place: Int) {
        self.scalars = scalars
        self.place = place
    }

    /// Reads a class, from after the [ to after the ].
    mutating func set(openedAt offset: Int) throws(Mistake) -> ScalarSet {
        let isInverted = skip("^")
        var set = ScalarSet()
        var isEmpty = true
        while !skip("]") {
            let start = place
            guard let first = try atom() else { throw Mistake(message: "This [ has no ].", offset: offset) }
            isEmpty = false
            // A hyphen between two characters makes a range. Elsewhere it stands for itself.
            guard peek == "-", let behind = peek(1), behind != "]", case .scalar(let lower) = first else {
                set = set.union(first.set)
                continue
            }
            place += 1
            guard let last = try atom() else { throw Mistake(message: "This [ has no ].", offset: offset) }
            guard case .scalar(let upper) = last else {
                throw Mistake(
                    message: "A range ends with one character. Write \\- for a hyphen.", offset: start)
            }
            guard lower <= upper else {
                throw Mistake(message: "This range ends before it begins. Exchange the two.", offset: start)
            }
            set = set.union(ScalarSet([lower.value...upper.value]))
        }
        guard !isEmpty else {
            throw Mistake(message: "This class is empty. Write \\] for the character.", offset: offset)
        }
        return isInverted ? set.inverted : set
    }

    /// `nil` at the end of the source.
    private mutating func atom() throws(Mistake) -> TextPatternEscape.Meaning? {
        let offset = place
        guard let scalar = peek else { return nil }
        place += 1
        switch scalar {
        case "\\":
            var parser = TextPatternEscape(scalars, from: place)
            let meaning = try parser.read(at: offset)
            place = parser.place
            return meaning
        case "[":
            throw Mistake(message: "Classes have no classes in them here. Write \\[ for the character.", offset: offset)
        case "&" where peek == "&":
            throw Mistake(message: "Classes can't be intersected here. Write one & for the character.", offset: offset)
        case _: return .scalar(scalar)
        }
    }

    private var peek: Unicode.Scalar? { peek(0) }

    private func peek(_ distance: Int) -> Unicode.Scalar? {
        place + distance < scalars.count ? scalars[place + distance] : nil
    }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == scalar else { return false }
        place += 1
        return true
    }
}
