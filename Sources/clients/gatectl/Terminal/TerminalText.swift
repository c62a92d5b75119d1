import Glibc

/// Makes text safe for terminals that don't use UTF-8. For them, bytes from 80 to 9F are commands, and many characters
/// contain one in UTF-8: U+265B ends in 9B, which begins a control sequence.
enum TerminalText {
    /// Whether the terminal uses UTF-8. Written only once, before there is a second thread.
    nonisolated(unsafe) private(set) static var isUTF8 = true

    /// Sets whether the terminal uses UTF-8. Call this before anything is printed.
    static func learn(_ locale: TextLocale) {
        isUTF8 = locale.isUTF8
    }

    /// The text for the terminal. Without UTF-8, all characters but ASCII are written as escapes, and isolates are left
    /// out, since they have nothing left to isolate.
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

    /// The bytes to write. Files and pipes get the text unchanged.
    static func bytes(_ text: String, for descriptor: CInt, isUTF8: Bool = TerminalText.isUTF8) -> [UInt8] {
        Array(isUTF8 || isatty(descriptor) == 0 ? text.utf8 : fitted(text, isUTF8: false).utf8)
    }
}
