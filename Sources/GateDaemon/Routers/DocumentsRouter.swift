import GateCore
import GateModel
import GateProtocol
import GateStore

/// The methods of `gate.v1.Questionnaires` that carry documents, piece by piece: a request of an app is small.
extension Router {
    mutating func addDocuments() {
        on(Methods.Questionnaires.upload) { authority, request, call in
            do throws(GateError) {
                call.answer(try authority.upload(request, of: call.session))
            } catch {
                call.fail(error)
            }
        }
        on(Methods.Questionnaires.download) { authority, request, call in
            authority.download(request, call)
        }
    }
}

extension Authority {
    fileprivate func upload(_ request: UploadRequest, of session: PeerSession) throws(GateError) -> UploadResponse {
        guard request.piece.count <= limits.documentPieceBytes else { throw .largePiece(limits.documentPieceBytes) }
        let held = documentBytes(of: session.peer.owner)
        guard held.ofUser + request.piece.count <= limits.documentBytesPerUser,
            held.ofAll + request.piece.count <= limits.documentBytes
        else { throw .noRoomForDocument }
        let (id, digest) = try session.documents.received(
            request.piece, of: request.uploadID, isLast: request.isLast, limit: FormAttachment.maximumByteCount,
            countLimit: limits.documentsPerConnection)
        return UploadResponse(uploadID: id, digest: digest)
    }

    /// What is uploaded, and named by no answer yet.
    private func documentBytes(of owner: Owner) -> (ofUser: Int, ofAll: Int) {
        sessions.values.reduce((0, 0)) { sum, session in
            let count = session.documents.byteCount
            return (sum.0 + (session.peer.owner == owner ? count : 0), sum.1 + count)
        }
    }

    fileprivate func download(_ request: DownloadRequest, _ call: Call<DownloadResponse>) {
        guard durable.mayRead(request.digest, call.peer), let offset = Int(exactly: request.offset) else {
            return call.fail(.noDocument)
        }
        let limit = limits.documentPieceBytes
        let read = { @Sendable [store] in
            Result { () throws(StoreError) in try store.attachment(request.digest, offset: offset, count: limit) }
        }
        let isTaken = readThread.submit(for: .init(call.peer), { read }) { result in
            switch result {
            case .failure(let error): call.fail(.storeFailed(error))
            // It was taken away since.
            case .success(nil): call.fail(.noDocument)
            case .success(let read?):
                call.answer(DownloadResponse(piece: read.piece, byteCount: UInt64(read.byteCount)))
            }
        }
        guard !isTaken else { return }
        statistics.refused += 1
        call.fail(.tooManyDownloads)
    }
}

extension GateError {
    fileprivate static let noDocument = GateError(
        .notFound, .unknown, "There is no such document, or no answer of yours names it.",
        parameters: ["what": "document"])

    fileprivate static let noRoomForDocument = GateError(
        .resourceExhausted, .limit,
        "Too many documents are on their way. Name those that are uploaded in answers, or close the connection.",
        parameters: ["what": "documents"])

    fileprivate static let tooManyDownloads = GateError(
        .resourceExhausted, .limit, "Too many pieces of documents are being read just now. Try again.",
        parameters: ["what": "downloads"])

    fileprivate static func largePiece(_ limit: Int) -> GateError {
        GateError(
            .resourceExhausted, .limit, "A piece has at most \(limit) bytes. Send more of them.",
            parameters: ["what": "piece-bytes", "maximum": "\(limit)"])
    }
}
