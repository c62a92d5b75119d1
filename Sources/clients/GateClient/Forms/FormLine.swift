import GateModel
import GateProtocol

/// Makes calls over one connection, or over the one that the client has at the moment. A cookie is valid only on the
/// connection that received it, so all calls with the same cookie need one connection; so do the pieces of an upload or
/// a backup.
struct FormLine: Sendable {
    let shared: SharedConnection
    /// `nil`: the client's current connection.
    private let connection: OpenConnection?

    init(of shared: SharedConnection) {
        (self.shared, connection) = (shared, nil)
    }

    init(on connection: OpenConnection) {
        (shared, self.connection) = (connection.shared, connection)
    }

    func call<Request, Response>(
        _ method: Method<Request, Response>, _ request: Request
    ) async throws(GateError) -> Response {
        try await connected().call(method, request)
    }

    private func connected() async throws(GateError) -> OpenConnection {
        if let connection { return connection }
        return try await shared.connected()
    }

    /// Uploads an attachment in pieces. When the connection is closed, the daemon forgets it if no answer names it.
    /// - Throws: `RESOURCE_EXHAUSTED` (`limit`).
    func upload(_ bytes: [UInt8]) async throws(GateError) -> AttachmentDigest {
        let line = FormLine(on: try await connected())
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
                throw GateError(
                    .internal, .unspecified,
                    "The daemon took an attachment but did not name it. Are gated and this program of the same version?"
                )
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
                throw GateError(
                    .internal, .unspecified, "The daemon sent only a part of the attachment. Fetch it again.")
            }
        }
    }
}
