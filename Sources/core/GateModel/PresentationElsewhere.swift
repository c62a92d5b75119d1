/// A presentation that another screen is showing now and this presenter may not show: a secret, or something for
/// grown-ups. The presenter can tell the person where to answer; it can't claim, answer or dismiss the presentation.
public struct PresentationElsewhere: Hashable, Sendable {
    /// Where a presentation is answered.
    @nonexhaustive
    public enum Place: Hashable, Sendable, CaseIterable {
        /// On Gate's own screen, which comes up by itself.
        case screenOfItsOwn
        /// On the screen of a grown-up whom the policy names.
        case grownUp
        /// In a place that only a newer daemon knows.
        case unrecognized
    }

    /// What is shown, why, and until when.
    public let summary: PresentationSummary
    /// Where it is answered.
    public let place: Place

    package init(_ summary: PresentationSummary, on place: Place) {
        self.summary = summary
        self.place = place
    }
}
