/// The word that a grown-up has chosen for Gate's own screen, so that they can tell the screen from an imitation.
package struct ScreenWord: Hashable, Sendable {
    package static let characterCounts = 2...40
    /// The most bytes of the word in UTF-8.
    package static let maximumByteCount = 400
    /// The file with the word. Only root may write into its folder, and only the user `gate-screen` may read the file.
    package static let path = "/var/lib/gate-screen/word"
    package static let userName = "gate-screen"

    package enum Problem: Error, Hashable {
        case length
        case hidden
    }

    /// One line of visible characters.
    package let text: String

    /// Removes the spaces around the word, and makes one space of several.
    package init(_ typed: String) throws(Problem) {
        let text = typed.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard text.replacingHidden == text else { throw .hidden }
        guard Self.characterCounts.contains(text.count), text.utf8.count <= Self.maximumByteCount else { throw .length }
        self.text = text
    }
}
