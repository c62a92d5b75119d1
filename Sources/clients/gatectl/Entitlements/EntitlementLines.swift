import GateModel
import GateTexts

/// The changes of entitlements, a line for each that is another than before.
struct EntitlementLines {
    /// `nil`: nothing was told yet.
    private var known: [Entitlement]?

    mutating func lines(for state: EntitlementsState, revision: Revision) -> [String] {
        let before = known
        known = state.entitlements
        if before == nil, state.entitlements.isEmpty {
            return [RevisionText.row(revision, localized("there are no entitlements"))]
        }
        let gone = (before ?? []).filter { old in !state.entitlements.contains { $0.id == old.id } }
        let news = state.entitlements.filter { !(before ?? []).contains($0) }
        return gone.map { RevisionText.row(revision, "\($0.id)  \(localized("gone"))") }
            + news.map { RevisionText.row(revision, EntitlementText.line($0)) }
    }

    /// After the daemon was lost nothing is known.
    mutating func forget() {
        known = nil
    }
}
