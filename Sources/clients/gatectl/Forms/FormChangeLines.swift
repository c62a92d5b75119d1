import GateModel
import GateTexts

/// Turns changes of open forms into lines, one for each draft that is new, was changed, or is gone.
struct FormChangeLines {
    private var known: [FormSummary] = []

    mutating func lines(for open: [FormSummary], revision: Revision) -> [String] {
        defer { known = open }
        let gone = known.filter { old in
            !open.contains { $0.name == old.name && $0.holder == old.holder && $0.draftID == old.draftID }
        }
        let news = open.filter { !known.contains($0) }
        return gone.map {
            RevisionText.row(
                revision,
                localized(
                    "form {form} for {name}  closed",
                    ["form": VisibleText.line($0.name), "name": FormLines.name(of: $0.holder)]))
        }
            + news.map { RevisionText.row(revision, localized("form {form}", ["form": FormLines.line($0)])) }
    }

    /// Call it when the daemon is lost: no form is open then.
    mutating func forget() {
        known = []
    }
}
