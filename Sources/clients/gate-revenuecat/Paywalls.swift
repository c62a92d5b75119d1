import GateModel

/// The paywalls that are open, as far as a provider may see them.
struct Paywalls: Hashable, Sendable {
    /// How often people asked to look for an earlier payment, by the paywall's id.
    private(set) var restoreCounts: [UInt64: UInt32] = [:]

    init() {}

    init(summaries: [PresentationSummary]) {
        for summary in summaries where summary.kind == .paywall { restoreCounts[summary.id] = summary.restoreCount }
    }

    /// Whether somebody may be paying now.
    var isOpen: Bool { !restoreCounts.isEmpty }

    /// Requests from before this program started count, too, since it has not looked yet.
    func isRestoreAsked(since before: Paywalls) -> Bool {
        restoreCounts.contains { $0.value > before.restoreCounts[$0.key] ?? 0 }
    }
}
