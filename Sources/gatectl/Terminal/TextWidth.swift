import CUTF8Proc
import GateModel

/// How many columns of a terminal a text takes, and where it is broken. Our own colours (`ESC [ … m`) and isolates take none;
/// others' text has no escapes left in it (`VisibleText`).
///
/// Terminals disagree about pictures, joined pictures, signs of East Asia and marks. So there are two widths: what is
/// likely, for the columns of a table, and the most that any terminal takes, for whatever must not go on in the next line
/// by itself.
enum TextWidth {
    /// Stands before every line that is others' alone, and before whatever goes on from the line above. No line of Gate's
    /// begins with it; where others' text could do anything, it comes after it.
    static let quote = "| "

    /// As Unicode has it.
    static func columns(of text: String) -> Int { pieces(of: text).reduce(0) { $0 + $1.likelyColumns } }

    /// On whichever terminal.
    static func mostColumns(of text: String) -> Int { pieces(of: text).reduce(0) { $0 + $1.mostColumns } }

    /// Gate's own words, broken where the line is full as Unicode has it; at least one line.
    static func wrapped(_ text: String, columns limit: Int) -> [String] {
        broken(text, first: limit, others: limit, width: \.likelyColumns)
    }

    /// A line with others' words in it: it fits whatever the terminal makes of them, and what goes on is marked.
    static func marked(_ text: String, columns limit: Int) -> [String] {
        let lines = broken(text, first: limit, others: limit - quote.utf8.count, width: \.mostColumns)
        return lines.prefix(1) + lines.dropFirst().map { quote + $0 }
    }

    /// Nothing but others' words: every line is marked.
    static func quoted(_ text: String, columns limit: Int) -> [String] {
        let room = limit - quote.utf8.count
        return broken(text, first: room, others: room, width: \.mostColumns).map { quote + $0 }
    }

    /// The end of the text, as much as there is room for on any terminal.
    static func suffix(_ text: String, columns limit: Int) -> Substring {
        let text = TerminalText.fitted(text)
        var start = text.endIndex
        var columns = 0
        while start > text.startIndex {
            let before = text.index(before: start)
            columns += mostColumns(of: String(text[before]))
            guard columns <= limit else { break }
            start = before
        }
        return text[start...]
    }

    private static func broken(
        _ text: String, first: Int, others: Int, width: KeyPath<Piece, Int>
    ) -> [String] {
        let text = TerminalText.fitted(text)
        let pieces = pieces(of: text)
        guard pieces.reduce(0, { $0 + $1[keyPath: width] }) > first else { return [text] }
        var lines = [""]
        var columns = 0
        var colour = ""
        var isIsolated = false
        for piece in pieces {
            let limit = max(1, lines.count == 1 ? first : others)
            if piece[keyPath: width] > 0, columns + piece[keyPath: width] > limit, columns > 0 {
                // Each line stands for itself: what is on ends with it, and is on in the next.
                if isIsolated { lines[lines.count - 1] += "\(VisibleText.isolateEnd)" }
                if !colour.isEmpty { lines[lines.count - 1] += "\u{1b}[0m" }
                lines.append(colour + (isIsolated ? "\(VisibleText.isolate)" : ""))
                columns = 0
            }
            switch piece.kind {
            case .colour: colour = piece.text == "\u{1b}[0m" ? "" : piece.text
            case .isolate: isIsolated = true
            case .isolateEnd: isIsolated = false
            case .text: break
            }
            lines[lines.count - 1] += piece.text
            columns += piece[keyPath: width]
        }
        return lines
    }

    /// A piece that is never broken: a character with its marks, or something without a width.
    private struct Piece {
        enum Kind {
            case text
            case colour
            case isolate
            case isolateEnd
        }

        var text: String
        let kind: Kind
        var likelyColumns = 0
        var mostColumns = 0
    }

    private static func pieces(of text: String) -> [Piece] {
        var pieces: [Piece] = []
        var colour = ""
        for character in text {
            if !colour.isEmpty || character == "\u{1b}" {
                colour.append(character)
                guard character == "m" else { continue }
                pieces.append(Piece(text: colour, kind: .colour))
                colour = ""
                continue
            }
            // The character before or after an isolate may be taken for one with it.
            var rest = String.UnicodeScalarView()
            for scalar in character.unicodeScalars {
                switch scalar {
                case VisibleText.isolate: pieces.append(Piece(text: "\(scalar)", kind: .isolate))
                case VisibleText.isolateEnd:
                    if !rest.isEmpty { pieces.append(piece(String(rest))) }
                    rest = String.UnicodeScalarView()
                    pieces.append(Piece(text: "\(scalar)", kind: .isolateEnd))
                case _: rest.append(scalar)
                }
            }
            if !rest.isEmpty { pieces.append(piece(String(rest))) }
        }
        return pieces
    }

    private static func piece(_ text: String) -> Piece {
        var likely = 0
        var most = 0
        for scalar in text.unicodeScalars {
            if scalar.isASCII {
                likely = max(likely, 1)
                most += 1
                continue
            }
            let width = Int(utf8proc_charwidth(Int32(scalar.value)))
            // Where pictures are in colour, the selector makes a wide one of a sign.
            likely = max(likely, scalar.value == 0xFE0F ? 2 : width)
            // Where marks and joiners mean nothing to the terminal, they take a column too.
            most += width == 0 ? 1 : 2
        }
        return Piece(text: text, kind: .text, likelyColumns: likely, mostColumns: most)
    }
}
