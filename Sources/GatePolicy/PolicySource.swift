/// The text of a policy file.
public struct PolicySource: Hashable, Sendable {
    /// What problems call it: its path.
    public var name: String
    public var text: String

    public init(name: String, text: String) {
        self.name = name
        self.text = text
    }

    /// Whether it says whom Gate believes about purchases, and no policy.
    var isProviders: Bool { name.split(separator: "/").last.map(String.init) == Self.providersName }

    static let providersName = "providers.yaml"

    var lines: [Substring] { text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) }
}
