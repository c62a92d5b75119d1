public import GateModel
package import GateProtocol

extension GateClient.ControlCalls {
    /// Makes a backup of everything durable, and gives its bytes to `write` in order. For administrators.
    ///
    /// It holds password hashes and the authenticator's key: anyone who can read it can guess at them for as long as they like.
    ///
    /// - Parameter write: gets a piece of at most 512 KiB at a time. The next one is asked for when it returns.
    /// - Throws: `RESOURCE_EXHAUSTED` (`limit`) while another one is being made; what `write` throws.
    @discardableResult
    public nonisolated(nonsending) func backUp(
        writing write: nonisolated(nonsending) (_ piece: [UInt8]) async throws -> Void
    ) async throws -> WrittenBackup {
        var reading = try await client.beginBackup()
        while let piece = try await reading.next() { try await write(piece) }
        return WrittenBackup(byteCount: reading.byteCount)
    }

    /// Brings a backup back, in place of what is kept: all of it or nothing. For administrators.
    ///
    /// - Parameters:
    ///   - checkOnly: change nothing, and say what is in it.
    ///   - read: returns the next bytes, at most as many as it is asked for; none at the end.
    /// - Throws: `INVALID_ARGUMENT` (`invalidRequest`) where it is no backup that can be restored; `RESOURCE_EXHAUSTED`
    ///   (`limit`) while another one is being restored; what `read` throws.
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
                throw GateError(.internal, .unspecified, "The daemon did not say what is in the backup.")
            }
            return RestoredBackup(contents: contents, revision: response.revision)
        }
    }
}

/// A backup that was written.
public struct WrittenBackup: Hashable, Sendable {
    /// The number of bytes that it has.
    public var byteCount: UInt64
}

/// A backup that was restored, or only checked.
public struct RestoredBackup: Hashable, Sendable {
    /// Its contents.
    public var contents: BackupSummary
    /// The revision from which on it is in force; `nil`: it was only checked, and nothing was changed.
    public var revision: Revision?
}

// MARK: - Piece by piece

/// The pieces of a backup, as the daemon gives them.
package struct BackupReading {
    private let line: FormLine
    private var request = BackupRequest()
    private var isOver = false
    /// How many bytes it has; 0 before the first piece.
    package private(set) var byteCount: UInt64 = 0

    init(over line: FormLine) {
        self.line = line
    }

    /// The next piece; `nil`: that was all.
    package mutating func next() async throws(GateError) -> [UInt8]? {
        guard !isOver else { return nil }
        let response = try await line.call(Methods.Control.backup, request)
        byteCount = response.byteCount
        request = BackupRequest(
            backupID: response.backupID, offset: request.offset + UInt64(response.piece.count))
        isOver = request.offset >= byteCount
        guard isOver || !response.piece.isEmpty else {
            throw GateError(.internal, .unspecified, "The daemon sent less of a backup than there is.")
        }
        return response.piece
    }
}

/// A backup that the daemon is given piece by piece.
package struct BackupRestoring {
    /// How long a piece may be, in bytes.
    package static let maximumPieceByteCount = RestoreRequest.maximumPieceByteCount

    private let line: FormLine
    private let checkOnly: Bool
    private var restoreID: UInt64 = 0

    init(over line: FormLine, checkOnly: Bool) {
        (self.line, self.checkOnly) = (line, checkOnly)
    }

    /// Gives the next piece. An empty one is the end, and its reply says what is in the backup.
    package mutating func take(_ piece: [UInt8]) async throws(GateError) -> RestoreResponse {
        let response = try await line.call(
            Methods.Control.restore,
            RestoreRequest(restoreID: restoreID, piece: piece, isLast: piece.isEmpty, checkOnly: checkOnly))
        restoreID = response.restoreID
        return response
    }
}

extension GateClient {
    /// Begins a backup. All pieces come over one connection.
    package func beginBackup() async throws(GateError) -> BackupReading {
        BackupReading(over: FormLine(shared: connection, connection: try await connection.connected()))
    }

    /// Begins a restore. All pieces go over one connection.
    package func beginRestore(checkOnly: Bool) async throws(GateError) -> BackupRestoring {
        BackupRestoring(
            over: FormLine(shared: connection, connection: try await connection.connected()), checkOnly: checkOnly)
    }
}
