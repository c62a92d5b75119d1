/// One gated action, as the policy in force describes it.
public struct GatedActionSummary: Hashable, Sendable {
    /// The name in the policy, like "link.open".
    public var name: String
    /// The title that people read, like "Open a web page", in each of its languages.
    public var titles: LocalizedText
    /// The title in its default language.
    public var title: String { titles.text }
    /// What a grant requires, in English words for people.
    public var requirement: String
    /// How long a user is not asked again after a grant, in whole milliseconds; `nil` if the user is asked every time.
    public var keep: Duration?
    /// Where the policy defines the gated action; `nil` if the daemon does not tell.
    public var origin: PolicyOrigin?
    /// The amounts of more time that can be asked for while its schedule is closed or its allowance is used up. Empty if
    /// none can.
    public var moreTime: [AskChoice]

    package init(
        name: String, title: LocalizedText, requirement: String, keep: Duration?, origin: PolicyOrigin? = nil,
        moreTime: [AskChoice] = []
    ) {
        self.name = name
        titles = title
        self.requirement = requirement
        self.keep = keep
        self.origin = origin
        self.moreTime = moreTime
    }
}
