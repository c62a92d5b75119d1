import GateModel

extension String {
    /// A linkId from outside, for a message. It is shortened only if it is too long for an item of a form.
    var asLinkID: String { utf8.count <= FormsLimits.linkIDBytes ? self : shortened }

    /// The text, cut to at most this many bytes of UTF-8. If it was cut, "…" is added.
    func cut(toByteCount limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var text = String.UnicodeScalarView()
        var count = 0
        for scalar in unicodeScalars {
            count += UTF8.width(scalar)
            guard count <= limit else { break }
            text.append(scalar)
        }
        return String(text) + "…"
    }

    /// The text for a message: in one line, not too long, and without characters that move the cursor or hide others.
    var shortened: String {
        let visible = replacingHidden
        let start = visible.unicodeScalars.prefix(FormsLimits.shownLength)
        return start.count < visible.unicodeScalars.count ? String(start) + "…" : visible
    }

    /// A shortened address that keeps its end, which says more than its beginning.
    var shortenedAddress: String {
        let short = shortened
        guard short.hasSuffix("…"), let name = split(separator: "/").last else { return short }
        return "…/" + String(name).shortened
    }
}
