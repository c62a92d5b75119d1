import GateModel
import GateTexts

/// The outcome of a call, after the revision of the state that the call made.
enum RevisionText {
    /// `rev 42  granted link.open`
    static func row(_ revision: Revision, _ text: String) -> String {
        localized("rev {revision}", ["revision": "\(revision)"]) + "  " + text
    }
}
