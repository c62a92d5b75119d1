import GateModel
import GateTexts

/// The outcome of a call, behind the revision of the state that it made.
enum RevisionText {
    /// `rev 42  granted link.open`
    static func row(_ revision: Revision, _ text: String) -> String {
        localized("rev {revision}", ["revision": "\(revision)"]) + "  " + text
    }
}
