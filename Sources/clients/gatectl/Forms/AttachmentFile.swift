import GateClient
import GateForms
import GateModel
import GateTexts
import Glibc

/// A file to attach to a form.
struct AttachmentFile: Hashable, Sendable {
    let bytes: [UInt8]
    let mediaType: String
    /// The title that people read: the file's name, or "document" for standard input.
    let title: String

    /// - Parameter mediaType: `nil` to guess it from the file name's suffix.
    /// - Throws: `NOT_FOUND` if the file can't be read; `INVALID_ARGUMENT` if it is too long for an attachment.
    init(path: String, mediaType: String? = nil) throws(GateError) {
        bytes = try WholeFile(path: path, maximumBytes: FormAttachment.maximumByteCount).bytes
        title = path == "-" ? "document" : path.lastPathPart ?? ""
        self.mediaType = mediaType ?? Self.mediaType(of: path)
    }

    func uploaded(to gate: GateClient) async throws(GateError) -> FormAttachment {
        FormAttachment(
            mediaType: mediaType, title: title, byteCount: bytes.count, digest: try await gate.forms.upload(bytes))
    }

    static func mediaType(of path: String) -> String { MediaType.bySuffix(of: path.lastPathPart ?? "") }
}

struct WholeFile {
    let bytes: [UInt8]

    /// - Parameter path: "-" is standard input.
    /// - Throws: `NOT_FOUND` if it can't be read, like a directory; `INVALID_ARGUMENT` if it is too long.
    init(path: String, maximumBytes: Int) throws(GateError) {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw .unreadable(path) }
        defer { if path != "-" { close(descriptor) } }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let length = read(descriptor, &chunk, chunk.count)
            if length < 0, errno == EINTR { continue }
            guard length >= 0 else { throw .unreadable(path) }
            guard length > 0 else { break }
            bytes += chunk[..<length]
            guard bytes.count <= maximumBytes else {
                throw GateError(
                    .invalidArgument, .invalidRequest,
                    saying: localized(
                        "'{path}' is longer than {count} MiB. Take a shorter file.",
                        ["path": path, "count": "\(maximumBytes >> 20)"]))
            }
        }
        self.bytes = bytes
    }
}
