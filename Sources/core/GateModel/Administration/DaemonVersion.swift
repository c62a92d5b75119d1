/// The version of a daemon, and what it can do.
public struct DaemonVersion: Hashable, Sendable {
    /// The version of gated, like "0.9.0".
    public var version: String
    /// The wire protocol: "ttrpc 1.2".
    public var wireProtocol: String
    /// The version of the SQLite library in use.
    public var sqlite: String
    /// What this gated can do, by name, like "forms", in alphabetical order. Later versions may add names.
    public var capabilities: [String]

    package init(version: String, wireProtocol: String, sqlite: String, capabilities: [String]) {
        self.version = version
        self.wireProtocol = wireProtocol
        self.sqlite = sqlite
        self.capabilities = capabilities
    }
}
