import Foundation
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

    /// Writes a text in one piece: what threads log does not mix.
    private static func writeToStandardError(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
