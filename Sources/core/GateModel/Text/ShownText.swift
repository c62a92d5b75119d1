extension Unicode.Scalar {
    /// Whether a person sees this character anywhere in a line. Not control characters, line and paragraph separators,
    /// characters that reverse the direction of reading, invisible ones, ones that only look like a space, and ones
    /// that every font draws differently: any of them could make a text look like another one. Joiners and similar
    /// characters are seen only in certain places, which `String.shownScalars` finds.
    package var isShownInALine: Bool {
        // Almost all text is ASCII, for which no properties have to be looked up.
        if value < 0x7F { return value >= 0x20 }
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return false
        default: return !properties.isDefaultIgnorableCodePoint && !isBlank
        }
    }

    /// Whether the character is drawn as nothing, although Unicode calls it neither a space nor invisible: the empty
    /// pattern of Braille, the null notehead, the blanks of Egyptian hieroglyphs.
    private var isBlank: Bool {
        switch value {
        case 0x2800, 0x1D159, 0x13441, 0x13442: true
        default: false
        }
    }

    /// Whether this is a mark that is drawn over, under or around the character before it.
    fileprivate var isStackedMark: Bool {
        guard value >= 0x300 else { return false }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return true
        default: return false
        }
    }

    fileprivate var isPictographic: Bool { value >= 0xA9 && properties.isEmoji }

    /// Whether this is a letter of a script whose letters change their shapes next to each other: Arabic and related
    /// scripts, the scripts of India and its neighbours, Mongolian.
    fileprivate var joins: Bool {
        switch value {
        case 0x600...0xDFF, 0x1000...0x109F, 0x1780...0x18AF, 0xA840...0xA87F, 0xFB50...0xFDFF, 0xFE70...0xFEFC:
            switch properties.generalCategory {
            case .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark: return true
            default: return false
            }
        default: return false
        }
    }
}

/// The scalars of a text, each with whether a person sees it where it stands. Besides the scalars that are always seen
/// (`isShownInALine`), these count as seen:
/// - a joiner or a non-joiner between letters of a script that needs it (Persian, Hindi);
/// - a joiner between two pictures, and the selector that makes a picture of a sign;
/// - up to four marks on one character. More would run over the lines above and below.
package struct ShownScalars: Sequence, IteratorProtocol, Sendable {
    package struct Element: Hashable, Sendable {
        package let scalar: Unicode.Scalar
        /// Whether a person sees the character where it stands.
        package let isShown: Bool
    }

    /// Letters of real languages have at most four marks: Vietnamese two, Hebrew with cantillation three.
    package static let maximumMarkCount = 4

    private var rest: String.UnicodeScalarView.Iterator
    private var following: Unicode.Scalar?
    /// The previous scalar that is not a hidden mark, if it was shown.
    private var before: Unicode.Scalar?
    /// The number of shown marks on the character before.
    private var markCount = 0

    fileprivate init(_ text: String) {
        rest = text.unicodeScalars.makeIterator()
        following = rest.next()
    }

    package mutating func next() -> Element? {
        guard let scalar = following else { return nil }
        following = rest.next()
        let isShown = shows(scalar)
        // Marks belong to the character that they stand on, whether that is shown or not.
        if !scalar.isStackedMark { markCount = 0 }
        if isShown {
            if scalar.isStackedMark { markCount += 1 }
            before = scalar
        } else if !scalar.isStackedMark {
            before = nil
        }
        return Element(scalar: scalar, isShown: isShown)
    }

    private func shows(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x200C: return before?.joins == true && following?.joins == true
        case 0x200D:
            guard let before else { return false }
            if before.joins { return following != scalar }
            let endsPicture = before.isPictographic || before.value == 0xFE0F
            return endsPicture && following?.isPictographic == true
        case 0xFE0E, 0xFE0F: return before?.properties.isEmoji == true
        default:
            guard scalar.isStackedMark else { return scalar.isShownInALine }
            guard let before, before != " " else { return false }
            return markCount < Self.maximumMarkCount && scalar.isShownInALine
        }
    }
}

extension String {
    package var shownScalars: ShownScalars { ShownScalars(self) }

    /// Whether every character is seen where it stands, so that the text can be shown and journalled as it is.
    package var isSingleLine: Bool {
        // Almost all text is ASCII, and this is asked of each command.
        utf8.allSatisfy { (0x20..<0x7F).contains($0) } || shownScalars.allSatisfy(\.isShown)
    }

    /// Whether the text can be a name: one line of at most so many bytes in which everything is seen, not empty, and
    /// without spaces at the ends.
    package func isNameLine(atMost byteCount: Int) -> Bool {
        guard let first, let last, utf8.count <= byteCount else { return false }
        return !first.isWhitespace && !last.isWhitespace && isSingleLine
    }

    /// The text in one line, for a message, with U+FFFD instead of everything that a person would not see.
    package var replacingHidden: String {
        String(String.UnicodeScalarView(shownScalars.map { $0.isShown ? $0.scalar : "\u{FFFD}" }))
    }
}
