import Glibc
public import Logging

/// How a service logs: to systemd's journal if standard error leads there, otherwise with times, for people.
public enum ServiceLog {
    /// - Parameter level: less severe messages are dropped.
    public static func handler(label: String, level: Logger.Level) -> any LogHandler {
        var handler: any LogHandler =
            isJournal ? JournalLogHandler(write: writeToStandardError) : StreamLogHandler.standardError(label: label)
        handler.logLevel = level
        return handler
    }

    /// systemd names the journal's socket by device and inode. A process whose standard error was redirected has the
    /// variable, too, but not that socket.
    private static let isJournal: Bool = {
        var status = stat()
        guard let named = getenv("JOURNAL_STREAM"), fstat(STDERR_FILENO, &status) == 0 else { return false }
        return String(cString: named) == "\(status.st_dev):\(status.st_ino)"
    }()

    /// Writes a text in one piece, as far as standard error takes it, so that lines of several threads don't mix.
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
