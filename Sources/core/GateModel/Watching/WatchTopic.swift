/// A part of the state that can be watched.
@nonexhaustive
public enum WatchTopic: Hashable, Sendable, CaseIterable {
    /// The mode, and its deadline.
    case mode
    /// The presentations that are open: all of them for presenters and administrators; paywalls for providers; for others those
    /// that were asked for over their own connection.
    case presentations
    /// The person who is signed in.
    case signIn
    /// The entitlements that are paid for.
    case entitlements
    /// The forms that are being filled in: one's own, and those of presentations that this connection shows; all of them for
    /// administrators.
    case forms
}
