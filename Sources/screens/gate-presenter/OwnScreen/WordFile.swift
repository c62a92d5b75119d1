import CGTK
import GateModel
import Glibc

/// The file with the word that a grown-up has chosen. It is read for each question, so that a new word counts at once.
struct WordFile {
    let path: String

    /// `nil` if none was chosen, or others could have read or written the file, and so imitate this screen.
    var word: ScreenWord? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_uid == 0 || status.st_uid == geteuid(), status.st_mode & 0o027 == 0
        else { return nil }
        // The longest word, its line break, and a byte to notice that the file is too long.
        var bytes = [UInt8](repeating: 0, count: ScreenWord.maximumByteCount + 2)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0, count < bytes.count, let text = String(validating: bytes.prefix(count), as: UTF8.self) else {
            return nil
        }
        return try? ScreenWord(text)
    }
}
