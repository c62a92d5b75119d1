import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts

struct EntitlementsOffersVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "offers", abstract: "List what can be bought, as the stores have reported it.",
        discussion: "For example: gatectl entitlements offers. A paywall shows the same.")

    @OptionGroup var connection: ConnectionOptions

    func perform(_ session: Session) async throws(GateError) {
        let response = try await session.gate.call(Methods.Entitlements.listOffers, ListOffersRequest())
        guard !session.output.isJSON else { return session.output.line(try response.json()) }
        let locale = TextLocale.ofEnvironment()
        let rows = response.reports.flatMap { report in
            report.offers.map { offer in
                [
                    report.provider.rawValue, VisibleText.line(report.entitlement), VisibleText.line(offer.product),
                    OfferLines.text(of: offer, locale), VisibleText.line(offer.url ?? ""),
                ]
            }
        }
        session.output.table(rows, orNone: localized("No store has reported what can be bought."))
    }
}

struct EntitlementsReportOffersVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "report-offers",
        abstract: "Report what can be bought to get an entitlement (administrators and providers).",
        discussion: """
            For example: gatectl entitlements report-offers premium --provider storekit offers.json

            The file is JSON, as the wire has it: {"offers": [{"product": "monthly", "titles": [{"language": "en", \
            "text": "Every month"}], "period": "P1M", "price": "3,99 €", "priceMicros": "3990000", "currency": "EUR", \
            "url": "https://example.org/pay"}]}. Only the product is needed. It takes the place of what was reported \
            before for this store and entitlement; {} takes everything back. The daemon forgets it when it restarts.
            """)

    @OptionGroup var connection: ConnectionOptions

    @Option(help: ArgumentHelp("The store: storekit or revenuecat.", valueName: "name"))
    var provider: ClaimProvider

    @Argument(help: ArgumentHelp("Its name in the policy: premium.", valueName: "name"))
    var entitlement: String

    @Argument(
        help: ArgumentHelp("The offers; - is standard input.", valueName: "file"), completion: .file())
    var file: String

    func perform(_ session: Session) async throws(GateError) {
        let text = String(decoding: try ReceiptFile(path: file).bytes, as: UTF8.self)
        // The file has only the offers. Their provider and entitlement are on the command line.
        let bytes = try MessageJSON.bytes(from: text, as: ReportedOffers.descriptor)
        let offers = try ReportedOffers(decoding: bytes).offers
        let request = ReportOffersRequest(provider: provider, entitlement: entitlement, offers: offers)
        let response = try await session.gate.call(Methods.Entitlements.reportOffers, request)
        let name = VisibleText.line(entitlement)
        try session.output.result(
            response, at: response.revision,
            localized(
                "{provider} {entitlement}: {count} offer", plural: "{provider} {entitlement}: {count} offers",
                count: offers.count, ["provider": provider.rawValue, "entitlement": name]))
    }
}
