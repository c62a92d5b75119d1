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

    /// The presentation on the other screen: its kind, who asks for what, and when it closes.
    public let summary: PresentationSummary
    /// Where the presentation is answered.
    public let place: Place

    package init(_ summary: PresentationSummary, on place: Place) {
        self.summary = summary
        self.place = place
    }
}
