/// A mask: a text of fixed length with places to type into and fixed characters between them. Our extension `mask`.
///
/// In the source, `9` is a digit, `A` a letter that becomes upper case, `a` a letter as it is typed, `*` a letter or a
/// digit. A `\` before one of these, or before another `\`, makes it stand for itself; all other characters do so
/// anyway, and take no `\`. Letters are those of any alphabet; a digit is one from 0 to 9.
package struct TextMask: Sendable {
    private enum Part: Sendable {
        case digit
        /// A letter that becomes upper case, if its alphabet has that.
        case capital
        case letter
        case letterOrDigit
        /// A character that is always there.
        case fixed(Unicode.Scalar)

        var fixedScalar: Unicode.Scalar? {
            switch self {
            case .fixed(let scalar): scalar
            case .digit, .capital, .letter, .letterOrDigit: nil
            }
        }

        var isPlace: Bool { fixedScalar == nil }

        var pictured: Unicode.Scalar {
            switch self {
            case .digit: "9"
            case .capital: "A"
            case .letter: "a"
            case .letterOrDigit: "*"
            case .fixed(let scalar): scalar
            }
        }

        /// The character that stands here after this one was typed; `nil` if it is not allowed here.
        func taking(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
            switch self {
            case .digit: scalar.asDigit
            case .capital: scalar.isLetter ? scalar.asCapital : nil
            case .letter: scalar.isLetter ? scalar : nil
            case .letterOrDigit: scalar.isLetter ? scalar : scalar.asDigit
            case .fixed(let fixed): scalar == fixed ? scalar : nil
            }
        }
    }

    package let source: String
    private let parts: [Part]
    private let fixed: Set<Unicode.Scalar>

    package struct Mistake: Error, Hashable, Sendable {
        /// A sentence that tells the author of the mask what to do.
        package let message: String

        fileprivate init(_ message: String) { self.message = message }
    }

    /// The most characters of the source, in Unicode scalars.
    package static let maximumScalarCount = 100

    package init(_ source: String) throws(Mistake) {
        guard source.unicodeScalars.count <= Self.maximumScalarCount else {
            throw Mistake("A mask has at most \(Self.maximumScalarCount) characters. Use a 'regex' for longer texts.")
        }
        var parts: [Part] = []
        var isEscaped = false
        for scalar in source.unicodeScalars {
            switch (scalar, isEscaped) {
            case ("\\", false):
                isEscaped = true
                continue
            case ("9", false): parts.append(.digit)
            case ("A", false): parts.append(.capital)
            case ("a", false): parts.append(.letter)
            case ("*", false): parts.append(.letterOrDigit)
            case ("9", true), ("A", true), ("a", true), ("*", true), ("\\", true), (_, false):
                guard scalar.isShownInALine else {
                    throw Mistake("A mask is one line of characters that people see. Leave out all others.")
                }
                parts.append(.fixed(scalar))
            case (_, true): throw Mistake(Self.badEscape)
            }
            isEscaped = false
        }
        guard !isEscaped else { throw Mistake(Self.badEscape) }
        guard parts.contains(where: \.isPlace) else {
            throw Mistake(
                "There is no place to type in this mask. Write 9 for a digit, A or a for a letter, * for a letter or a digit."
            )
        }
        self.source = source
        self.parts = parts
        fixed = Set(parts.compactMap(\.fixedScalar))
    }

    private static let badEscape =
        "In a mask '\\' stands before 9, A, a, * or \\, and nothing else needs it. Write '\\\\' for the sign itself."

    /// The length of every text that matches, in Unicode scalars.
    package var length: Int { parts.count }

    /// The mask for people to read, without backslashes: `+49 999` for `+4\9 999`.
    package var picture: String {
        var picture = String.UnicodeScalarView()
        picture.append(contentsOf: parts.map(\.pictured))
        return String(picture)
    }

    package func matches(_ text: String) -> Bool {
        var rest = parts[...]
        for scalar in text.unicodeScalars {
            guard let part = rest.popFirst(), part.taking(scalar) == scalar else { return false }
        }
        return rest.isEmpty
    }

    /// Completes what somebody typed: fixed characters are added if they were not typed, and letters become upper case
    /// where the mask says so. Spaces and punctuation that were typed in between are ignored. Returns `typed` unchanged
    /// if no matching text can be made of it.
    package func completed(_ typed: String) -> String {
        guard !matches(typed), let signs = signs(in: typed) else { return typed }
        // Fixed letters and digits were either all typed, or not at all.
        return text(of: signs, includesFixed: false) ?? text(of: signs, includesFixed: true) ?? typed
    }

    /// The letters and digits; `nil` if there are too many, or a character that has no place in the mask.
    private func signs(in typed: String) -> [Unicode.Scalar]? {
        var signs: [Unicode.Scalar] = []
        for scalar in typed.unicodeScalars {
            if scalar.isLetter {
                signs.append(scalar)
            } else if let digit = scalar.asDigit {
                signs.append(digit)
            } else if !scalar.isSeparator, !fixed.contains(scalar) {
                return nil
            }
            guard signs.count <= parts.count else { return nil }
        }
        return signs
    }

    private func text(of signs: [Unicode.Scalar], includesFixed: Bool) -> String? {
        var text = String.UnicodeScalarView()
        var rest = signs[...]
        for part in parts {
            switch part {
            case .fixed(let scalar):
                if includesFixed, scalar.isLetter || scalar.asDigit != nil {
                    guard rest.popFirst()?.asCapital == scalar.asCapital else { return nil }
                }
                text.append(scalar)
            case .digit, .capital, .letter, .letterOrDigit:
                guard let sign = rest.popFirst().flatMap(part.taking) else { return nil }
                text.append(sign)
            }
        }
        return rest.isEmpty ? String(text) : nil
    }
}

extension TextMask: Hashable {
    package static func == (left: TextMask, right: TextMask) -> Bool { left.source == right.source }
    package func hash(into hasher: inout Hasher) { hasher.combine(source) }
}

extension Unicode.Scalar {
    fileprivate var isLetter: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .modifierLetter: true
        default: false
        }
    }

    /// The digit 0 to 9 for a digit of any script; `nil` for anything else.
    fileprivate var asDigit: Unicode.Scalar? {
        guard properties.generalCategory == .decimalNumber, let value = properties.numericValue else { return nil }
        return Unicode.Scalar(0x30 + UInt8(value))
    }

    /// The letter itself if its upper case is not a single letter, as for `ß`.
    fileprivate var asCapital: Unicode.Scalar {
        let capital = properties.uppercaseMapping.unicodeScalars
        return capital.count == 1 ? capital[capital.startIndex] : self
    }

    fileprivate var isSeparator: Bool {
        switch properties.generalCategory {
        case .dashPunctuation, .connectorPunctuation, .openPunctuation, .closePunctuation, .otherPunctuation: true
        default: properties.isWhitespace
        }
    }
}
