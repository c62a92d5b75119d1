/// The word on Gate's own screen that a grown-up has chosen, so that they know it from an imitation (S-15).
package struct ScreenWord: Hashable, Sendable {
    /// How many characters it has.
    package static let characterCounts = 2...40
    /// The most bytes that a file with it has.
    package static let maximumByteCount = 400
    /// The file that has it. Its directory is root's, and only the user `gate-screen` may read what is in it.
    package static let path = "/var/lib/gate-screen/word"
    /// The user that shows it.
    package static let userName = "gate-screen"

    /// The fault of a word.
    package enum Problem: Error, Hashable {
        /// It has fewer or more characters than it may.
        case length
        /// It has characters that nobody sees.
        case hidden
    }

    /// One line of characters that can be seen.
    package let text: String

    /// Takes a word as it was typed, without the blanks around it.
    package init(_ typed: String) throws(Problem) {
        let text = typed.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard text.replacingHidden == text else { throw .hidden }
        guard Self.characterCounts.contains(text.count), text.utf8.count <= Self.maximumByteCount else { throw .length }
        self.text = text
    }
}
