/// A watcher's update after one or more changes: the complete new value of every part that changed.
public struct StateUpdate: Hashable, Sendable {
    /// The number of the first revision that the update covers. Its epoch is that of `revision`.
    package var firstNumber: UInt64
    /// The last revision that the update covers. Everything in the update is as it is at that revision.
    public var revision: Revision
    /// The mode; `nil` if it is not watched, or has not changed.
    public var mode: ModeState?
    /// The open presentations that this watcher may see, in the order of showing; `nil` if not watched, or not changed.
    public var presentations: [PresentationSummary]?
    /// The state of the sign-in; `nil` if it is not watched, or has not changed.
    public var signIn: SignInState?
    /// All entitlements; `nil` if they are not watched, or have not changed.
    public var entitlements: EntitlementsState?
    /// The drafts that this watcher may see, by name, then by holder; `nil` if not watched, or not changed.
    public var forms: [FormSummary]?
    /// The asks that this watcher may see, by number; `nil` if they are not watched, or have not changed.
    public var asks: [Ask]?
    /// The schedules that gated actions name, by name; `nil` if they are not watched, or have not changed.
    public var schedules: [ScheduleState]?
    /// The time that people have used today, as far as this watcher may see it, by user, then by subject; `nil` if it
    /// is not watched, or has not changed. While a program is being used, it is at most a minute behind.
    public var usage: [UsedTime]?
    /// Whether apps are told age ranges, and which apps wait for an answer; `nil` if that is not watched, or if no
    /// setting and no choice about age ranges has changed.
    public var ageRanges: AgeState?

    package init(
        firstNumber: UInt64, revision: Revision, mode: ModeState? = nil, presentations: [PresentationSummary]? = nil,
        signIn: SignInState? = nil, entitlements: EntitlementsState? = nil, forms: [FormSummary]? = nil,
        asks: [Ask]? = nil, schedules: [ScheduleState]? = nil, usage: [UsedTime]? = nil,
        ageRanges: AgeState? = nil
    ) {
        self.firstNumber = firstNumber
        self.revision = revision
        self.mode = mode
        self.presentations = presentations
        self.signIn = signIn
        self.entitlements = entitlements
        self.forms = forms
        self.asks = asks
        self.schedules = schedules
        self.usage = usage
        self.ageRanges = ageRanges
    }
}
