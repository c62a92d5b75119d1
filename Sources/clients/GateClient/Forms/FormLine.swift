import GateModel
import GateProtocol
import TTRPCTransport

/// The way to the daemon for what is about one draft. A cookie is good on the connection that got it, and on no other.
struct FormLine: Sendable {
    let shared: SharedConnection
    /// `nil`: whichever there is.
    let connection: TTRPCClientConnection?

    func call<Request, Response>(
        _ method: Method<Request, Response>, _ request: Request
    ) async throws(GateError) -> Response {
        try await connected().call(method, request, timeout: shared.options.callTimeout, of: shared)
    }

    private func connected() async throws(GateError) -> TTRPCClientConnection {
        if let connection { return connection }
        return try await shared.connected()
    }

    /// Brings bytes that an answer is going to name, in pieces, over one connection: what is not named goes with it.
    ///
    /// - Throws: `RESOURCE_EXHAUSTED` (`limit`).
    func upload(_ bytes: [UInt8]) async throws(GateError) -> AttachmentDigest {
        let line = FormLine(shared: shared, connection: try await connected())
        var rest = bytes[...]
        var uploadID: UInt64 = 0
        while true {
            let piece = rest.prefix(UploadRequest.maximumPieceByteCount)
            rest = rest.dropFirst(piece.count)
            let response = try await line.call(
                Methods.Questionnaires.upload,
                UploadRequest(uploadID: uploadID, piece: [UInt8](piece), isLast: rest.isEmpty))
            uploadID = response.uploadID
            guard rest.isEmpty else { continue }
            guard let digest = response.digest else {
                throw GateError(.internal, .unspecified, "The daemon took an attachment and did not name it.")
            }
            return digest
        }
    }

    /// - Throws: `NOT_FOUND` (`unknown`).
    func download(_ digest: AttachmentDigest) async throws(GateError) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let response = try await call(
                Methods.Questionnaires.download, DownloadRequest(digest: digest, offset: UInt64(bytes.count)))
            bytes += response.piece
            guard UInt64(bytes.count) < response.byteCount else { return bytes }
            guard !response.piece.isEmpty else {
                throw GateError(.internal, .unspecified, "The daemon sent less of an attachment than there is.")
            }
        }
    }
}
