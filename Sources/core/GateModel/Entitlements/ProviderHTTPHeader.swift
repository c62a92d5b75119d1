/// A header of a provider's HTTP response, for the check of its signature.
public struct ProviderHTTPHeader: Hashable, Sendable {
    /// The name. Upper and lower case make no difference.
    public var name: String
    /// The value, unchanged.
    public var value: String

    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
