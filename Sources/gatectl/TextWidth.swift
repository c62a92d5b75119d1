/// How many columns of a terminal a text takes, and where it is broken. Our own colours (`ESC [ … m`) take none; others' text
/// has no escapes left in it (`VisibleText`).
enum TextWidth {
    static func columns(of text: String) -> Int {
        var columns = 0
        forEachPiece(of: text) { columns += $1 }
        return columns
    }

    /// Broken where the line is full; at least one line. A colour that is on at a break stays on.
    static func wrapped(_ text: String, columns limit: Int) -> [String] {
        guard columns(of: text) > limit else { return [text] }
        var lines = [""]
        var columns = 0
        forEachPiece(of: text) { piece, width in
            if width > 0, columns + width > limit, columns > 0 {
                lines.append("")
                columns = 0
            }
            lines[lines.count - 1] += piece
            columns += width
        }
        return lines
    }

    /// The end of the text, as much as there is room for.
    static func suffix(_ text: String, columns limit: Int) -> Substring {
        var start = text.startIndex
        while start < text.endIndex, columns(of: String(text[start...])) > limit { start = text.index(after: start) }
        return text[start...]
    }

    private static func forEachPiece(of text: String, _ body: (String, Int) -> Void) {
        var escape = ""
        for character in text {
            if !escape.isEmpty || character == "\u{1b}" {
                escape.append(character)
                guard character == "m" else { continue }
                body(escape, 0)
                escape = ""
            } else {
                body(String(character), width(of: character))
            }
        }
    }

    private static func width(of character: Character) -> Int {
        character.unicodeScalars.map(width).max() ?? 0
    }

    /// As terminals have it: East Asian letters and pictures take two columns, marks on top of others none.
    private static func width(of scalar: UnicodeScalar) -> Int {
        switch scalar.value {
        case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f,
            0xff00...0xff60, 0xffe0...0xffe6, 0x1f300...0x1f64f, 0x1f900...0x1f9ff, 0x20000...0x3fffd:
            return 2
        case _:
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark, .format, .control: return 0
            case _: return 1
            }
        }
    }
}
