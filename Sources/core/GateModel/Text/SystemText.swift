/// Takes paths, lists of folders and variables apart as the system does: byte by byte. Swift compares characters, and
/// to Swift a "/" followed by a combining accent (U+0301) is another character than "/". Texts from outside that can be
/// long are also compared by their bytes, since comparing them as Swift does takes a hundred times as long.
extension String {
    /// The parts between the separators, including empty ones.
    package func parts(between separator: Unicode.Scalar) -> [String] {
        utf8.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// The text before and after the separator; `nil` if there is none.
    package func cut(atFirst separator: Unicode.Scalar) -> (before: String, after: String)? {
        utf8.firstIndex(of: UInt8(ascii: separator)).map(cut(at:))
    }

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

    /// Whether both texts have the same bytes. `==` also finds texts equal that are only displayed alike.
    package func hasBytes(of text: String) -> Bool {
        guard utf8.count == text.utf8.count else { return false }
        let isSame = utf8.withContiguousStorageIfAvailable { ours in
            text.utf8.withContiguousStorageIfAvailable { theirs in
                // Copies of one long text share their storage.
                ours.baseAddress == theirs.baseAddress || ours.elementsEqual(theirs)
            }
        }
        return (isSame ?? nil) ?? utf8.elementsEqual(text.utf8)
    }

    /// Equal bytes give equal hashes.
    package func hashBytes(into hasher: inout Hasher) {
        hasher.combine(utf8.count)
        let isHashed: Void? = utf8.withContiguousStorageIfAvailable {
            hasher.combine(bytes: UnsafeRawBufferPointer($0))
        }
        if isHashed == nil { for byte in utf8 { hasher.combine(byte) } }
    }

    /// Negative if the bytes come before those of `text`, positive if they come after them, 0 if they are the same.
    package func compareBytes(_ text: String) -> Int {
        hasBytes(of: text) ? 0 : utf8.lexicographicallyPrecedes(text.utf8) ? -1 : 1
    }

    /// The last part of a path that is not empty; `nil` if there is none.
    package var lastPathPart: String? { parts(between: "/").last { !$0.isEmpty } }

    package var isAbsolutePath: Bool { starts(withBytesOf: "/") }
}
