/// A part of the state that can be watched.
@nonexhaustive
public enum WatchTopic: Hashable, Sendable, CaseIterable {
    /// The mode and its deadline.
    case mode
    /// The open presentations. Presenters and administrators see all, except that only presenters of grown-ups see what
    /// another device asks. Providers see paywalls. Everybody sees those that were requested over the same connection.
    case presentations
    /// Who is signed in.
    case signIn
    /// The entitlements, and which of them are paid for.
    case entitlements
    /// The open drafts: one's own, and those that this connection shows. Administrators see all.
    case forms
    /// The asks that wait for a grown-up or were answered: one's own. Presenters of grown-ups and administrators see
    /// all.
    case asks
    /// The schedules of the policy that gated actions name, and which of them are open.
    case schedules
    /// How much time people have used today: one's own. Grown-ups, their presenters and administrators see everybody's.
    case usage
    /// Whether apps are told age ranges, and which apps wait for a grown-up's answer. Only grown-ups, in the sessions of
    /// their own users, and administrators see them; to others they are off.
    case ageRanges
}
