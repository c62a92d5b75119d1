import GateCore
public import GateModel
import SQLite

/// The rows of `attachment`: the bytes that answers name, each once. They stay in the file: a start reads how many there
/// are, and a download a piece at a time.
enum AttachmentTable {
    /// More than the core takes. What has more was not written by us.
    static let maximumCount = 100_000
    private static let maximumByteCount = 16 << 20

    static func load(from database: Database) throws -> [AttachmentDigest: Int] {
        var attachments: [AttachmentDigest: Int] = [:]
        let rows = try Row.fetchCursor(database, sql: "SELECT digest, length(bytes) FROM attachment")
        while let row = try rows.next() {
            let stored: DatabaseValue = row[0]
            let byteCount = try RecordTables.value(1, of: row, as: Int.self)
            guard case .blob(let bytes) = stored, let digest = AttachmentDigest(bytes: bytes),
                attachments[digest] == nil, attachments.count < maximumCount,
                (0...maximumByteCount).contains(byteCount)
            else { throw StoreError.damaged("an attachment too many, too large, or without a digest") }
            attachments[digest] = byteCount
        }
        return attachments
    }

    static func insert(_ bytes: [UInt8], as digest: AttachmentDigest, in database: Database) throws {
        guard bytes.count <= maximumByteCount else {
            throw StoreError.failed("an attachment of \(bytes.count) bytes can't be stored")
        }
        // Not a cached statement: that would keep its arguments, megabytes of them.
        try database.execute(
            sql: "INSERT OR REPLACE INTO attachment (digest, bytes) VALUES (?, ?)",
            arguments: [try key(digest), bytes])
    }

    static func remove(_ digest: AttachmentDigest, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM attachment WHERE digest = ?").execute(arguments: [
            try key(digest)
        ])
    }

    /// Its bytes can be set by anybody.
    private static func key(_ digest: AttachmentDigest) throws -> [UInt8] {
        guard digest.bytes.count == AttachmentDigest.byteCount else {
            throw StoreError.failed("a digest of \(digest.bytes.count) bytes can't be stored")
        }
        return digest.bytes
    }

    static func piece(
        of digest: AttachmentDigest, offset: Int, count: Int, in database: Database
    ) throws -> (piece: [UInt8], byteCount: Int)? {
        // Of no bytes, substr makes NULL.
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT coalesce(substr(bytes, ? + 1, ?), x''), length(bytes) FROM attachment WHERE digest = ?"),
            arguments: [
                min(max(0, offset), maximumByteCount), min(max(0, count), maximumByteCount), digest.bytes,
            ])
        guard let row else { return nil }
        return (
            try RecordTables.value(0, of: row, as: [UInt8].self), try RecordTables.value(1, of: row, as: Int.self)
        )
    }
}

extension GateStore {
    /// Some of the bytes of an attachment.
    ///
    /// - Parameters:
    ///   - offset: where the piece begins, in bytes from 0. Past the end the piece is empty.
    ///   - count: at most so many bytes.
    /// - Returns: the piece, and how many bytes the whole attachment has; `nil`: there is none with this digest.
    /// - Throws: `StoreError`.
    public func attachment(
        _ digest: AttachmentDigest, offset: Int, count: Int
    ) throws(StoreError) -> (piece: [UInt8], byteCount: Int)? {
        try Self.performing {
            try database.inDatabase { database in
                try AttachmentTable.piece(of: digest, offset: offset, count: count, in: database)
            }
        }
    }
}
