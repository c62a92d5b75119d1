import GateModel
import GateTexts

/// Turns changes of entitlements into lines, one for each entitlement that is new, was changed, or is gone.
struct EntitlementLines {
    /// The entitlements of the last message; `nil` if there was none yet.
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

    /// Call it when the daemon is lost: nothing is known then.
    mutating func forget() {
        known = nil
    }
}
