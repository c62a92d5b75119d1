/// Something to buy for an entitlement, as its provider offers it.
public struct Offer: Hashable, Sendable {
    /// The title in one language, as one line.
    public typealias Title = LocalizedText.Translation

    /// A price as a number, for programs that compare or format it.
    public struct Amount: Hashable, Sendable {
        /// The price in millionths of the currency: 3990000 is 3.99.
        public var micros: Int64
        /// The currency's code of ISO 4217, like "EUR".
        public var currency: String

        public init(micros: Int64, currency: String) {
            self.micros = micros
            self.currency = currency
        }
    }

    /// How long a purchase lasts before it is renewed or ends.
    public struct Period: Hashable, Sendable {
        /// The units in which a period is counted.
        @nonexhaustive
        public enum Unit: Hashable, Sendable, CaseIterable {
            /// A day.
            case day
            /// A week.
            case week
            /// A month.
            case month
            /// A year.
            case year
        }

        /// The number of units, from 1 to 999.
        public var count: Int
        /// What `count` counts: days, weeks, months or years.
        public var unit: Unit

        public init(_ count: Int, _ unit: Unit) {
            self.count = count
            self.unit = unit
        }
    }

    /// The provider's name for the product.
    public var product: String
    /// The title in each language that the provider has it in. Empty if the provider has none: then show `product`.
    public var titles: [Title]
    /// How long the purchase lasts; `nil` if for ever.
    public var period: Period?
    /// The price as the provider writes it for people, like "3,99 €". May be empty.
    public var price: String
    /// The price as a number; `nil` if the provider has not reported it.
    public var amount: Amount?
    /// The address of a page to pay on, with https; `nil` if there is none.
    public var url: String?

    public init(
        product: String, titles: [Title] = [], period: Period? = nil, price: String = "", amount: Amount? = nil,
        url: String? = nil
    ) {
        self.product = product
        self.titles = titles
        self.period = period
        self.price = price
        self.amount = amount
        self.url = url
    }
}

extension Offer.Period {
    /// Reads a period like "P1M" or "P2W" (ISO 8601); `nil` unless it is 1 to 999 days, weeks, months or years.
    public init?(iso8601 text: String) {
        let bytes = Array(text.utf8)
        guard (3...5).contains(bytes.count), bytes.first == UInt8(ascii: "P"),
            let unit = Unit.allCases.first(where: { $0.letter == bytes.last }),
            bytes[1..<bytes.count - 1].allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let count = Int(String(decoding: bytes[1..<bytes.count - 1], as: UTF8.self)), count > 0
        else { return nil }
        self.init(count, unit)
    }

    /// The period as ISO 8601 writes it, like "P1M".
    public var iso8601: String { "P\(count)\(Unicode.Scalar(unit.letter))" }
}

extension Offer.Period.Unit {
    fileprivate var letter: UInt8 {
        switch self {
        case .day: UInt8(ascii: "D")
        case .week: UInt8(ascii: "W")
        case .month: UInt8(ascii: "M")
        case .year: UInt8(ascii: "Y")
        }
    }
}

/// The offers of one provider for one entitlement, as the provider last reported them.
public struct ReportedOffers: Hashable, Sendable {
    /// The provider that sells them.
    public var provider: ClaimProvider
    /// The name of the entitlement in the policy.
    public var entitlement: String
    /// The offers in the order to show them.
    public var offers: [Offer]
    /// When the provider reported them.
    public var saidAt: WallTime

    public init(provider: ClaimProvider, entitlement: String, offers: [Offer], saidAt: WallTime) {
        self.provider = provider
        self.entitlement = entitlement
        self.offers = offers
        self.saidAt = saidAt
    }
}
