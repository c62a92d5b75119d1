import GateModel
import GateTexts
import Testing

@testable import gatectl

@Suite("Offers on a terminal (S-08)")
struct OfferLinesTests {
    private let monthly = Offer(
        product: "monthly", titles: [Offer.Title(language: "en", text: "Every month")], period: Offer.Period(1, .month),
        price: "3.99", url: "https://shop.example/pay")
    private let locale = TextLocale(isUTF8: true, languages: ["en"])

    private func text(_ offers: [Offer]) -> ContentText {
        ContentText(
            .paywall(
                Paywall(
                    entitlement: "premium", title: "Premium", provider: .storeKit, products: ["monthly"],
                    offers: offers)), locale: locale)
    }

    @Test("a paywall lists title, price and page of each offer, and product names only if there are no offers")
    func lines() {
        #expect(
            text([monthly, Offer(product: "yearly")]).plain().dropFirst()
                == ["  Every month: 3.99 for 1 month", "    https://shop.example/pay", "  yearly"])
        #expect(text([]).plain().dropFirst() == ["  monthly"])
    }

    @Test("each page is drawn once as a QR code if a phone could read it")
    func codes() throws {
        let code = try #require(QRCode(Array("https://shop.example/pay".utf8)))
        let drawing = QRDrawing(code: code, ink: .halfBlocks)
        let offers = OfferLines(offers: [monthly, monthly], locale: locale)
        let lines = offers.lines(columns: drawing.columns, hasCodes: true)
        #expect(Array(lines[2..<2 + drawing.lines.count]) == drawing.lines)
        #expect(lines.count == drawing.lines.count + 4)
        #expect(offers.lines(columns: drawing.columns - 1, hasCodes: true).count == 4)
        #expect(offers.lines(columns: drawing.columns, hasCodes: false).count == 4)
        // An address too long for a code that a camera reads is only printed, to be typed or clicked.
        var long = monthly
        long.url = "https://shop.example/" + String(repeating: "a", count: 300)
        #expect(OfferLines(offers: [long], locale: locale).lines(columns: 500, hasCodes: true).count == 2)
    }

    @Test("a provider's text stays on one line without control characters")
    func hostile() {
        var offer = monthly
        offer.titles[0].text = "free\u{1b}[2J\u{202E}"
        offer.price = "0\n"
        for line in OfferLines(offers: [offer], locale: locale).lines(columns: 80, hasCodes: false) {
            #expect(line.isSingleLine)
        }
    }
}
