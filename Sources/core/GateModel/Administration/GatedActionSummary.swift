/// The part of a policy that is about one gated action.
public struct GatedActionSummary: Hashable, Sendable {
    /// Like "link.open".
    public var name: String
    /// Like "Open a web page", in each of its languages.
    public var titles: LocalizedText
    /// The title in its default language.
    public var title: String { titles.text }
    /// The requirement, in words for people.
    public var requirement: String
    /// How long the user is not asked again, in whole milliseconds; `nil`: they are asked every time.
    public var keep: Duration?

    /// Makes a summary of these values.
    package init(name: String, title: LocalizedText, requirement: String, keep: Duration?) {
        self.name = name
        titles = title
        self.requirement = requirement
        self.keep = keep
    }
}
