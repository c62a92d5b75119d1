import GateModel
import GateTexts
import Glibc

/// The file with the word that Gate's own screen shows. Root writes it, and only that screen's group may read it.
struct ScreenWordFile {
    var path = ScreenWord.path

    /// Replaces the word, completely or not at all. The group may read the file.
    func write(_ word: ScreenWord, for group: UInt32) throws(GateError) {
        let folder = path.cut(atLast: "/")?.before ?? "."
        if mkdir(folder, 0o750) == 0, chown(folder, geteuid(), group) != 0 { throw failure(folder) }
        let new = path + ".new"
        unlink(new)
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(new) }
        let bytes = Array("\(word.text)\n".utf8)
        let isWritten =
            bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) } == bytes.count
            && fchown(descriptor, geteuid(), group) == 0 && fchmod(descriptor, 0o640) == 0 && fsync(descriptor) == 0
        let error = isWritten ? nil : failure(new)
        close(descriptor)
        if let error {
            unlink(new)
            throw error
        }
        guard rename(new, path) == 0 else { throw failure(path) }
    }

    func remove() throws(GateError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw failure(path) }
    }

    private func failure(_ path: String) -> GateError {
        GateError(
            errno == EACCES || errno == EPERM ? .permissionDenied : .unavailable, .unspecified,
            saying: localized(
                "{path} can't be written: {reason}", ["path": path, "reason": String(cString: strerror(errno))]))
    }
}

extension ScreenWord.Problem {
    var sentence: String {
        switch self {
        case .length: localized("A word for the screen has 2 to 40 characters.")
        case .hidden: localized("The word has characters that nobody sees. Choose another one.")
        }
    }
}
