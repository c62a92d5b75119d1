/// Something that can be bought to get an entitlement, as its provider says it (S-08).
public struct Offer: Hashable, Sendable {
    /// The title in one language: one line.
    public typealias Title = LocalizedText.Translation

    /// A price as a number.
    public struct Amount: Hashable, Sendable {
        /// Millionths of the currency: 3990000 are 3.99.
        public var micros: Int64
        /// The currency as ISO 4217 names it: "EUR".
        public var currency: String

        /// Makes an amount of these values.
        public init(micros: Int64, currency: String) {
            self.micros = micros
            self.currency = currency
        }
    }

    /// How long what is bought lasts.
    public struct Period: Hashable, Sendable {
        /// The lengths that are counted.
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

        /// How many, from 1 to 999.
        public var count: Int
        /// The length that is counted.
        public var unit: Unit

        /// Makes a period of these values.
        public init(_ count: Int, _ unit: Unit) {
            self.count = count
            self.unit = unit
        }
    }

    /// The provider's name for it.
    public var product: String
    /// The title that people read, in each language that the provider has it in. Empty: its name is all there is.
    public var titles: [Title]
    /// How long it lasts; `nil`: for ever.
    public var period: Period?
    /// The price as the provider writes it for people: "3,99 €". May be empty.
    public var price: String
    /// The price as a number; `nil`: the provider has not said it.
    public var amount: Amount?
    /// The page to pay on, with https; `nil`: there is none.
    public var url: String?

    /// Makes an offer of these values.
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
    /// Reads a period as ISO 8601 writes it, with one number and one unit: "P1M", "P2W".
    ///
    /// - Returns: `nil` where it is not one of 1 to 999 days, weeks, months or years.
    public init?(iso8601 text: String) {
        let bytes = Array(text.utf8)
        guard (3...5).contains(bytes.count), bytes.first == UInt8(ascii: "P"),
            let unit = Unit.allCases.first(where: { $0.letter == bytes.last }),
            bytes[1..<bytes.count - 1].allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let count = Int(String(decoding: bytes[1..<bytes.count - 1], as: UTF8.self)), count > 0
        else { return nil }
        self.init(count, unit)
    }

    /// The period as ISO 8601 writes it: "P1M".
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

/// The offers of one provider for one entitlement, as it reported them last.
public struct ReportedOffers: Hashable, Sendable {
    /// The provider that they are bought through.
    public var provider: ClaimProvider
    /// The name of the entitlement in the policy.
    public var entitlement: String
    /// The offers in the order to show them.
    public var offers: [Offer]
    /// When they were reported.
    public var saidAt: WallTime

    /// Makes a report of these values.
    public init(provider: ClaimProvider, entitlement: String, offers: [Offer], saidAt: WallTime) {
        self.provider = provider
        self.entitlement = entitlement
        self.offers = offers
        self.saidAt = saidAt
    }
}
