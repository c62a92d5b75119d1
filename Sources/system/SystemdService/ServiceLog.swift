import Glibc
public import Logging

/// How a service logs: to systemd's journal where standard error leads there, else with a time, for people.
public enum ServiceLog {
    /// For `LoggingSystem.bootstrap`.
    /// - Parameter level: what is less severe is left out.
    public static func handler(label: String, level: Logger.Level) -> any LogHandler {
        var handler: any LogHandler =
            isJournal ? JournalLogHandler(write: writeToStandardError) : StreamLogHandler.standardError(label: label)
        handler.logLevel = level
        return handler
    }

    /// systemd names the journal's socket by device and inode, so that who was given another standard error is not deceived.
    private static let isJournal: Bool = {
        var status = stat()
        guard let named = getenv("JOURNAL_STREAM"), fstat(STDERR_FILENO, &status) == 0 else { return false }
        return String(cString: named) == "\(status.st_dev):\(status.st_ino)"
    }()

    /// Writes a text in one piece, as far as standard error takes it so: what threads log does not mix.
    private static func writeToStandardError(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
