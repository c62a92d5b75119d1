package import CGateProtocol
package import GateModel

// entitlements.proto and providers.proto: offers, the things that can be bought

extension Methods.Entitlements {
    package static let reportOffers = Method<ReportOffersRequest, ReportOffersResponse>(service, "ReportOffers")
    package static let listOffers = Method<ListOffersRequest, ListOffersResponse>(service, "ListOffers")
}

extension Offer: MessageMapping {
    init(reading message: Gate__V1__Offer) throws(GateError) {
        let (period, currency, url) = (
            String(reading: message.period), String(reading: message.currency), String(reading: message.url)
        )
        self.init(
            product: String(reading: message.product),
            titles: [Title](reading: message.titles, count: message.n_titles),
            price: String(reading: message.price), url: url.isEmpty ? nil : url)
        if !period.isEmpty {
            guard let read = Period(iso8601: period) else {
                throw .wrong(
                    "gate.v1.Offer.period", "is no period of 1 to 999 days, weeks, months or years, like P1M")
            }
            self.period = read
        }
        if !currency.isEmpty {
            amount = Amount(micros: message.price_micros, currency: currency)
        } else if message.price_micros != 0 {
            throw .wrong("gate.v1.Offer.currency", "is not set, and price_micros is; set both or neither")
        }
    }

    func write(to message: inout Gate__V1__Offer, in arena: inout MessageArena) {
        message.product = arena.string(product)
        (message.titles, message.n_titles) = arena.messages(titles)
        message.period = arena.string(period?.iso8601 ?? "")
        message.price = arena.string(price)
        message.price_micros = amount?.micros ?? 0
        message.currency = arena.string(amount?.currency ?? "")
        message.url = arena.string(url ?? "")
    }
}

extension ReportedOffers: MappedMessage {
    init(reading message: Gate__V1__ReportedOffers) throws(GateError) {
        self.init(
            provider: ClaimProvider(wire: message.provider, else: .unrecognized),
            entitlement: String(reading: message.entitlement),
            offers: try [Offer](reading: message.offers, count: message.n_offers),
            saidAt: WallTime(unixMilliseconds: message.said_at_unix_milliseconds))
    }

    func write(to message: inout Gate__V1__ReportedOffers, in arena: inout MessageArena) {
        message.provider = provider.wire
        message.entitlement = arena.string(entitlement)
        (message.offers, message.n_offers) = arena.messages(offers)
        message.said_at_unix_milliseconds = saidAt.unixMilliseconds
    }
}

package struct ReportOffersRequest: MappedMessage {
    /// Any provider except `manual`.
    package var provider: ClaimProvider
    package var entitlement: String
    package var offers: [Offer]

    package init(provider: ClaimProvider, entitlement: String, offers: [Offer]) {
        self.provider = provider
        self.entitlement = entitlement
        self.offers = offers
    }

    init(reading message: Gate__V1__ReportOffersRequest) throws(GateError) {
        self.init(
            provider: try ClaimProvider(wire: message.provider, of: "gate.v1.ReportOffersRequest.provider"),
            entitlement: String(reading: message.entitlement),
            offers: try [Offer](reading: message.offers, count: message.n_offers))
    }

    func write(to message: inout Gate__V1__ReportOffersRequest, in arena: inout MessageArena) {
        message.provider = provider.wire
        message.entitlement = arena.string(entitlement)
        (message.offers, message.n_offers) = arena.messages(offers)
    }
}

package typealias ReportOffersResponse = RevisionReply<Gate__V1__ReportOffersResponse>
extension Gate__V1__ReportOffersResponse: CRevisionReply {}

package typealias ListOffersRequest = EmptyMessage<Gate__V1__ListOffersRequest>

package struct ListOffersResponse: MappedMessage {
    /// Sorted by provider, then by entitlement.
    package var reports: [ReportedOffers]

    package init(reports: [ReportedOffers]) {
        self.reports = reports
    }

    init(reading message: Gate__V1__ListOffersResponse) throws(GateError) {
        self.init(reports: try [ReportedOffers](reading: message.reports, count: message.n_reports))
    }

    func write(to message: inout Gate__V1__ListOffersResponse, in arena: inout MessageArena) {
        (message.reports, message.n_reports) = arena.messages(reports)
    }
}
