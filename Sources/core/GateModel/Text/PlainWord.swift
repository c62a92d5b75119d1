extension StringProtocol {
    /// Whether this is a word of lower-case letters and digits, perhaps with hyphens inside: `photos`, `in-app`.
    package var isLowerCaseWord: Bool {
        !isEmpty && !hasPrefix("-") && !hasSuffix("-")
            && utf8.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d }
    }

    /// Whether these are lower-case words with dots between them, like `photos.delete`, in at most 64 bytes.
    package var isDottedName: Bool {
        utf8.count <= WhatsNewLimits.nameLength
            && split(separator: ".", omittingEmptySubsequences: false).allSatisfy { $0.isLowerCaseWord }
    }
}

extension Int {
    /// Reads digits only: `nil` for a sign, an underscore or any other character.
    package init?(wholeNumber text: some StringProtocol) {
        guard text.allSatisfy({ $0.isASCII && $0.isWholeNumber }) else { return nil }
        self.init(text)
    }
}
