import GateModel

/// The offers that providers have reported. They are only in memory, since a provider reports them again when it
/// connects to the daemon.
///
/// A report replaces the earlier one of the same provider for the same entitlement, whichever program made it. Like a
/// claim, it stays valid while its provider is not reachable or the reporting program has disconnected. It is dropped
/// when the configuration no longer defines the entitlement, and when the daemon ends.
struct OfferBook: Hashable, Sendable {
    struct Key: Hashable, Sendable {
        let provider: ClaimProvider
        let entitlement: String
    }

    struct Report: Hashable, Sendable {
        let offers: [Offer]
        let saidAt: WallTime
        let owner: Owner
        let byteCount: Int
    }

    private(set) var reports: [Key: Report] = [:]

    /// The offers in the order in which to show them.
    func offers(of provider: ClaimProvider, for entitlement: String) -> [Offer] {
        reports[Key(provider: provider, entitlement: entitlement)]?.offers ?? []
    }

    /// All reports, sorted by provider, then by entitlement.
    var inOrder: [ReportedOffers] {
        reports.map { key, report in
            ReportedOffers(
                provider: key.provider, entitlement: key.entitlement, offers: report.offers, saidAt: report.saidAt)
        }.sorted { ($0.provider.rawValue, $0.entitlement) < ($1.provider.rawValue, $1.entitlement) }
    }

    /// Replaces a provider's report. The offers were checked; an empty list removes the report.
    ///
    /// - Throws: `RESOURCE_EXHAUSTED` (`limit`) if the owner, or all owners together, would exceed their bytes.
    mutating func reported(
        _ offers: [Offer], for key: Key, by owner: Owner, at time: WallTime
    ) throws(GateError) {
        guard !offers.isEmpty else {
            reports[key] = nil
            return
        }
        let byteCount = offers.reduce(0) { $0 + $1.byteCount }
        let others = reports.filter { $0.key != key }.values
        guard others.reduce(byteCount, { $0 + $1.byteCount }) <= Limits.offersByteCount,
            others.filter({ $0.owner == owner }).reduce(byteCount, { $0 + $1.byteCount })
                <= Limits.offersByteCountOfOwner
        else { throw .noRoomForOffers }
        reports[key] = Report(offers: offers, saidAt: time, owner: owner, byteCount: byteCount)
    }

    mutating func configured(_ entitlements: some Collection<String>) {
        let defined = Set(entitlements)
        reports = reports.filter { defined.contains($0.key.entitlement) }
    }
}

extension Offer {
    /// UTF-8 bytes of all texts, plus 64 for the other fields.
    fileprivate var byteCount: Int {
        titles.reduce(64 + product.utf8.count + price.utf8.count + (url?.utf8.count ?? 0)) {
            $0 + $1.language.utf8.count + $1.text.utf8.count
        }
    }
}

extension Limits {
    static let offersOfReport = 50
    static let offerPriceByteCount = 100
    /// The most bytes of the payment page's address. A phone can still read a QR code of that length.
    static let offerURLByteCount = 1000
    static let offersByteCountOfOwner = 128 << 10
    static let offersByteCount = 256 << 10
}
