import GateModel
import Testing

@testable import GateTexts

@Suite("Offers in words (S-08)")
struct OfferWordsTests {
    private let german = WritingHabits(dateFormat: "%d.%m.%Y", decimalSeparator: ",")
    private let english = WritingHabits(dateFormat: "", decimalSeparator: "")

    @Test("a price that the provider wrote is shown unchanged, and a number is written as the person writes numbers")
    func price() {
        let month = Offer.Period(1, .month)
        let amount = Offer.Amount(micros: 3_990_000, currency: "EUR")
        let written = Offer(product: "monthly", period: month, price: "nur 3.99!", amount: amount)
        #expect(OfferWords.price(written, german) == "nur 3.99! for 1 month")
        #expect(
            OfferWords.price(Offer(product: "monthly", period: Offer.Period(3, .month), amount: amount), german)
                == "3,99 EUR for 3 months")
        #expect(OfferWords.price(Offer(product: "forever", price: "$9"), english) == "$9, once")
        #expect(OfferWords.price(Offer(product: "monthly", period: month), english) == "1 month")
        #expect(OfferWords.price(Offer(product: "monthly"), english).isEmpty)
    }

    @Test(
        "an amount has two decimals, more if needed, and none in a currency without coins",
        arguments: [
            (0, "EUR", "0.00 EUR"), (5_000_000, "EUR", "5.00 EUR"), (50_000, "USD", "0.05 USD"),
            (1_234_567, "USD", "1.234567 USD"), (1_200_000_000, "JPY", "1200 JPY"), (1_500_000, "JPY", "1.5 JPY"),
            (Int64.max, "EUR", "9223372036854.775807 EUR"),
        ] as [(Int64, String, String)])
    func amount(micros: Int64, currency: String, text: String) {
        #expect(OfferWords.amount(Offer.Amount(micros: micros, currency: currency), english) == text)
    }

    @Test("each unit of a period has its words")
    func period() {
        #expect(
            Offer.Period.Unit.allCases.map { OfferWords.period(Offer.Period(2, $0)) }
                == ["2 days", "2 weeks", "2 months", "2 years"])
    }

    @Test("an offer's title is in the person's language or a similar one, else in English, else in any")
    func title() {
        let titles = ["fr": "Par mois", "en": "Monthly", "de-AT": "Monatlich"].sorted { $0.key < $1.key }
        let offer = Offer(product: "m", titles: titles.map { Offer.Title(language: $0.key, text: $0.value) })
        #expect(OfferWords.title(offer, for: ["fr-CA"]) == "Par mois")
        #expect(OfferWords.title(offer, for: ["de-CH"]) == "Monatlich")
        #expect(OfferWords.title(offer, for: ["ru"]) == "Monthly" && OfferWords.title(offer, for: []) == "Monthly")
        #expect(OfferWords.title(Offer(product: "m"), for: ["ru"]) == "m")
        #expect(
            OfferWords.title(Offer(product: "m", titles: [Offer.Title(language: "fr", text: "Par mois")]), for: ["ru"])
                == "Par mois")
    }
}
