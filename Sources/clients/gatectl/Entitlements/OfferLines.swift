import GateModel
import GateTexts

/// Offers on a terminal: each with its price, the page to pay on, and that page as a QR code for a phone.
struct OfferLines {
    let offers: [Offer]
    let locale: TextLocale

    /// A QR code that is wider than the terminal is left out, since no phone can read it broken over two rows.
    func lines(columns: Int, hasCodes: Bool) -> [String] {
        var drawn: Set<String> = []
        return offers.flatMap { offer in
            var lines = ["  " + Self.text(of: offer, locale)]
            guard let url = offer.url else { return lines }
            lines.append("    " + VisibleText.line(url))
            if hasCodes, drawn.insert(url).inserted { lines += code(for: url, columns: columns) }
            return lines
        }
    }

    /// `Every month: 3,99 € for 1 month`
    static func text(of offer: Offer, _ locale: TextLocale) -> String {
        let price = OfferWords.price(offer)
        let title = VisibleText.line(OfferWords.title(offer, for: locale.languages))
        return price.isEmpty
            ? title : ListText.pair(title, VisibleText.line(price))
    }

    private func code(for url: String, columns: Int) -> [String] {
        guard let code = QRCode(Array(url.utf8)) else { return [] }
        let drawing = QRDrawing(code: code, ink: locale.isUTF8 ? .halfBlocks : .colouredSpaces)
        return drawing.columns <= columns ? drawing.lines : []
    }
}
