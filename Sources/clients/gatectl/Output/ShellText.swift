import GateModel

/// A command line as a shell would read it, on one line. One can see where each argument ends, and invisible characters
/// are written as escapes, so that nothing in it is mistaken for something else.
enum ShellText {
    static func quoted(_ arguments: [String]) -> String {
        arguments.map(quoted).joined(separator: " ")
    }

    static func quoted(_ argument: String) -> String {
        let scalars = argument.unicodeScalars
        if !scalars.isEmpty, scalars.allSatisfy(isPlain) { return argument }
        // Marks on a quotation mark are one character with it, and change what it looks like.
        let isMarked = zip([UnicodeScalar("'")] + scalars, scalars).contains { $0 == "'" && $1.isMark }
        guard !isMarked, scalars.allSatisfy(isVisible) else {
            var text = "$'"
            var before: UnicodeScalar = "'"
            for scalar in scalars {
                let isOnAnother = scalar.isMark && (before == "'" || before == "\\" || !isVisible(before))
                text += isOnAnother ? writtenOut(scalar) : escaped(scalar)
                // What stands on a mark that is written out would stand on its last digit.
                if !isOnAnother { before = scalar }
            }
            return text + "'"
        }
        return "'" + scalars.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
    }

    private static func isPlain(_ scalar: UnicodeScalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9": true
        default: "-_./:,=+@%".unicodeScalars.contains(scalar)
        }
    }

    /// Whether the character takes its own place on the line and changes nothing beside it: no control character, no
    /// mark of direction, no space but the usual one.
    static func isVisible(_ scalar: UnicodeScalar) -> Bool {
        scalar == " " || (scalar.isShownInALine && scalar.properties.generalCategory != .spaceSeparator)
    }

    /// As between `$'` and `'`.
    private static func escaped(_ scalar: UnicodeScalar) -> String {
        switch scalar {
        case "'", "\\": "\\\(scalar)"
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case _ where isVisible(scalar): String(scalar)
        case _: writtenOut(scalar)
        }
    }

    private static func writtenOut(_ scalar: UnicodeScalar) -> String {
        switch scalar {
        case "\0"..."\u{7f}": "\\x" + hex(scalar, digits: 2)
        case "\0"..."\u{ffff}": "\\u" + hex(scalar, digits: 4)
        default: "\\U" + hex(scalar, digits: 8)
        }
    }

    private static func hex(_ scalar: UnicodeScalar, digits: Int) -> String {
        let text = String(scalar.value, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}

extension UnicodeScalar {
    /// Whether it is drawn over, under, around or beside the character before it.
    fileprivate var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark: true
        default: false
        }
    }
}
