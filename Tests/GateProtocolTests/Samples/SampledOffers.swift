import GateModel

@testable import GateProtocol

extension SplitMix {
    mutating func offer() -> Offer {
        Offer(
            product: text(), titles: array { $0.translation() },
            period: optional {
                Offer.Period(1 + Int($0.integer() as UInt64 % 999), $0.any(of: Offer.Period.Unit.self))
            }, price: text(),
            amount: optional { Offer.Amount(micros: $0.integer(), currency: "EUR") },
            url: optional { "https://\($0.text())" })
    }
}

extension ReportOffersRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            provider: random.any(of: ClaimProvider.self), entitlement: random.text(),
            offers: random.array { $0.offer() })
    }
}
extension ListOffersResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            reports: random.array {
                ReportedOffers(
                    provider: $0.any(of: ClaimProvider.self), entitlement: $0.text(),
                    offers: $0.array { $0.offer() }, saidAt: $0.wallTime())
            })
    }
}
