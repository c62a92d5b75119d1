package import GateModel

/// The price, period and title of an offer, as people read them.
package enum OfferWords {
    /// For example `3,99 € for 1 month`. The price is as the provider writes it, or else the amount as the person
    /// writes numbers. Empty if neither price nor period is known.
    package static func price(_ offer: Offer, _ habits: WritingHabits = .ofPerson) -> String {
        let price = offer.price.isEmpty ? offer.amount.map { amount($0, habits) } ?? "" : offer.price
        let period = offer.period.map(period)
        guard !price.isEmpty else { return period ?? "" }
        guard let period else { return localized("{price}, once", ["price": price]) }
        return localized("{price} for {period}", ["price": price, "period": period])
    }

    /// For example `3 months`.
    package static func period(_ period: Offer.Period) -> String {
        switch period.unit {
        case .day: localized("{count} day", plural: "{count} days", count: period.count)
        case .week: localized("{count} week", plural: "{count} weeks", count: period.count)
        case .month: localized("{count} month", plural: "{count} months", count: period.count)
        case .year: localized("{count} year", plural: "{count} years", count: period.count)
        }
    }

    /// For example `3.99 EUR`. Two decimal places, or more if necessary; none if the currency has no smaller coin.
    package static func amount(_ amount: Offer.Amount, _ habits: WritingHabits = .ofPerson) -> String {
        let (whole, rest) = (amount.micros / 1_000_000, amount.micros % 1_000_000)
        let digits = String(1_000_000 + rest).dropFirst()
        let needed = digits.reversed().drop { $0 == "0" }.count
        let count = max(needed, withoutCoins.contains(amount.currency) ? 0 : 2)
        let number = count == 0 ? "\(whole)" : "\(whole).\(digits.prefix(count))"
        return "\(habits.decimal(number)) \(amount.currency)"
    }

    /// The title in the language that fits the person best (BCP 47 tags, the preferred one first), else in English,
    /// else the first title. Without titles, the provider's name of the product.
    package static func title(_ offer: Offer, for languages: [String]) -> String {
        let best = LanguageTag.bestFit(for: languages + ["en"], among: offer.titles.map(\.language))
        return best.map { offer.titles[$0].text } ?? offer.titles.first?.text ?? offer.product
    }

    /// The currencies of ISO 4217 that are not divided into smaller coins.
    private static let withoutCoins: Set<String> = [
        "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF",
    ]
}
