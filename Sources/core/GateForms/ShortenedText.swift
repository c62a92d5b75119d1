import GateModel

extension String {
    /// The form in which a linkId from outside is told: as it is, unless no item of a form can be called so.
    var asLinkID: String { utf8.count <= FormsLimits.linkIDBytes ? self : shortened }

    /// At most so many bytes of UTF-8, and a few for what says that something is missing.
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

    /// For a message: one line, not too long, and nothing in it that moves a cursor or hides what stands there.
    var shortened: String {
        let visible = replacingHidden
        let start = visible.unicodeScalars.prefix(FormsLimits.shownLength)
        return start.count < visible.unicodeScalars.count ? String(start) + "…" : visible
    }

    /// The same of an address, of which the end says more than the beginning.
    var shortenedAddress: String {
        let short = shortened
        guard short.hasSuffix("…"), let name = split(separator: "/").last else { return short }
        return "…/" + String(name).shortened
    }
}
