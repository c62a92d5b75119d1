/// The parts of the state that a watcher is told of: the complete result of one or more changes.
public struct StateUpdate: Hashable, Sendable {
    /// The number of the first revision that this covers; its epoch is that of `revision`.
    package var firstNumber: UInt64
    /// The last revision that this covers: everything here is true at it.
    public var revision: Revision
    /// The mode; `nil`: it is not watched, or is what it was.
    public var mode: ModeState?
    /// All open presentations that this watcher may see, in the order in which they are shown; `nil`: they are not watched, or
    /// are what they were.
    public var presentations: [PresentationSummary]?
    /// The state of the sign-in; `nil`: it is not watched, or is what it was.
    public var signIn: SignInState?
    /// All entitlements; `nil`: they are not watched, or are what they were.
    public var entitlements: EntitlementsState?
    /// All drafts that this watcher may see, by name, then by holder; `nil`: they are not watched, or are what they were.
    public var forms: [FormSummary]?

    /// Makes an update of these values.
    package init(
        firstNumber: UInt64, revision: Revision, mode: ModeState? = nil, presentations: [PresentationSummary]? = nil,
        signIn: SignInState? = nil, entitlements: EntitlementsState? = nil, forms: [FormSummary]? = nil
    ) {
        self.firstNumber = firstNumber
        self.revision = revision
        self.mode = mode
        self.presentations = presentations
        self.signIn = signIn
        self.entitlements = entitlements
        self.forms = forms
    }
}
