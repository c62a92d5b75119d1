import GateModel

/// The paywalls that are open, as far as a provider sees them.
struct Paywalls: Hashable, Sendable {
    /// How often somebody has asked to look for a payment that was made already, by the paywall's number.
    private(set) var restoreCounts: [UInt64: UInt32] = [:]

    /// None is open.
    init() {}

    init(summaries: [PresentationSummary]) {
        for summary in summaries where summary.kind == .paywall { restoreCounts[summary.id] = summary.restoreCount }
    }

    /// Whether somebody may be paying.
    var isOpen: Bool { !restoreCounts.isEmpty }

    /// Whether somebody has asked since then to look for a payment. What was asked of the daemon before this program was there
    /// counts too: nobody has looked yet.
    func isRestoreAsked(since before: Paywalls) -> Bool {
        restoreCounts.contains { $0.value > before.restoreCounts[$0.key] ?? 0 }
    }
}
