import Glibc

/// Text for a terminal that reads bytes, and not UTF-8: to it a byte from 80 to 9F is a command, and many a character of UTF-8
/// has one in it. U+265B ends in 9B, which begins a sequence.
enum TerminalText {
    /// Whether the terminal reads UTF-8. Written once, before there is a second thread.
    nonisolated(unsafe) private(set) static var isUTF8 = true

    /// Learns the locale. To be called before anything is printed.
    static func learn(_ locale: TextLocale) {
        isUTF8 = locale.isUTF8
    }

    /// The text as the terminal can take it: without UTF-8 every other character than those of ASCII is written out. Isolates
    /// have nothing left to hold, and go.
    static func fitted(_ text: String, isUTF8: Bool = TerminalText.isUTF8) -> String {
        guard !isUTF8, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        return text.unicodeScalars.reduce(into: "") { fitted, scalar in
            switch scalar {
            case _ where scalar.isASCII: fitted.unicodeScalars.append(scalar)
            case VisibleText.isolate, VisibleText.isolateEnd: break
            case _: fitted += VisibleText.escape(scalar)
            }
        }
    }

    /// The bytes to be written. What is no terminal gets the text as it is: files and programs keep it.
    static func bytes(_ text: String, for descriptor: CInt, isUTF8: Bool = TerminalText.isUTF8) -> [UInt8] {
        Array(isUTF8 || isatty(descriptor) == 0 ? text.utf8 : fitted(text, isUTF8: false).utf8)
    }
}
