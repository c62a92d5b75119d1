/// A header of an HTTP response.
public struct ProviderHTTPHeader: Hashable, Sendable {
    /// Its name, in upper or lower case.
    public var name: String
    /// Its value, as it came.
    public var value: String

    /// Makes a header of these values.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
