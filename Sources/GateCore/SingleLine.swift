extension String {
    /// Whether it is shown and journalled as one line of what it says: no control characters, no line or paragraph
    /// separators, nothing that is not seen or turns the direction of reading round (`format`, the joiners of emoji
    /// among them), and nothing that looks different everywhere, since any of them could pass for something else.
    var isSingleLine: Bool {
        // Almost everything is ASCII, where nothing has to be looked up.
        if utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return true }
        return unicodeScalars.allSatisfy { scalar in
            !Self.categoriesUnfitForALine.contains(scalar.properties.generalCategory)
        }
    }

    private static let categoriesUnfitForALine: Set<Unicode.GeneralCategory> = [
        .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
    ]

    /// Cut to this many bytes of UTF-8 where it is longer, between characters, and with a mark that something is missing.
    func cut(toByteCount limit: Int) -> String {
        guard utf8.count > limit else { return self }
        let mark = "…"
        var byteCount = mark.utf8.count
        let start = prefix { character in
            byteCount += character.utf8.count
            return byteCount <= limit
        }
        return start + mark
    }
}
