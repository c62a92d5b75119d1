import GateModel

/// Checks a provider's offers, because people read them on a paywall and follow their links.
enum OfferRules {
    /// - Throws: `INVALID_ARGUMENT` with the field and what is wrong.
    static func check(_ offers: [Offer]) throws(GateError) {
        guard offers.count <= Limits.offersOfReport else {
            throw .invalid("offers", "A report has at most \(Limits.offersOfReport) offers. Leave some out.")
        }
        var products: Set<String> = []
        for offer in offers {
            try check(offer)
            guard products.insert(offer.product).inserted else {
                throw .invalid("offers.product", "Two offers are for the same product. Offer each product once.")
            }
        }
    }

    private static func check(_ offer: Offer) throws(GateError) {
        try checkText(offer.product, "offers.product", "name of a product", Limits.providerNameByteCount)
        guard offer.titles.count <= LocalizedText.maximumTranslationCount else {
            throw .invalid(
                "offers.titles",
                "A title has at most \(LocalizedText.maximumTranslationCount) languages. Leave some out.")
        }
        var languages: Set<String> = []
        for title in offer.titles {
            try checkText(title.text, "offers.titles.text", "title of an offer", Limits.providerNameByteCount)
            guard LanguageTag.isTag(title.language), languages.insert(title.language.lowercased()).inserted else {
                throw .invalid(
                    "offers.titles.language", "The languages of a title are tags like en or zh-Hans, each once.")
            }
        }
        if let period = offer.period, !(1...999).contains(period.count) {
            throw .invalid("offers.period", "A period is 1 to 999 days, weeks, months or years, like P1M.")
        }
        if !offer.price.isEmpty {
            try checkText(offer.price, "offers.price", "price", Limits.offerPriceByteCount)
        }
        if let amount = offer.amount {
            guard amount.micros >= 0 else { throw .invalid("offers.price_micros", "A price is not below 0.") }
            guard amount.currency.utf8.count == 3, amount.currency.utf8.allSatisfy(isCapital) else {
                throw .invalid("offers.currency", "A currency is three capital letters, as ISO 4217 has it, like EUR.")
            }
        }
        if let url = offer.url, !isPage(url) {
            throw .invalid(
                "offers.url",
                "The page to pay on is an address that begins with https:// and a host, without a user, in printable "
                    + "ASCII and at most \(Limits.offerURLByteCount) bytes long, like https://example.org/pay.")
        }
    }

    private static func checkText(
        _ text: String, _ field: String, _ what: String, _ limit: Int
    ) throws(GateError) {
        guard !text.isEmpty, text.utf8.count <= limit, text.isSingleLine else {
            throw .invalid(field, "The \(what) is one line of 1 to \(limit) bytes, without hidden characters.")
        }
    }

    /// Whether the address can be shown and opened safely: it is https, names its host visibly, and has no characters
    /// that are hidden or that programs read in different ways.
    private static func isPage(_ url: String) -> Bool {
        let bytes = Array(url.utf8)
        let scheme = Array("https://".utf8)
        guard bytes.count <= Limits.offerURLByteCount, bytes.starts(with: scheme),
            bytes.allSatisfy({ (0x21..<0x7F).contains($0) && !"\"'<>\\^`{|}".utf8.contains($0) })
        else { return false }
        let authority = bytes[scheme.count...].prefix { !"/?#".utf8.contains($0) }
        let parts = authority.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard let host = parts.first, parts.count <= 2, isHost(host) else { return false }
        guard parts.count == 2 else { return true }
        return UInt16(String(decoding: parts[1], as: UTF8.self)).map { $0 > 0 } ?? false
            && parts[1].allSatisfy(isDigit)
    }

    /// Whether these bytes are a host name: letters, digits and hyphens, with dots between its parts.
    private static func isHost(_ host: some Collection<UInt8>) -> Bool {
        host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { part in
            (1...63).contains(part.count)
                && part.allSatisfy { isCapital($0) || isSmall($0) || isDigit($0) || $0 == UInt8(ascii: "-") }
        }
    }

    private static func isCapital(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
    private static func isSmall(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
