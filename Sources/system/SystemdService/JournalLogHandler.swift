public import Logging

/// Writes log lines for the journal as sd-daemon(3) describes: each begins with its priority, for example `<3>`. The
/// journal adds the time and the service's name itself, and `journalctl --priority` finds severe entries.
public struct JournalLogHandler: LogHandler {
    public var logLevel = Logger.Level.info
    public var metadata = Logger.Metadata()
    public var metadataProvider: Logger.MetadataProvider?
    private let write: @Sendable (String) -> Void

    /// - Parameter write: receives whole lines.
    public init(write: @escaping @Sendable (String) -> Void) {
        self.write = write
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        var values = metadata
        values.merge(metadataProvider?.get() ?? [:]) { $1 }
        values.merge(event.metadata ?? [:]) { $1 }
        if let error = event.error {
            // The same keys as swift-log's own handlers use.
            values["error.message"] = "\(error)"
            values["error.type"] = "\(String(reflecting: type(of: error)))"
        }
        let pairs = values.sorted { $0.key < $1.key }.map { " \($0)=\($1)" }.joined()
        // Each line gets a priority, otherwise it would have the default one.
        let lines = "\(event.message)\(pairs)".split(whereSeparator: \.isNewline)
        write(lines.map { "<\(event.level.priority)>\($0)\n" }.joined())
    }
}

extension Logger.Level {
    /// The priorities of syslog(3).
    fileprivate var priority: Int {
        switch self {
        case .critical: 2
        case .error: 3
        case .warning: 4
        case .notice: 5
        case .info: 6
        case .debug, .trace: 7
        }
    }
}
