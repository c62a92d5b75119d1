public import GateModel
package import GateProtocol

extension GateClient.ControlCalls {
    /// Makes a backup of everything durable, and gives its bytes to `write` in order. For administrators.
    ///
    /// It holds password hashes and the authenticator's key: anyone who can read it can guess at them for as long as they like.
    ///
    /// - Parameter write: gets a piece of at most 512 KiB at a time. The next one is asked for when it returns.
    /// - Returns: how many bytes it has.
    /// - Throws: `RESOURCE_EXHAUSTED` (`limit`) while another one is being made; what `write` throws.
    @discardableResult
    public func backUp(
        writing write: (_ piece: [UInt8]) throws(GateError) -> Void
    ) async throws(GateError) -> UInt64 {
        let line = FormLine(shared: client.connection, connection: try await client.connection.connected())
        var request = BackupRequest()
        while true {
            let response = try await line.call(Methods.Control.backup, request)
            try write(response.piece)
            request = BackupRequest(
                backupID: response.backupID, offset: request.offset + UInt64(response.piece.count))
            guard request.offset < response.byteCount else { return response.byteCount }
            guard !response.piece.isEmpty else {
                throw GateError(.internal, .unspecified, "The daemon sent less of a backup than there is.")
            }
        }
    }

    /// Brings a backup back, in place of what is kept: all of it or nothing. For administrators.
    ///
    /// - Parameters:
    ///   - checkOnly: change nothing, and say what is in it.
    ///   - read: returns the next bytes, at most as many as it is asked for; none at the end.
    /// - Returns: what is in the backup.
    /// - Throws: `INVALID_ARGUMENT` (`invalidRequest`) where it is no backup that can be restored; `RESOURCE_EXHAUSTED`
    ///   (`limit`) while another one is being restored; what `read` throws.
    @discardableResult
    public func restore(
        checkOnly: Bool = false, reading read: (_ byteLimit: Int) throws(GateError) -> [UInt8]
    ) async throws(GateError) -> BackupSummary {
        let response = try await client.restore(checkOnly: checkOnly, reading: read)
        guard let contents = response.contents else {
            throw GateError(.internal, .unspecified, "The daemon did not say what is in the backup.")
        }
        return contents
    }
}

extension GateClient {
    /// As `ControlCalls.restore`, with the reply as it came.
    package func restore(
        checkOnly: Bool, reading read: (_ byteLimit: Int) throws(GateError) -> [UInt8]
    ) async throws(GateError) -> RestoreResponse {
        let line = FormLine(shared: connection, connection: try await connection.connected())
        var restoreID: UInt64 = 0
        while true {
            let piece = try read(RestoreRequest.maximumPieceByteCount)
            let response = try await line.call(
                Methods.Control.restore,
                RestoreRequest(restoreID: restoreID, piece: piece, isLast: piece.isEmpty, checkOnly: checkOnly))
            guard !piece.isEmpty else { return response }
            restoreID = response.restoreID
        }
    }
}
