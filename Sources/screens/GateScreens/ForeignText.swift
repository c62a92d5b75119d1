import GateModel

extension String {
    /// A text that Gate did not write, in one line of plain, visible characters. It is shown in a label of its own, so
    /// it can't rearrange Gate's words.
    var foreignLine: String {
        replacingHidden.split { $0.isWhitespace }.joined(separator: " ")
    }
    /// The same for a place between quotation marks of Gate's. Whatever could be taken for the end of the quotation is an
    /// apostrophe, and several in a row are one, because two apostrophes look like a quotation mark.
    var foreignQuotation: String {
        var shown = String.UnicodeScalarView()
        for scalar in foreignLine.unicodeScalars {
            let mark: Unicode.Scalar = scalar.looksLikeQuotationMark ? "\u{2019}" : scalar
            if !scalar.looksLikeQuotationMark || shown.last != mark { shown.append(mark) }
        }
        return String(shown)
    }
}

extension Unicode.Scalar {
    /// Whether it is a quotation mark, or looks like half of one: an accent, a modifier letter, a prime.
    fileprivate var looksLikeQuotationMark: Bool {
        switch value {
        case 0x60, 0xB4, 0x2B9...0x2BF, 0x2C8, 0x2CA, 0x2CB, 0x2DD, 0x2EE, 0x2F4...0x2F6, 0x2032...0x2037, 0x2057,
            0x275B...0x2760, 0x3003:
            true
        case _: properties.isQuotationMark
        }
    }
}
