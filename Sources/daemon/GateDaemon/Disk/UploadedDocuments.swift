import Crypto
import GateModel

/// Documents that one connection has uploaded and no answer names yet. They are dropped when the connection closes.
struct UploadedDocuments {
    private struct Upload {
        var bytes: [UInt8] = []
        var hash = SHA256()
    }

    private var uploads: [UInt64: Upload] = [:]
    private var lastUpload: UInt64 = 0
    /// Finished documents, by their digest.
    private(set) var taken: [AttachmentDigest: [UInt8]] = [:]
    /// The bytes of all uploads and documents, plus `ownByteCount` for each of them.
    private(set) var byteCount = 0

    private static let ownByteCount = 512

    /// Adds a piece to an upload; 0 begins one. Returns its number, and with the last piece the document's digest.
    /// - Throws: `NOT_FOUND` if no such upload is unfinished; `INVALID_ARGUMENT` if a piece other than the last is
    ///   empty; `RESOURCE_EXHAUSTED` if the document is too large, which drops it, or if there are too many.
    mutating func received(
        _ piece: [UInt8], of number: UInt64, isLast: Bool, limit: Int, countLimit: Int
    ) throws(GateError) -> (number: UInt64, digest: AttachmentDigest?) {
        // The last piece may be empty, also if it is the only one: then the document has no bytes.
        guard !piece.isEmpty || isLast else { throw .emptyPiece }
        var id = number
        if number == 0 {
            guard uploads.count + taken.count < countLimit else { throw .manyDocuments(countLimit) }
            byteCount += Self.ownByteCount
            lastUpload += 1
            id = lastUpload
            uploads[id] = Upload()
        }
        guard var upload = uploads.removeValue(forKey: id) else { throw .noUpload(id) }
        guard upload.bytes.count + piece.count <= limit else {
            byteCount -= upload.bytes.count + Self.ownByteCount
            throw .largeDocument(limit)
        }
        upload.bytes += piece
        upload.hash.update(data: piece)
        byteCount += piece.count
        guard isLast else {
            uploads[id] = upload
            return (id, nil)
        }
        guard let digest = AttachmentDigest(bytes: Array(upload.hash.finalize())) else {
            preconditionFailure("SHA-256 has 32 bytes")
        }
        if taken[digest] != nil { byteCount -= upload.bytes.count + Self.ownByteCount }
        taken[digest] = upload.bytes
        return (id, digest)
    }

    func named(by digests: Set<AttachmentDigest>) -> [AttachmentDigest: [UInt8]] {
        taken.filter { digests.contains($0.key) }
    }

    /// Drops the documents with these digests: an answer names them now, so the store has them.
    mutating func stored(_ digests: Set<AttachmentDigest>) {
        for digest in digests {
            guard let bytes = taken.removeValue(forKey: digest) else { continue }
            byteCount -= bytes.count + Self.ownByteCount
        }
    }
}

extension AttachmentDigest {
    init(of bytes: [UInt8]) {
        guard let digest = AttachmentDigest(bytes: Array(SHA256.hash(data: bytes))) else {
            preconditionFailure("SHA-256 has 32 bytes")
        }
        self = digest
    }
}

extension GateError {
    fileprivate static let emptyPiece = invalid(
        "piece", "Only the last piece may be empty.")

    fileprivate static func manyDocuments(_ limit: Int) -> GateError {
        GateError(
            .resourceExhausted, .limit,
            "This connection has \(limit) documents that no answer names. Name them, or close the connection.",
            parameters: ["what": "documents-of-connection", "maximum": "\(limit)"])
    }

    fileprivate static func noUpload(_ number: UInt64) -> GateError {
        GateError(
            .notFound, .unknown, "No upload \(number) is on its way here. Begin with 0.",
            parameters: ["what": "upload", "name": "\(number)"])
    }

    fileprivate static func largeDocument(_ limit: Int) -> GateError {
        GateError(
            .resourceExhausted, .limit, "A document has at most \(limit) bytes. Send a smaller one.",
            parameters: ["what": "document-bytes", "maximum": "\(limit)"])
    }
}
