import FoundationEssentials
import GateModel

/// RevenueCat's answer about what an app sells. It names products, how long they last, and where to pay for them on the
/// web. It has no prices, which only the stores know.
struct Offerings: Hashable, Sendable, Decodable {
    struct Package: Hashable, Sendable, Decodable {
        var identifier: String
        var platformProductIdentifier: String
        var webCheckoutUrl: String?
    }

    struct Offering: Hashable, Sendable, Decodable {
        var identifier: String
        var packages: [Package]
        var webCheckoutUrl: String?
    }

    var currentOfferingId: String?
    var offerings: [Offering]

    init(json: [UInt8]) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        self = try decoder.decode(Offerings.self, from: Data(json))
    }

    /// The offers for each of Gate's entitlements: from the offering with the name of RevenueCat's entitlement;
    /// otherwise, if the configuration has only one entitlement, from the current offering; otherwise none. The page to
    /// pay on is for the user who was asked about, so it is left out if there are several users.
    func offers(_ settings: RevenueCatSettings) -> [String: [Offer]] {
        var found: [String: [Offer]] = [:]
        let names = Set(settings.entitlements.values)
        for name in names {
            let own = settings.entitlements.filter { $0.value == name }.keys.sorted()
            let offering =
                own.lazy.compactMap { item in offerings.first { $0.identifier == item } }.first
                ?? (names.count == 1 ? offerings.first { $0.identifier == currentOfferingId } : nil)
            found[name] = offering.map { Self.offers(of: $0, hasPages: settings.users.count == 1) } ?? []
        }
        return found
    }

    private static func offers(of offering: Offering, hasPages: Bool) -> [Offer] {
        var products: Set<String> = []
        return offering.packages.filter { products.insert($0.platformProductIdentifier).inserted }.map { package in
            Offer(
                product: package.platformProductIdentifier, period: period(of: package.identifier),
                url: hasPages ? package.webCheckoutUrl ?? offering.webCheckoutUrl : nil)
        }
    }

    /// The period in RevenueCat's own names of packages. `nil` for packages without an end, and for other names.
    private static func period(of package: String) -> Offer.Period? {
        switch package {
        case "$rc_weekly": Offer.Period(1, .week)
        case "$rc_monthly": Offer.Period(1, .month)
        case "$rc_two_month": Offer.Period(2, .month)
        case "$rc_three_month": Offer.Period(3, .month)
        case "$rc_six_month": Offer.Period(6, .month)
        case "$rc_annual": Offer.Period(1, .year)
        case _: nil
        }
    }
}
