extension String {
    /// The text, cut between characters to at most `limit` bytes of UTF-8, including "…" at its end. A text that is not
    /// longer stays as it is.
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
