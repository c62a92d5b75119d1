import CUTF8Proc
import GateModel
import GateTexts

/// Makes text from others safe to show: characters that can't be seen, or would change how others are seen, are written
/// as escapes. All that gatectl prints or draws comes through here: text from others through `line` or `quoted`, and
/// then the whole line through `own`, in `Output`.
enum VisibleText {
    /// First strong isolate, and its end. Between them, text that is read from right to left moves nothing beside it.
    static let isolate: Unicode.Scalar = "\u{2068}"
    static let isolateEnd: Unicode.Scalar = "\u{2069}"

    /// Makes one safe line: `a<U+001B>[2Jb`. Two or more spaces, and spaces at either end, are counted: `a<2 spaces>b`.
    /// Otherwise they could move later text to where Gate's own words stand, or make one column look like two.
    static func line(_ text: String) -> String {
        var shown = Shown()
        for element in text.shownScalars {
            let scalar = element.scalar
            if scalar == " " {
                shown.add(.space)
            } else if element.isShown, scalar.properties.generalCategory != .spaceSeparator {
                shown.add(.seen(scalar))
            } else {
                shown.add(.hidden(scalar))
            }
        }
        return shown.finished()
    }

    /// The line in quotation marks. Whatever is or looks like a quotation mark inside is escaped, so that its end is
    /// clear.
    static func quoted(_ text: String) -> String {
        let inside = line(text).unicodeScalars.reduce(into: "") { inside, scalar in
            if scalar.looksLikeQuotationMark {
                inside += escape(scalar)
            } else {
                inside.unicodeScalars.append(scalar)
            }
        }
        return "\"\(inside)\""
    }

    /// The text's beginning and end, with the number of characters left out between them, if it has more than `count`.
    static func cut(_ text: String, to count: Int) -> String {
        let surplus = text.count - count
        guard surplus > 0 else { return text }
        let start = text.prefix(count - count / 3)
        let mark = localized("<{count} character left out>", plural: "<{count} characters left out>", count: surplus)
        return "\(start) \(mark) \(text.suffix(count / 3))"
    }

    /// Makes a whole line of Gate's safe in which others' text was made safe already. Gate's colours, spacing and
    /// isolates stay; anything else that could affect a terminal is escaped.
    static func own(_ text: String) -> String {
        var shown = ""
        var openIsolates = 0
        var rest = text[...]
        while let start = rest.firstIndex(where: { !$0.isPrintableASCII }) {
            shown += rest[..<start]
            rest = rest[start...]
            if let colour = rest.prefixMatch(of: /\u{1b}\[[0-9;]*m/) {
                shown += colour.0
                rest = rest[colour.range.upperBound...]
                continue
            }
            // Judge marks and joiners together with the characters beside them.
            let end = rest.firstIndex { $0 == "\u{1b}" } ?? rest.endIndex
            let piece = end == rest.startIndex ? rest.prefix(1) : rest[..<end]
            for element in String(piece).shownScalars {
                switch element.scalar {
                case isolate:
                    openIsolates += 1
                    shown.unicodeScalars.append(isolate)
                case isolateEnd where openIsolates > 0:
                    openIsolates -= 1
                    shown.unicodeScalars.append(isolateEnd)
                case _ where element.isShown: shown.unicodeScalars.append(element.scalar)
                case let scalar: shown += escape(scalar)
                }
            }
            rest = rest[piece.endIndex...]
        }
        shown += rest
        for _ in 0..<openIsolates { shown.unicodeScalars.append(isolateEnd) }
        return shown
    }

    /// `<U+202E>`
    static func escape(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "<U+\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)>"
    }
}

extension Unicode.Scalar {
    /// Whether it is a quotation mark or looks like one: a free-standing accent, a prime, an apostrophe.
    fileprivate var looksLikeQuotationMark: Bool {
        switch value {
        case 0x3C, 0x3E: return false
        case 0x60, 0x2B0...0x2FF, 0x7F4, 0x7F5, 0xA78B, 0xA78C, 0x275B...0x2760, 0x1F676...0x1F678, 0xFF9E, 0xFF9F:
            return true
        case 0..<0x80: return properties.isQuotationMark
        case _: break
        }
        switch properties.generalCategory {
        case .otherPunctuation, .initialPunctuation, .finalPunctuation, .modifierSymbol: return true
        case _: return properties.isQuotationMark
        }
    }
}

extension Character {
    fileprivate var isPrintableASCII: Bool { asciiValue.map { (0x20..<0x7F).contains($0) } ?? false }
}

/// Builds the visible form of a line, and counts repeated characters.
private struct Shown {
    enum Piece {
        case seen(Unicode.Scalar)
        case space
        case hidden(Unicode.Scalar)
    }

    /// The characters at the end that may still be followed by more of their kind.
    private enum Run {
        case nothing
        case spaces(Int)
        /// The first of them, and their number.
        case hidden(Unicode.Scalar, Int)
    }

    private var text = ""
    private var run = Run.nothing
    private var isLeftward = false

    mutating func add(_ piece: Piece) {
        switch (piece, run) {
        case (.space, .spaces(let count)): run = .spaces(count + 1)
        case (.hidden(let scalar), .hidden(let first, let count)) where Self.isSame(scalar, first):
            run = .hidden(first, count + 1)
        case (.space, .nothing), (.space, .hidden):
            endRun(isLast: false)
            run = .spaces(1)
        case (.hidden(let scalar), .nothing), (.hidden(let scalar), .spaces), (.hidden(let scalar), .hidden):
            endRun(isLast: false)
            run = .hidden(scalar, 1)
        case (.seen(let scalar), .nothing), (.seen(let scalar), .spaces), (.seen(let scalar), .hidden):
            endRun(isLast: false)
            text.unicodeScalars.append(scalar)
            isLeftward = isLeftward || (scalar.value > 0x7F && reads_leftwards(Int32(scalar.value)) != 0)
        }
    }

    mutating func finished() -> String {
        endRun(isLast: true)
        guard isLeftward else { return text }
        return "\(VisibleText.isolate)\(text)\(VisibleText.isolateEnd)"
    }

    private mutating func endRun(isLast: Bool) {
        switch run {
        case .nothing: break
        case .spaces(1) where !text.isEmpty && !isLast: text += " "
        case .spaces(let count): text += localized("<{count} space>", plural: "<{count} spaces>", count: count)
        case .hidden(let scalar, 1): text += VisibleText.escape(scalar)
        case .hidden(let scalar, let count):
            text +=
                Self.isMark(scalar)
                ? localized("<{count} mark>", plural: "<{count} marks>", count: count)
                : "<\(count) x \(VisibleText.escape(scalar).dropFirst())"
        }
        run = .nothing
    }

    /// Whether two hidden characters are counted together: equal ones, or any two marks.
    private static func isSame(_ scalar: Unicode.Scalar, _ other: Unicode.Scalar) -> Bool {
        scalar == other || (isMark(scalar) && isMark(other))
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: !scalar.properties.isDefaultIgnorableCodePoint
        case _: false
        }
    }
}
