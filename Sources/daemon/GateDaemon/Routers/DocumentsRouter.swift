import GateCore
import GateModel
import GateProtocol
import GateStore

/// The methods of `gate.v1.Questionnaires` that transfer documents, in pieces, because an app's requests are small.
struct DocumentsRouter: ServiceRouter {
    let sessions: Sessions
    let store: any StateStore
    let thread: SharedThread
    private var context: LoopContext { sessions.pipeline.context }

    func addMethods(to router: inout Router) {
        router.onRead(Methods.Questionnaires.upload) { request, call throws(GateError) in
            try upload(request, of: call.session)
        }
        router.on(Methods.Questionnaires.download) { request, call in
            download(request, call)
        }
    }

    private func upload(_ request: UploadRequest, of session: PeerSession) throws(GateError) -> UploadResponse {
        let limits = context.limits
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

    /// How many bytes are uploaded that no answer names yet: by one owner, and in all.
    private func documentBytes(of owner: Owner) -> (ofUser: Int, ofAll: Int) {
        sessions.sessions.values.reduce((0, 0)) { sum, session in
            let count = session.documents.byteCount
            return (sum.0 + (session.peer.owner == owner ? count : 0), sum.1 + count)
        }
    }

    private func download(_ request: DownloadRequest, _ call: Call<DownloadResponse>) {
        let mayRead = sessions.pipeline.durable.mayRead(request.digest, call.peer)
        guard mayRead, let offset = Int(exactly: request.offset) else { return call.fail(.noDocument) }
        let limit = context.limits.documentPieceBytes
        let read = { @Sendable [store] in
            Result { () throws(StoreError) in try store.attachment(request.digest, offset: offset, count: limit) }
        }
        let isTaken = thread.submit(for: .init(call.peer), { read }) { result in
            switch result {
            case .failure(let error): call.fail(.storeFailed(error))
            // The document was removed meanwhile.
            case .success(nil): call.fail(.noDocument)
            case .success(let read?):
                call.answer(DownloadResponse(piece: read.piece, byteCount: UInt64(read.byteCount)))
            }
        }
        if !isTaken { call.fail(context.refused(.tooManyDownloads)) }
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
            .resourceExhausted, .limit, "A piece has at most \(limit) bytes. Send more pieces.",
            parameters: ["what": "piece-bytes", "maximum": "\(limit)"])
    }
}
