public import Logging

/// Writes what sd-daemon(3) reads: `<3>` and the message, a line each. The journal adds time and name itself, and
/// `journalctl --priority` finds what is severe.
public struct JournalLogHandler: LogHandler {
    public var logLevel = Logger.Level.info
    public var metadata = Logger.Metadata()
    public var metadataProvider: Logger.MetadataProvider?
    private let write: @Sendable (String) -> Void

    /// - Parameter write: is given whole lines.
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
            // As swift-log's own handlers have it.
            values["error.message"] = "\(error)"
            values["error.type"] = "\(String(reflecting: type(of: error)))"
        }
        let pairs = values.sorted { $0.key < $1.key }.map { " \($0)=\($1)" }.joined()
        // A line without a priority of its own would get the default one.
        let lines = "\(event.message)\(pairs)".split(whereSeparator: \.isNewline)
        write(lines.map { "<\(event.level.priority)>\($0)\n" }.joined())
    }
}

extension Logger.Level {
    /// As syslog(3) counts.
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
