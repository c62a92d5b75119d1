import GateModel

/// The offers that providers have reported (S-08), in memory alone: a provider says them again when it finds the daemon.
///
/// A report takes the place of the one before of the same provider for the same entitlement, no matter who made that. It stands until
/// then, as a claim does: also while its provider is not heard, and when the program that reported it has gone. It goes with
/// the entitlement, where the policy defines that no more, and with the daemon.
struct OfferBook: Hashable, Sendable {
    struct Key: Hashable, Sendable {
        let provider: ClaimProvider
        let entitlement: String
    }

    struct Report: Hashable, Sendable {
        let offers: [Offer]
        let saidAt: WallTime
        /// The owner whose room it takes.
        let owner: Owner
        let byteCount: Int
    }

    private(set) var reports: [Key: Report] = [:]

    /// The offers for this, in the order to show them.
    func offers(of provider: ClaimProvider, for entitlement: String) -> [Offer] {
        reports[Key(provider: provider, entitlement: entitlement)]?.offers ?? []
    }

    /// In the order of providers, then of names.
    var inOrder: [ReportedOffers] {
        reports.map { key, report in
            ReportedOffers(
                provider: key.provider, entitlement: key.entitlement, offers: report.offers, saidAt: report.saidAt)
        }.sorted { ($0.provider.rawValue, $0.entitlement) < ($1.provider.rawValue, $1.entitlement) }
    }

    /// A provider has reported what can be bought. The offers have been checked.
    ///
    /// - Throws: `RESOURCE_EXHAUSTED` (`limit`) where the owner, or everybody together, has no room for them.
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

    /// The policy defines these entitlements now.
    mutating func configured(_ entitlements: some Collection<String>) {
        let defined = Set(entitlements)
        reports = reports.filter { defined.contains($0.key.entitlement) }
    }
}

extension Offer {
    /// UTF-8 bytes of its texts, and 64 for the rest of it.
    fileprivate var byteCount: Int {
        titles.reduce(64 + product.utf8.count + price.utf8.count + (url?.utf8.count ?? 0)) {
            $0 + $1.language.utf8.count + $1.text.utf8.count
        }
    }
}

extension Limits {
    /// The offers of one report.
    static let offersOfReport = 50
    /// UTF-8 bytes of an offer's price as its provider writes it.
    static let offerPriceByteCount = 100
    /// Bytes of the page to pay on. A QR code of so many can be read by a phone.
    static let offerURLByteCount = 1000
    /// Bytes of the offers that one owner has reported.
    static let offersByteCountOfOwner = 128 << 10
    /// Bytes of all offers.
    static let offersByteCount = 256 << 10
}
