/// A part of the wire that a daemon may lack. The raw values are the names that `Control/GetVersion` lists.
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
    /// The field `subject` of `Check` and `Authorize`.
    case subject
    /// Offers of providers, shown on paywalls.
    case offers
    /// Several drafts of one form for the same holder, told apart by labels.
    case drafts
    /// Answers that forms share, found by the `definition` of their items.
    case parts
    /// Suggestions that are still being fetched, or that wait beside an answer.
    case suggestions
    /// Forms and release notes that apps bring in their calls.
    case appForms = "app-forms"
    case presenting
    /// Answers in the words that a person typed, in `SetAnswer` and `SuggestAnswer`.
    case typedAnswers = "typed-answers"
    /// The service `Household`.
    case guardians
    /// Requests that wait for a grown-up: `may_wait` and `at_once` of `Authorize`, `details` of `Check`, `ListAsks`,
    /// `AnswerAsk` and `WithdrawAsk`.
    case asks
    /// The service `Usage`, and conditions that need an allowance.
    case usage
    /// `AskMoreTime`, and `more_time` of gated actions.
    case moreTime = "more-time"
    /// The service `Age`.
    case age
    /// Use that is summed over the household's devices: `CollectUsage` and `SubmitUsage`.
    case householdUsage = "household-usage"

    /// The names of all capabilities, in alphabetical order. The gated of this release has every one.
    package static let built = allCases.map(\.rawValue).sorted()
}
