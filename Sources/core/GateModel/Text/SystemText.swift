/// Paths, lists of folders and variables, taken apart as the system does it: byte by byte. Swift's own functions compare
/// characters, and a separator with an accent after it ("/" and U+0301) is another character to them, but not to the system.
extension String {
    /// The parts between the separators; the empty ones too.
    package func parts(between separator: Unicode.Scalar) -> [String] {
        utf8.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// Before and after the first separator; `nil` where there is none.
    package func cut(atFirst separator: Unicode.Scalar) -> (before: String, after: String)? {
        utf8.firstIndex(of: UInt8(ascii: separator)).map(cut(at:))
    }

    /// Before and after the last separator; `nil` where there is none.
    package func cut(atLast separator: Unicode.Scalar) -> (before: String, after: String)? {
        utf8.lastIndex(of: UInt8(ascii: separator)).map(cut(at:))
    }

    private func cut(at index: Index) -> (before: String, after: String) {
        (
            String(decoding: utf8[..<index], as: UTF8.self),
            String(decoding: utf8[utf8.index(after: index)...], as: UTF8.self)
        )
    }

    package func hasByte(_ byte: Unicode.Scalar) -> Bool { utf8.contains(UInt8(ascii: byte)) }

    package func starts(withBytesOf text: String) -> Bool { utf8.starts(with: text.utf8) }

    package func ends(withBytesOf text: String) -> Bool { utf8.suffix(text.utf8.count).elementsEqual(text.utf8) }

    /// Whether they are the same to the system, and not merely to a reader.
    package func hasBytes(of text: String) -> Bool { utf8.elementsEqual(text.utf8) }

    /// The last part of a path; `nil` where it has none.
    package var lastPathPart: String? { parts(between: "/").last { !$0.isEmpty } }

    package var isAbsolutePath: Bool { starts(withBytesOf: "/") }
}
