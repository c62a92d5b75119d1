package enum MediaType {
    /// The media type for the suffix of a file's name; `application/octet-stream` if it is unknown.
    package static func bySuffix(of name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "application/octet-stream" }
        return known[name[name.index(after: dot)...].lowercased()] ?? "application/octet-stream"
    }

    /// The name that people know, like `PDF`; for other types the type itself.
    package static func shortName(of type: String) -> String {
        switch type.lowercased() {
        case "application/pdf": "PDF"
        case "image/png": "PNG"
        case "image/jpeg": "JPEG"
        case "image/webp": "WebP"
        case "image/gif": "GIF"
        case _: type
        }
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
