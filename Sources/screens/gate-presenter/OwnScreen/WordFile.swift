import CGTK
import GateModel
import Glibc

/// The file with the word that a grown-up has chosen. It is read for each question, so that a new word counts at once.
struct WordFile {
    let path: String

    /// `nil` if no word was chosen, or if others could have read or written the file: then the word does not tell this
    /// screen from an imitation.
    var word: ScreenWord? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_uid == 0 || status.st_uid == geteuid(), status.st_mode & 0o027 == 0
        else { return nil }
        // The longest word, its line break, and one byte more. If the buffer is filled, the file is too long for a
        // word.
        var bytes = [UInt8](repeating: 0, count: ScreenWord.maximumByteCount + 2)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0, count < bytes.count, let text = String(validating: bytes.prefix(count), as: UTF8.self) else {
            return nil
        }
        return try? ScreenWord(text)
    }
}
