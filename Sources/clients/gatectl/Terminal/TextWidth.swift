import CUTF8Proc

/// Measures how many columns of a terminal a text takes, and breaks it into lines. Gate's own colours (`ESC [ … m`) and
/// isolates take no columns; others' text has no escapes any more (`VisibleText`).
///
/// Terminals disagree about emoji, joined emoji, East Asian characters and marks. So there are two widths: the likely
/// one, for the columns of tables, and the most that any terminal takes, for text that must never be wrapped by the
/// terminal itself.
enum TextWidth {
    /// Begins every line that has only others' words, and every continuation of a line that may have some. No line of
    /// Gate's own begins with it, so others' words can't pass for one.
    static let quote = "| "

    /// The likely width, by Unicode.
    static func columns(of text: String) -> Int { pieces(of: text).reduce(0) { $0 + $1.likelyColumns } }

    /// The most columns that any terminal takes.
    static func mostColumns(of text: String) -> Int { pieces(of: text).reduce(0) { $0 + $1.mostColumns } }

    /// Breaks Gate's own words between words, by their likely width. Returns at least one line.
    static func wrapped(_ text: String, columns limit: Int) -> [String] {
        broken(text, first: limit, others: limit, width: \.likelyColumns, betweenWords: true)
    }

    /// Breaks a line of Gate's that has others' words. It fits on any terminal, and its continuations are marked.
    static func marked(_ text: String, columns limit: Int) -> [String] {
        let lines = broken(
            text, first: limit, others: limit - quote.utf8.count, width: \.mostColumns, betweenWords: true)
        return lines.prefix(1) + lines.dropFirst().map { quote + $0 }
    }

    /// Breaks others' words. Every line is marked and filled, so that one can see where each space is.
    static func quoted(_ text: String, columns limit: Int) -> [String] {
        let room = limit - quote.utf8.count
        return broken(text, first: room, others: room, width: \.mostColumns, betweenWords: false).map { quote + $0 }
    }

    /// The end of the text, as much of it as fits on any terminal.
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
        _ text: String, first: Int, others: Int, width: KeyPath<Piece, Int>, betweenWords: Bool
    ) -> [String] {
        let text = TerminalText.fitted(text)
        let pieces = pieces(of: text)
        guard pieces.reduce(0, { $0 + $1[keyPath: width] }) > first else { return [text] }
        var lines: [String] = []
        var isOn = Piece.Style()
        var done = 0
        for range in ranges(of: pieces, first: first, others: others, width: width, betweenWords: betweenWords) {
            for piece in pieces[done..<range.lowerBound] { isOn.follow(piece) }
            // Each line is complete in itself: colours and isolates end with it, and begin again in the next.
            var line = lines.isEmpty ? "" : isOn.beginning
            for piece in pieces[range] {
                isOn.follow(piece)
                line += piece.text
            }
            lines.append(range.upperBound < pieces.count ? line + isOn.end : line)
            done = range.upperBound
        }
        return lines
    }

    /// The pieces of each line. A space at which a line is broken belongs to no line. A word that is longer than a line
    /// is broken where the line is full.
    private static func ranges(
        of pieces: [Piece], first: Int, others: Int, width: KeyPath<Piece, Int>, betweenWords: Bool
    ) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var (start, columns) = (0, 0)
        // The last place between two words in this line: where the line would end, and where the next would begin.
        var place: (end: Int, next: Int)?
        // The first of the spaces right before this piece.
        var spaces: Int?
        var before: Piece?
        var index = 0
        while index < pieces.count {
            let piece = pieces[index]
            let limit = max(1, ranges.isEmpty ? first : others)
            if piece.kind == .text, piece.isSpace {
                spaces = spaces ?? index
            } else if piece.kind == .text {
                if let before, spaces != nil || Piece.canPart(before, piece) { place = (spaces ?? index, index) }
                before = piece
                spaces = nil
            }
            let isFull = piece[keyPath: width] > 0 && columns > 0 && columns + piece[keyPath: width] > limit
            // A space that does not fit separates two lines, and needs no room.
            guard isFull, !(betweenWords && piece.isSpace && before != nil) else {
                columns += piece[keyPath: width]
                index += 1
                continue
            }
            let next = (betweenWords ? place : nil) ?? (end: index, next: index)
            ranges.append(start..<next.end)
            (start, index, columns) = (next.next, next.next, 0)
            (place, spaces, before) = (nil, nil, nil)
        }
        // The same goes for a space at the end.
        let isPastEnd = betweenWords && columns > max(1, ranges.isEmpty ? first : others)
        return ranges + [start..<(isPastEnd ? spaces ?? pieces.count : pieces.count)]
    }

    /// What is never broken: a character with its marks, or something without a width.
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

        var isSpace: Bool { text == " " }

        /// Whether a line may end between two pieces without a space: beside wide East Asian characters, but not before
        /// a closing mark or after an opening one.
        static func canPart(_ before: Piece, _ after: Piece) -> Bool {
            guard before.likelyColumns > 1 || after.likelyColumns > 1, let last = before.category,
                let next = after.category
            else { return false }
            let opening: [Unicode.GeneralCategory] = [.openPunctuation, .initialPunctuation]
            let closing: [Unicode.GeneralCategory] = [.closePunctuation, .finalPunctuation, .otherPunctuation]
            return !opening.contains(last) && !closing.contains(next)
        }

        /// The colour and the isolate that are in effect.
        struct Style {
            private var colour = ""
            private var isIsolated = false

            mutating func follow(_ piece: Piece) {
                switch piece.kind {
                case .colour: colour = piece.text == "\u{1b}[0m" ? "" : piece.text
                case .isolate: isIsolated = true
                case .isolateEnd: isIsolated = false
                case .text: break
                }
            }

            var beginning: String { colour + (isIsolated ? "\(VisibleText.isolate)" : "") }

            var end: String { (isIsolated ? "\(VisibleText.isolateEnd)" : "") + (colour.isEmpty ? "" : "\u{1b}[0m") }
        }

        private var category: Unicode.GeneralCategory? { text.unicodeScalars.first?.properties.generalCategory }
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
            // Swift may join an isolate with the character beside it.
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
            // U+FE0F makes a character wide on terminals that show emoji in colour.
            likely = max(likely, scalar.value == 0xFE0F ? 2 : width)
            // On terminals that don't know marks and joiners, they take a column, too.
            most += width == 0 ? 1 : 2
        }
        return Piece(text: text, kind: .text, likelyColumns: likely, mostColumns: most)
    }
}
