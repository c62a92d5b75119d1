/// A thing that the wire knows and a daemon does, by the names that `Control/GetVersion` lists.
package enum Capability: String, Hashable, Sendable, CaseIterable {
    case audit
    case authorization
    case backup
    case entitlements
    case forms
    case mode
    case presentations
    case releaseNotes = "release-notes"
    case secrets
    case signIn = "sign-in"
    case watch
    /// `subject` in `Check` and `Authorize`.
    case subject
    /// The things that providers say can be bought, on a paywall.
    case offers
    /// Several drafts of a form for one holder, with labels.
    case drafts
    /// Answers that forms share, by the `definition` of their items.
    case parts
    /// Suggestions that are still to come, or that wait beside an answer.
    case suggestions
    /// Forms and notes that apps bring with their calls.
    case appForms = "app-forms"
    case presenting
    /// Answers as a person types them, in `SetAnswer` and `SuggestAnswer`.
    case typedAnswers = "typed-answers"
    /// The service `Household`.
    case guardians

    /// The names of those that the gated of this release has, in alphabetical order: all of them.
    package static let built = allCases.map(\.rawValue).sorted()
}
