extension Unicode.Scalar {
    /// Whether a person sees it wherever it stands. Not so: control characters, line and paragraph separators, what turns the
    /// direction of reading round, what is invisible or looks like a space and is none, and what looks different
    /// everywhere. Any of them could pass for something else. Joiners and the like are seen in their places alone:
    /// `String.shownScalars`.
    package var isShownInALine: Bool {
        // Almost everything is ASCII, where nothing has to be looked up.
        if value < 0x7F { return value >= 0x20 }
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return false
        default: return !properties.isDefaultIgnorableCodePoint && !isBlank
        }
    }

    /// Characters that are drawn as nothing, though Unicode calls them neither spaces nor invisible: the empty pattern of
    /// Braille, the null notehead, the blanks of Egyptian hieroglyphs.
    private var isBlank: Bool {
        switch value {
        case 0x2800, 0x1D159, 0x13441, 0x13442: true
        default: false
        }
    }

    /// A mark that is drawn over, under or around the character before it.
    fileprivate var isStackedMark: Bool {
        guard value >= 0x300 else { return false }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return true
        default: return false
        }
    }

    fileprivate var isPictographic: Bool { value >= 0xA9 && properties.isEmoji }

    /// A letter of a script whose letters change their shapes beside each other: Arabic and its like, those of India and
    /// their neighbours, Mongolian.
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

/// The scalars of a text, and of each whether a person sees it where it stands. Beside what is seen anywhere that is
/// - a joiner, or what keeps two letters apart, between letters of a script that needs them (Persian, Hindi);
/// - a joiner between two pictures, and the selector that makes a picture of a sign;
/// - up to four marks on one character. More of them would run over the lines above and below.
package struct ShownScalars: Sequence, IteratorProtocol, Sendable {
    /// A character, and whether people see it.
    package struct Element: Hashable, Sendable {
        /// The character.
        package let scalar: Unicode.Scalar
        /// Whether people see it as it is.
        package let isShown: Bool
    }

    /// Letters of real languages have up to four: Vietnamese two, Hebrew with its cantillation three.
    package static let maximumMarkCount = 4

    private var rest: String.UnicodeScalarView.Iterator
    private var following: Unicode.Scalar?
    /// The last one, if it was shown.
    private var before: Unicode.Scalar?
    /// On the character that `before` belongs to.
    private var markCount = 0

    fileprivate init(_ text: String) {
        rest = text.unicodeScalars.makeIterator()
        following = rest.next()
    }

    /// The next character; `nil`: there is none.
    package mutating func next() -> Element? {
        guard let scalar = following else { return nil }
        following = rest.next()
        let isShown = shows(scalar)
        // Marks go on what they stand on, whether they are shown or not.
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
    /// Each scalar with whether a person sees it where it stands.
    package var shownScalars: ShownScalars { ShownScalars(self) }

    /// Whether it can be shown and journalled as one line of what it says, without anything in it being written out.
    package var isSingleLine: Bool {
        // Almost everything is ASCII, and asked of each command.
        utf8.allSatisfy { (0x20..<0x7F).contains($0) } || shownScalars.allSatisfy(\.isShown)
    }

    /// Whether it is one line that can be shown, as names are: not empty, and without space around it.
    ///
    /// - Parameter byteCount: of UTF-8.
    package func isNameLine(atMost byteCount: Int) -> Bool {
        guard let first, let last, utf8.count <= byteCount else { return false }
        return !first.isWhitespace && !last.isWhitespace && isSingleLine
    }

    /// For a message that quotes it: one line, with U+FFFD in the place of whatever is not seen.
    package var replacingHidden: String {
        String(String.UnicodeScalarView(shownScalars.map { $0.isShown ? $0.scalar : "\u{FFFD}" }))
    }
}
