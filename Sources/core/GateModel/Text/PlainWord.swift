extension StringProtocol {
    /// Letters, digits and hyphens between them: `photos`, `in-app`.
    package var isLowerCaseWord: Bool {
        !isEmpty && !hasPrefix("-") && !hasSuffix("-")
            && utf8.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d }
    }

    /// Lower-case words joined by dots: `photos.delete`.
    package var isDottedName: Bool {
        utf8.count <= WhatsNewLimits.nameLength
            && split(separator: ".", omittingEmptySubsequences: false).allSatisfy { $0.isLowerCaseWord }
    }
}

extension Int {
    /// Digits alone: no sign, no underscore, no other base.
    package init?(wholeNumber text: some StringProtocol) {
        guard text.allSatisfy({ $0.isASCII && $0.isWholeNumber }) else { return nil }
        self.init(text)
    }
}
