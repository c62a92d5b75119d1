public import GateModel
package import GateProtocol

extension GateClient.ControlCalls {
    /// Makes a backup of everything durable, and gives its bytes to `write` in order. For administrators. Keep it
    /// secret: it has the authenticator's key, and its password hashes let a reader guess passwords without limit.
    /// - Parameter write: gets a piece of at most 512 KiB at a time. The next piece is requested when it returns.
    /// - Throws: `RESOURCE_EXHAUSTED` (`limit`) while another backup is being made; `UNAVAILABLE` if the disk has no
    ///   room for it; what `write` throws.
    @discardableResult
    public nonisolated(nonsending) func backUp(
        writing write: nonisolated(nonsending) (_ piece: [UInt8]) async throws -> Void
    ) async throws -> WrittenBackup {
        var reading = try await client.beginBackup()
        while let piece = try await reading.next() { try await write(piece) }
        return WrittenBackup(byteCount: reading.byteCount)
    }

    /// Replaces everything durable by a backup, completely or not at all. Afterwards the mode is child and nobody is
    /// signed in. For administrators.
    /// - Parameters:
    ///   - checkOnly: whether to change nothing, and only tell what the backup contains.
    ///   - read: returns the next bytes, at most as many as requested, and none at the end.
    /// - Throws: `INVALID_ARGUMENT` (`invalidRequest`) if this is not a backup that can be restored;
    ///   `RESOURCE_EXHAUSTED` (`limit`) while another backup is being restored, or if it is too large; `UNAVAILABLE` if
    ///   the disk has no room for it; what `read` throws.
    @discardableResult
    public nonisolated(nonsending) func restore(
        checkOnly: Bool = false, reading read: nonisolated(nonsending) (_ byteLimit: Int) async throws -> [UInt8]
    ) async throws -> RestoredBackup {
        var restoring = try await client.beginRestore(checkOnly: checkOnly)
        while true {
            let piece = try await read(BackupRestoring.maximumPieceByteCount)
            let response = try await restoring.take(piece)
            guard piece.isEmpty else { continue }
            guard let contents = response.contents else {
                throw GateError(
                    .internal, .unspecified,
                    "The daemon did not say what is in the backup. Are gated and this program of the same version?")
            }
            return RestoredBackup(
                contents: contents, revision: response.revision, leftOutChoices: response.leftOutChoices)
        }
    }
}

/// A backup that was written.
public struct WrittenBackup: Hashable, Sendable {
    /// The size of the backup, in bytes.
    public var byteCount: UInt64
}

/// A backup that was restored or checked.
public struct RestoredBackup: Hashable, Sendable {
    /// What the backup contains.
    public var contents: BackupSummary
    /// The revision from which on the backup is in force; `nil` if it was only checked.
    public var revision: Revision?
    /// The gated actions about which the backup has a choice that was left out, since it could lower a gate. Sorted.
    public var leftOutChoices: [String]
}

// MARK: - Piece by piece

package struct BackupReading {
    private let line: FormLine
    private var request = BackupRequest()
    private var isOver = false
    /// The size of the backup in bytes; 0 before the first piece was read.
    package private(set) var byteCount: UInt64 = 0

    init(over line: FormLine) {
        self.line = line
    }

    package mutating func next() async throws(GateError) -> [UInt8]? {
        guard !isOver else { return nil }
        let response = try await line.call(Methods.Control.backup, request)
        byteCount = response.byteCount
        request = BackupRequest(
            backupID: response.backupID, offset: request.offset + UInt64(response.piece.count))
        isOver = request.offset >= byteCount
        guard isOver || !response.piece.isEmpty else {
            throw GateError(.internal, .unspecified, "The daemon sent only a part of the backup. Make it again.")
        }
        return response.piece
    }
}

package struct BackupRestoring {
    package static let maximumPieceByteCount = RestoreRequest.maximumPieceByteCount

    private let line: FormLine
    private let checkOnly: Bool
    private var restoreID: UInt64 = 0

    init(over line: FormLine, checkOnly: Bool) {
        (self.line, self.checkOnly) = (line, checkOnly)
    }

    /// Sends the next piece. An empty piece ends the backup; the reply to it says what the backup contains.
    package mutating func take(_ piece: [UInt8]) async throws(GateError) -> RestoreResponse {
        let response = try await line.call(
            Methods.Control.restore,
            RestoreRequest(restoreID: restoreID, piece: piece, isLast: piece.isEmpty, checkOnly: checkOnly))
        restoreID = response.restoreID
        return response
    }
}

extension GateClient {
    /// Begins a backup. Its pieces have to be read over one connection.
    package func beginBackup() async throws(GateError) -> BackupReading {
        BackupReading(over: FormLine(on: try await connection.connected()))
    }

    /// Begins a restore. Its pieces have to be sent over one connection.
    package func beginRestore(checkOnly: Bool) async throws(GateError) -> BackupRestoring {
        BackupRestoring(over: FormLine(on: try await connection.connected()), checkOnly: checkOnly)
    }
}
