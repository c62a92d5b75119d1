import GateModel
import GateTexts

/// The changes of the forms that are being filled in, a line for each that is new, was changed, or is gone.
struct FormChangeLines {
    private var known: [FormSummary] = []

    /// - Parameter open: all that are open now.
    mutating func lines(for open: [FormSummary], revision: Revision) -> [String] {
        defer { known = open }
        let gone = known.filter { old in !open.contains { $0.name == old.name && $0.holder == old.holder } }
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

    /// After the daemon was lost nothing is open.
    mutating func forget() {
        known = []
    }
}
