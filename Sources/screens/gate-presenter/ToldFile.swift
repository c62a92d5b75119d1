import CGTK
import Glibc

/// A file with everything that the notifications of this desktop have announced, so that nothing is announced again
/// when this program restarts. The file lasts as long as the user is logged in, and only this user's own programs can
/// write it.
struct ToldFile {
    /// `nil` if the user has no folder for such files.
    private let path: String?
    /// The lines in the file now.
    private(set) var lines: Set<String> = []

    /// A file longer than this was not written by this program, and is ignored. In bytes.
    private static let maximumLength = 1 << 20

    /// - Parameters:
    ///   - name: the name of the presenter, which is another one for each daemon.
    ///   - subject: what the notifications are about.
    init(_ name: String, _ subject: String) {
        path = getenv("XDG_RUNTIME_DIR").map { "\(String(cString: $0))/\(name).\(subject)" }
        lines = read()
    }

    private func read() -> Set<String> {
        var (content, length) = (nil as UnsafeMutablePointer<CChar>?, gsize(0))
        guard let path, g_file_get_contents(path, &content, &length, nil) != 0, let content else { return [] }
        defer { g_free(content) }
        guard length <= Self.maximumLength else { return [] }
        return Set(String(cString: content).split(separator: "\n").map(String.init))
    }

    /// Writes the lines if they have changed. If the file can't be written, something may be announced twice.
    mutating func keep(_ lines: Set<String>) {
        guard lines != self.lines else { return }
        self.lines = lines
        guard let path else { return }
        let text = lines.sorted().map { "\($0)\n" }.joined()
        _ = g_file_set_contents_full(path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0o600, nil)
    }
}
