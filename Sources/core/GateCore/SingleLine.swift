import GateModel

extension String {
    /// Cut to this many bytes of UTF-8 where it is longer, between characters, and with a mark that something is missing.
    package func cut(toByteCount limit: Int) -> String {
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
