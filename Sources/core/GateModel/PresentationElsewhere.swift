/// A secret, or what is left to grown-ups, that is asked on another screen just now (S-15). A presenter that is not for it says where
/// it is answered; it can neither claim nor answer nor dismiss it.
public struct PresentationElsewhere: Hashable, Sendable {
    /// The place where it is answered.
    @nonexhaustive
    public enum Place: Hashable, Sendable, CaseIterable {
        /// On a screen of its own, which comes up by itself.
        case screenOfItsOwn
        /// On the screen of a grown-up whom the policy names.
        case grownUp
        /// Somewhere that a newer daemon knows.
        case unrecognized
    }

    /// The part that others may see: why it is shown, to whom, and until when.
    public let summary: PresentationSummary
    /// The place where it is answered.
    public let place: Place

    /// Makes one of these values.
    package init(_ summary: PresentationSummary, on place: Place) {
        self.summary = summary
        self.place = place
    }
}
