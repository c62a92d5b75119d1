import GateClient
import GateModel
import GateTexts
import Glibc

/// A document in a file, to be attached to a form.
struct AttachmentFile: Hashable, Sendable {
    let bytes: [UInt8]
    let mediaType: String
    /// The title that people read: the name of the file.
    let title: String

    /// - Parameter mediaType: `nil`: as the suffix says.
    /// - Throws: `NOT_FOUND` where it can't be read; `INVALID_ARGUMENT` where it is too long, or no file.
    init(path: String, mediaType: String? = nil) throws(GateError) {
        bytes = try WholeFile(path: path, maximumBytes: FormAttachment.maximumByteCount).bytes
        title = path == "-" ? "document" : path.lastPathPart ?? ""
        self.mediaType = mediaType ?? Self.mediaType(of: path)
    }

    /// Brings it to the daemon, to be named in an answer.
    func uploaded(to gate: GateClient) async throws(GateError) -> FormAttachment {
        FormAttachment(
            mediaType: mediaType, title: title, byteCount: bytes.count, digest: try await gate.forms.upload(bytes))
    }

    /// The media type by the suffix; an unknown one is bytes.
    static func mediaType(of path: String) -> String {
        guard let (before, suffix) = path.lastPathPart?.cut(atLast: "."), !before.isEmpty else {
            return "application/octet-stream"
        }
        return known[suffix.lowercased()] ?? "application/octet-stream"
    }

    private static let known = [
        "avif": "image/avif", "bmp": "image/bmp", "css": "text/css", "csv": "text/csv",
        "doc": "application/msword",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "gif": "image/gif", "gz": "application/gzip", "heic": "image/heic", "htm": "text/html", "html": "text/html",
        "jpeg": "image/jpeg", "jpg": "image/jpeg", "json": "application/json", "md": "text/markdown",
        "mp3": "audio/mpeg", "mp4": "video/mp4", "odt": "application/vnd.oasis.opendocument.text",
        "ods": "application/vnd.oasis.opendocument.spreadsheet", "ogg": "audio/ogg", "opus": "audio/opus",
        "pdf": "application/pdf", "png": "image/png", "rtf": "application/rtf", "svg": "image/svg+xml",
        "tif": "image/tiff", "tiff": "image/tiff", "txt": "text/plain", "wav": "audio/wav", "webm": "video/webm",
        "webp": "image/webp", "xls": "application/vnd.ms-excel",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xml": "application/xml",
        "zip": "application/zip",
    ]
}

/// All of a file.
struct WholeFile {
    let bytes: [UInt8]

    /// - Parameter path: "-" is standard input.
    /// - Throws: `NOT_FOUND` where it can't be read; `INVALID_ARGUMENT` where it is longer, or no file.
    init(path: String, maximumBytes: Int) throws(GateError) {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw Self.unreadable(path) }
        defer { if path != "-" { close(descriptor) } }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let length = read(descriptor, &chunk, chunk.count)
            if length < 0, errno == EINTR { continue }
            guard length >= 0 else { throw Self.unreadable(path) }
            guard length > 0 else { break }
            bytes += chunk[..<length]
            guard bytes.count <= maximumBytes else {
                throw GateError(
                    .invalidArgument, .invalidRequest,
                    "'\(path)' is longer than \(maximumBytes >> 20) MiB. Take a shorter file.")
            }
        }
        self.bytes = bytes
    }

    private static func unreadable(_ path: String) -> GateError {
        GateError(
            .notFound, .invalidRequest,
            saying: localized(
                "'{path}' can't be read: {error}.", ["path": path, "error": String(cString: strerror(errno))]))
    }
}
