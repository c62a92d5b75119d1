/// A form of the device, without its items.
public struct QuestionnaireSummary: Hashable, Sendable {
    /// The `id` of the questionnaire.
    public var name: String
    /// The title that people read, in each of its languages.
    public var titles: LocalizedText
    /// The title in its default language.
    public var title: String { titles.text }
    /// Its version; `nil`: it has none.
    public var version: String?
    /// Its canonical address; `nil`: it has none.
    public var url: String?
    /// The number of items, at all depths.
    public var itemCount: Int
    /// Whether only a grown-up may complete it.
    public var isForGrownUps: Bool

    /// Makes a summary of these values.
    package init(
        name: String, title: LocalizedText, version: String?, url: String?, itemCount: Int, isForGrownUps: Bool
    ) {
        self.name = name
        titles = title
        self.version = version
        self.url = url
        self.itemCount = itemCount
        self.isForGrownUps = isForGrownUps
    }
}
