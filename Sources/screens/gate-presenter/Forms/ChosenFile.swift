import CGTK
import GateForms
import GateModel
import GateScreens
import GateTexts
import Glibc

/// A file that a person chose to attach to a form.
enum ChosenFile {
    /// Reads the file. It may have become something else since it was chosen, so only regular files are read: a pipe or
    /// a device might never end. Of a file that is too large, one byte more than the limit is read.
    static func read(_ path: String) -> Result<FormDocumentFile, GateError> {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { return .failure(unreadable(path)) }
        defer { close(descriptor) }
        var about = stat()
        guard fstat(descriptor, &about) == 0 else { return .failure(unreadable(path)) }
        guard about.st_mode & S_IFMT == S_IFREG else {
            return .failure(
                GateError(
                    .invalidArgument, .invalidRequest,
                    saying: localized("'{path}' is not an ordinary file.", ["path": shownName(of: path)])))
        }
        // One byte more than the limit is enough to know that the file is too large.
        let room = FormAttachment.maximumByteCount + 1
        var bytes = [UInt8](repeating: 0, count: min(room, max(0, Int(about.st_size)) + 1))
        var count = 0
        while count < bytes.count {
            let length = bytes.withUnsafeMutableBytes { buffer in
                buffer.baseAddress.map { Glibc.read(descriptor, $0 + count, buffer.count - count) } ?? 0
            }
            if length < 0, errno == EINTR { continue }
            guard length >= 0 else { return .failure(unreadable(path)) }
            guard length > 0 else { break }
            count += length
        }
        let name = path.lastPathPart ?? path
        return .success(
            FormDocumentFile(bytes: Array(bytes[..<count]), mediaType: MediaType.bySuffix(of: name), name: name))
    }

    private static func unreadable(_ path: String) -> GateError {
        GateError(
            .notFound, .invalidRequest,
            saying: localized(
                "'{path}' can't be read: {error}.",
                ["path": shownName(of: path), "error": String(cString: strerror(errno))]))
    }

    private static func shownName(of path: String) -> String { (path.lastPathPart ?? path).replacingHidden }
}
