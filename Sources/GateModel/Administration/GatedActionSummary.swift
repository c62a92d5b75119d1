/// The part of a policy that is about one gated action.
public struct GatedActionSummary: Hashable, Sendable {
    /// Like "link.open".
    public var name: String
    /// Like "Open a web page".
    public var title: String
    /// The requirement, in words for people.
    public var requirement: String
    /// How long the user is not asked again, in whole milliseconds; `nil`: they are asked every time.
    public var keep: Duration?

    /// Makes a summary of these values.
    package init(name: String, title: String, requirement: String, keep: Duration?) {
        self.name = name
        self.title = title
        self.requirement = requirement
        self.keep = keep
    }
}
