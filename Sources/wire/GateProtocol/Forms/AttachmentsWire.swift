import CGateProtocol
package import GateModel

// questionnaires.proto: the bytes of attachments, which travel in pieces

extension Methods.Questionnaires {
    package static let upload = Method<UploadRequest, UploadResponse>(service, "Upload")
    package static let download = Method<DownloadRequest, DownloadResponse>(service, "Download")
}

package struct UploadRequest: MappedMessage {
    /// The most bytes of an attachment that one request holds.
    package static let maximumPieceByteCount = 48 << 10

    /// 0 with the first piece; then the `uploadID` of the response.
    package var uploadID: UInt64
    /// At most `maximumPieceByteCount` bytes.
    package var piece: [UInt8]
    package var isLast: Bool

    package init(uploadID: UInt64, piece: [UInt8], isLast: Bool) {
        self.uploadID = uploadID
        self.piece = piece
        self.isLast = isLast
    }

    init(reading message: Gate__V1__UploadRequest) throws(GateError) {
        guard message.piece.len <= Self.maximumPieceByteCount else {
            throw .wrong(
                "gate.v1.UploadRequest.piece",
                "holds \(message.piece.len) bytes; "
                    + "at most \(Self.maximumPieceByteCount) are taken at a time")
        }
        self.init(
            uploadID: message.upload_id, piece: [UInt8](reading: message.piece), isLast: message.is_last != 0)
    }

    func write(to message: inout Gate__V1__UploadRequest, in arena: inout MessageArena) {
        message.upload_id = uploadID
        message.piece = arena.bytes(piece)
        message.is_last = isLast ? 1 : 0
    }
}

package struct UploadResponse: MappedMessage {
    package var uploadID: UInt64
    /// The digest that names the attachment, in the response to the last piece; otherwise `nil`.
    package var digest: AttachmentDigest?

    package init(uploadID: UInt64, digest: AttachmentDigest?) {
        self.uploadID = uploadID
        self.digest = digest
    }

    init(reading message: Gate__V1__UploadResponse) throws(GateError) {
        self.init(
            uploadID: message.upload_id,
            digest: String(optional: message.digest) == nil
                ? nil : try AttachmentDigest(reading: message.digest, of: "gate.v1.UploadResponse.digest"))
    }

    func write(to message: inout Gate__V1__UploadResponse, in arena: inout MessageArena) {
        message.upload_id = uploadID
        message.digest = arena.string(digest?.hexText ?? "")
    }
}

package struct DownloadRequest: MappedMessage {
    package var digest: AttachmentDigest
    /// Where the piece begins, in bytes from 0.
    package var offset: UInt64

    package init(digest: AttachmentDigest, offset: UInt64) {
        self.digest = digest
        self.offset = offset
    }

    init(reading message: Gate__V1__DownloadRequest) throws(GateError) {
        self.init(
            digest: try AttachmentDigest(reading: message.digest, of: "gate.v1.DownloadRequest.digest"),
            offset: message.offset)
    }

    func write(to message: inout Gate__V1__DownloadRequest, in arena: inout MessageArena) {
        message.digest = arena.string(digest.hexText)
        message.offset = offset
    }
}

package struct DownloadResponse: MappedMessage {
    /// The bytes from the offset on; empty at the end.
    package var piece: [UInt8]
    package var byteCount: UInt64

    package init(piece: [UInt8], byteCount: UInt64) {
        self.piece = piece
        self.byteCount = byteCount
    }

    init(reading message: Gate__V1__DownloadResponse) {
        self.init(piece: [UInt8](reading: message.piece), byteCount: message.byte_count)
    }

    func write(to message: inout Gate__V1__DownloadResponse, in arena: inout MessageArena) {
        message.piece = arena.bytes(piece)
        message.byte_count = byteCount
    }
}

extension AttachmentDigest {
    /// - Throws: `INVALID_ARGUMENT`, naming the field, if the text is not 64 hexadecimal digits.
    fileprivate init(
        reading text: UnsafeMutablePointer<CChar>?, of field: StaticString
    ) throws(GateError) {
        guard let digest = AttachmentDigest(hexText: String(reading: text)) else {
            throw .wrong("\(field)", "is no SHA-256; write 64 hexadecimal digits")
        }
        self = digest
    }
}
