/// A form of the device, without its items.
public struct QuestionnaireSummary: Hashable, Sendable {
    /// The name of the form, like "consent": the `id` of the FHIR resource.
    public var name: String
    /// The title that people read, in each of its languages.
    public var titles: LocalizedText
    /// The title in its default language.
    public var title: String { titles.text }
    /// The version; `nil` if the form has none.
    public var version: String?
    /// The canonical URL; `nil` if the form has none.
    public var url: String?
    /// The number of items at all levels.
    public var itemCount: Int
    /// Whether only a grown-up may complete it.
    public var isForGrownUps: Bool

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
