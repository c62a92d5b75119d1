package import GateModel

/// Offers as people read them (S-08).
package enum OfferWords {
    /// `3,99 € for 1 month`. The price is the provider's own writing where there is one, else the number as the person writes
    /// numbers. Empty: nothing is known.
    package static func price(_ offer: Offer, _ habits: WritingHabits = .ofPerson) -> String {
        let price = offer.price.isEmpty ? offer.amount.map { amount($0, habits) } ?? "" : offer.price
        let period = offer.period.map(period)
        guard !price.isEmpty else { return period ?? "" }
        guard let period else { return localized("{price}, once", ["price": price]) }
        return localized("{price} for {period}", ["price": price, "period": period])
    }

    /// `3 months`
    package static func period(_ period: Offer.Period) -> String {
        switch period.unit {
        case .day: localized("{count} day", plural: "{count} days", count: period.count)
        case .week: localized("{count} week", plural: "{count} weeks", count: period.count)
        case .month: localized("{count} month", plural: "{count} months", count: period.count)
        case .year: localized("{count} year", plural: "{count} years", count: period.count)
        }
    }

    /// `3.99 EUR`: two digits behind the point, or as many as it takes; none where the currency has no smaller coin.
    package static func amount(_ amount: Offer.Amount, _ habits: WritingHabits = .ofPerson) -> String {
        let (whole, rest) = (amount.micros / 1_000_000, amount.micros % 1_000_000)
        let digits = String(1_000_000 + rest).dropFirst()
        let needed = digits.reversed().drop { $0 == "0" }.count
        let count = max(needed, withoutCoins.contains(amount.currency) ? 0 : 2)
        let number = count == 0 ? "\(whole)" : "\(whole).\(digits.prefix(count))"
        return "\(habits.decimal(number)) \(amount.currency)"
    }

    /// The title in the first of these languages that it is in, or in one like it; else in English; else the first. The provider's
    /// name of the product where there is none.
    ///
    /// - Parameter languages: BCP 47 tags, like "de-CH", the preferred one first.
    package static func title(_ offer: Offer, for languages: [String]) -> String {
        let best = LanguageTag.bestFit(for: languages + ["en"], among: offer.titles.map(\.language))
        return best.map { offer.titles[$0].text } ?? offer.titles.first?.text ?? offer.product
    }

    /// Those of ISO 4217 whose smallest coin is one.
    private static let withoutCoins: Set<String> = [
        "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF",
    ]
}
