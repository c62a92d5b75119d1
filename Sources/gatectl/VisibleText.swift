/// Text that others have written, made harmless for where it is shown: what can't be seen, or would change how the rest is
/// seen, is written out.
enum VisibleText {
    /// On one line: `a<U+001B>[2Jb`.
    static func line(_ text: String) -> String {
        var shown = ""
        for scalar in text.unicodeScalars {
            if ShellText.isVisible(scalar) {
                shown.unicodeScalars.append(scalar)
            } else {
                shown += "<U+\(hex(scalar))>"
            }
        }
        return shown
    }

    private static func hex(_ scalar: UnicodeScalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
